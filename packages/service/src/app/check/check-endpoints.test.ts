import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { Network } from '../../core/network.ts'
import { checkBrowserNode, checkEndpoints } from './check-endpoints.ts'
import type { Finding } from './finding.ts'

const GENESIS = 'Bpu1Qr4aSCoq95PsfUXjxLBPQwLpWpqNsuwNQ1eRnuFA'
const PASSPHRASE = 'a network'

/** A node that answers one method, and what others it is given. */
const startNode = async (method: string, result: unknown, others: Readonly<Record<string, unknown>> = {}) => {
  const answers: Readonly<Record<string, unknown>> = { [method]: result, ...others }
  const server = createServer(async (request, response) => {
    const asked = Object(await json(request))
    const known =
      asked.method in answers
        ? { result: answers[asked.method] }
        : { error: { code: -32601, message: 'no such method' } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...known }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // CAST: a server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  server.unref()
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

const CHAINS = {
  evm: { chainId: 'eip155:250', chainType: 'evm' },
  solana: { chainId: `solana:${GENESIS.slice(0, 32)}`, chainType: 'solana' },
  stellar: { chainId: 'stellar:testnet', chainType: 'stellar', passphrase: PASSPHRASE },
} as const

const chainOf = (family: keyof typeof CHAINS, urls: { rpcUrls: string[]; browserRpcUrl?: string }) => {
  const chain = {
    ...CHAINS[family],
    chainLabel: 'A chain',
    nativeToken: { symbol: 'X', decimals: 9 },
    finality: 'finalized' as const,
    ...urls,
  }
  const [parsed] = Network.parse({ chains: [chain], tokens: [] }).chains
  assert.ok(parsed !== undefined)
  return parsed
}

const lineOf = ({ level, subject, says }: Finding): string => `${level} ${subject}: ${says}`

const findingsOf = async (family: 'solana' | 'stellar', browserRpcUrl: string) =>
  (await checkBrowserNode(chainOf(family, { rpcUrls: ['http://127.0.0.1:1'], browserRpcUrl }), Date.now)).map(
    lineOf,
  )

for (const [family, method, right, other] of [
  ['solana', 'getGenesisHash', GENESIS, '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'],
  ['stellar', 'getNetwork', { passphrase: PASSPHRASE }, { passphrase: 'another network' }],
] as const)
  test(`a node for browsers on ${family} has to be one of its chain`, async () => {
    const [good, bad] = [await startNode(method, right), await startNode(method, other)]
    const [fine] = await findingsOf(family, good.url)
    assert.match(fine ?? '', /^ok chain \S+ browserRpcUrl \(127\.0\.0\.1:\d+\): the right chain$/)
    const [wrong] = await findingsOf(family, bad.url)
    assert.match(wrong ?? '', /^error chain \S+ browserRpcUrl \(\S+\): it is an endpoint of .*: name one of/)
    for (const { close } of [good, bad]) close()
    const [silent] = await findingsOf(family, good.url)
    assert.match(silent ?? '', /^warning chain \S+ browserRpcUrl \(\S+\): no answer/)
  })

const DAY_SECONDS = 86_400
const HEAD_SECONDS = 1_780_000_000
const WINDOW = {
  latestLedger: 2,
  latestLedgerCloseTime: HEAD_SECONDS,
  oldestLedger: 1,
  oldestLedgerCloseTime: HEAD_SECONDS,
}

for (const [family, method, identity, others] of [
  ['evm', 'eth_chainId', '0xfa', { eth_getBlockByNumber: { timestamp: `0x${HEAD_SECONDS.toString(16)}` } }],
  ['solana', 'getGenesisHash', GENESIS, { getSlot: 7, getBlockTime: HEAD_SECONDS }],
  [
    'stellar',
    'getNetwork',
    { passphrase: PASSPHRASE },
    { getTransaction: { status: 'NOT_FOUND', ...WINDOW } },
  ],
] as const)
  test(`a chain of ${family} whose head is older than a day is an error that says to take it out`, async (t) => {
    const node = await startNode(method, identity, others)
    t.after(node.close)
    const nowMs = () => (HEAD_SECONDS + 3 * DAY_SECONDS) * 1_000
    const [endpoint, chain] = await checkEndpoints(chainOf(family, { rpcUrls: [node.url] }), nowMs)
    assert.match(
      endpoint === undefined ? '' : lineOf(endpoint),
      /^error chain \S+ endpoint 0 \(\S+\): its head is 3 d old: the chain or this node has stopped; take it out of the file$/,
    )
    assert.match(chain === undefined ? '' : lineOf(chain), /^error chain \S+: no endpoint can be used/)
  })
