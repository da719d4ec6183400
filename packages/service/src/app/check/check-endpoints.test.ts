import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { Network } from '../../core/network.ts'
import { checkBrowserNode } from './check-endpoints.ts'

const GENESIS = 'Bpu1Qr4aSCoq95PsfUXjxLBPQwLpWpqNsuwNQ1eRnuFA'
const PASSPHRASE = 'a network'

/** A node for browsers that answers one method. */
const startNode = async (method: string, result: unknown) => {
  const server = createServer(async (request, response) => {
    const asked = Object(await json(request))
    const known =
      asked.method === method ? { result } : { error: { code: -32601, message: 'no such method' } }
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
  solana: { chainId: `solana:${GENESIS.slice(0, 32)}`, chainType: 'solana' },
  stellar: { chainId: 'stellar:testnet', chainType: 'stellar', passphrase: PASSPHRASE },
} as const

const findingsOf = async (family: keyof typeof CHAINS, browserRpcUrl: string) => {
  const chain = {
    ...CHAINS[family],
    chainLabel: 'A chain',
    nativeToken: { symbol: 'X', decimals: 9 },
    rpcUrls: ['http://127.0.0.1:1'],
    finality: 'finalized' as const,
    browserRpcUrl,
  }
  const [parsed] = Network.parse({ chains: [chain], tokens: [] }).chains
  assert.ok(parsed !== undefined)
  return (await checkBrowserNode(parsed, Date.now)).map(
    ({ level, subject, says }) => `${level} ${subject}: ${says}`,
  )
}

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
