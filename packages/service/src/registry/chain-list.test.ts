import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registrySources } from '../../test/registry-sources.ts'
import { listedEndpoints } from './chain-list.ts'
import { syncNetwork } from './sync-network.ts'

const KNOWN = ['https://rpc.first.example.com']
const wanted = { chainNumber: 5, symbol: 'ETH', known: KNOWN }
const entry = (rpc: readonly unknown[], change: object = {}): object => ({
  chainId: 5,
  nativeCurrency: { symbol: 'ETH' },
  rpc,
  ...change,
})
const SECOND = 'https://eth.second.org'

test('adds one endpoint of each other operator, until the chain has three', () => {
  const rpc = [
    'https://other.example.com',
    'https://second.org',
    'https://b.second.org',
    'https://third.io/v1',
    'https://fourth.io',
  ]
  assert.deepEqual(listedEndpoints([entry(rpc)], wanted), {
    urls: ['https://second.org', 'https://third.io/v1'],
  })
  const known = [...KNOWN, SECOND, 'https://third.io']
  assert.deepEqual(listedEndpoints([entry(rpc)], { ...wanted, known }), { urls: [] })
})

test('an address that is no public endpoint is not taken', () => {
  const junk = [
    'http://plain.org',
    'wss://socket.org',
    `https://mainnet.infura.io/v3/${'$'}{INFURA_API_KEY}`,
    `https://${'$'}{NAME}.quiknode.pro`,
    'https://keyed.org/v1/1659dfb40aa24bbb8153a677b98064d7',
    'https://keyed.org/?key=abc',
    'https://keyed.org/?apikey=abc',
    'https://user:secret@keyed.org',
    'https://rpc.ankr.com/eth, https://two.chainstacklabs.com',
    'https://rpc.ankr.com/eth',
    'https://localhost',
    'https://node.localhost',
    'https://metadata.internal',
    'https://127.0.0.1',
    'https://[::1]/',
    'https://10.0.0.1:8545',
    'https://2130706433',
    `https://long.org/${'x'.repeat(300)}`,
    'https://evil.org/\u001b[2J',
    'https://ev\u0131l.org/\u202e',
    'not an address',
    '',
  ]
  for (const url of junk) assert.deepEqual(listedEndpoints([entry([url])], wanted), { urls: [] }, url)
  assert.deepEqual(listedEndpoints([entry([...junk, SECOND])], wanted), { urls: [SECOND] })
})

test('an entry of another chain, and one that the list warns of, gives nothing and is named', () => {
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ nativeCurrency: { symbol: 'WAN' } }, /another chain of this id, with WAN instead of ETH/],
    [{ status: 'deprecated' }, /does not call the chain active/],
    [{ status: 'incubating' }, /does not call the chain active/],
    [{ redFlags: ['reusedChainId'] }, /warns of the chain id/],
    [{ rpc: 'https://second.org' }, /malformed/],
    [{ rpc: [{ url: SECOND }] }, /malformed/],
    [{ nativeCurrency: null }, /malformed/],
    [{ nativeCurrency: { symbol: '\u001b[2J' } }, /malformed/],
    [{ status: 7 }, /malformed/],
  ]
  for (const [change, expected] of cases) {
    const listed = listedEndpoints([entry([SECOND], change)], wanted)
    assert.match('reason' in listed ? listed.reason : 'none', expected, JSON.stringify(change))
  }
  const twice = listedEndpoints([entry([SECOND]), entry(['https://third.io'])], wanted)
  assert.deepEqual(twice, { reason: 'the chain list has several chains of this id' })
  assert.deepEqual(listedEndpoints([entry([SECOND], { status: 'active' })], wanted), { urls: [SECOND] })
})

test('entries of other chains may be anything', () => {
  const others = [null, 7, 'text', [], {}, { chainId: '5' }, { chainId: 6, rpc: 1 }, entry([SECOND])]
  assert.deepEqual(listedEndpoints(others, wanted), { urls: [SECOND] })
})

test('of an entry with very many endpoints a bounded number is looked at', () => {
  const plain = Array.from({ length: 500 }, (_, index) => `http://o${index}.org`)
  assert.deepEqual(listedEndpoints([entry([...plain, SECOND])], wanted), { urls: [] })
  const many = Array.from({ length: 500 }, (_, index) => `https://o${index}.org`)
  assert.deepEqual(listedEndpoints([entry(many)], wanted), { urls: ['https://o0.org', 'https://o1.org'] })
})

const urlsOf = async (network: 'mainnet' | 'testnet', chainId: string): Promise<readonly string[]> =>
  syncNetwork(await registrySources(network), new Set()).file.chains.find(
    (chain) => chain.chainId === chainId,
  )?.rpcUrls ?? []

test('the endpoints of the list follow those of the other sources', async () => {
  assert.deepEqual(await urlsOf('mainnet', 'eip155:8453'), [
    'https://developer-access-mainnet.base.org',
    'https://base.gateway.tenderly.co',
    'https://base-rpc.publicnode.com',
  ])
  assert.deepEqual(await urlsOf('mainnet', 'eip155:80094'), [
    'https://rpc.berachain.com',
    'https://berachain-rpc.publicnode.com',
    'https://rpc.berachain-apis.com',
  ])
})

test('the list knows 999 and 998 as chains of others, whose endpoints are not taken for Hyperliquid', async () => {
  assert.deepEqual(await urlsOf('mainnet', 'eip155:999'), ['https://rpc.hyperliquid.xyz/evm'])
  assert.deepEqual(await urlsOf('testnet', 'eip155:998'), ['https://rpc.hyperliquid-testnet.xyz/evm'])
  const { leftOut } = syncNetwork(await registrySources('mainnet'), new Set())
  assert.ok(
    leftOut.some(
      ({ entry: name, reason }) => name === 'endpoints of Hyperliquid' && /WAN instead of HYPE/.test(reason),
    ),
  )
})

test('chains whose listed endpoints are a majority are named', async () => {
  const { mostlyListed } = syncNetwork(await registrySources('mainnet'), new Set())
  assert.deepEqual(mostlyListed, ['Base', 'Berachain'])
})
