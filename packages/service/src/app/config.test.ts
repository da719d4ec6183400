import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ETHEREUM_ROW } from '../../test/ethereum-row.ts'
import { ConfigError } from '../core/config-error.ts'
import { readConfig } from './config.ts'

const directory = mkdtempSync(join(tmpdir(), 'rfq-config-'))
after(() => rmSync(directory, { recursive: true }))

const networkFile = (text: string): string => {
  const path = join(mkdtempSync(join(directory, 'one-')), 'network.json')
  writeFileSync(path, text)
  return path
}

test('an empty environment serves the sandbox on 127.0.0.1:8080', () => {
  const config = readConfig({ PORT: '', HOST: '' })
  assert.equal(config.port, 8080)
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.network, undefined)
  assert.equal(config.rateLimited, true)
  assert.equal(config.quotesPerClientDay, 500_000)
})

test('rejects an invalid value and names its variable', () => {
  for (const [name, value] of [
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['RATE_LIMIT', 'no'],
    ['QUOTES_PER_CLIENT_DAY', 'many'],
    ['DATABASE_URL', 'mysql://x'],
    ['LOG_LEVEL', 'loud'],
  ] as const) {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error: unknown) => error instanceof ConfigError && error.message.includes(name),
    )
  }
})

test("a mistake at an endpoint's headers or calls is told with its host, never with the rest of its address", () => {
  const url = 'https://user:PASSWORD@rpc.example/v2/SECRETKEY?key=SECRETKEY'
  const chain = { chainId: 'eip155:1', chainLabel: 'E', chainType: 'evm', rpcUrls: [url], finality: 1 }
  const nativeToken = { symbol: 'E', decimals: 18 }
  for (const [setting, told] of [
    [
      { rpcHeaders: { [url]: { Authorization: 'x' } } },
      /chains\.0\.rpcHeaders\.rpc\.example\.Authorization: /,
    ],
    [
      { rpcHeaders: { 'https://SECRETKEY:x': { Authorization: 'x' } } },
      /chains\.0\.rpcHeaders\.an address\.Authorization: /,
    ],
    [{ rpcCallsPerMinute: { [url]: 59 } }, /chains\.0\.rpcCallsPerMinute\.rpc\.example: /],
    [
      { rpcCallsPerMinute: { 'https://SECRETKEY.example': 60 } },
      /chains\.0\.rpcCallsPerMinute: a URL is not one/,
    ],
  ] as const) {
    const network = {
      chains: [{ ...chain, nativeToken, ...setting }],
      tokens: [],
    }
    const file = networkFile(JSON.stringify(network))
    assert.throws(
      () => readConfig({ RFQ_CONFIG: file }),
      (error: unknown) =>
        error instanceof ConfigError && told.test(error.message) && !/SECRETKEY|PASSWORD/.test(error.message),
    )
  }
})

test('says in one line what is wrong and what to set', () => {
  const range = 'expected a whole number from 0 to 65535, not'
  const missing = join(directory, 'none.json')
  const notJson = networkFile('[')
  const empty = networkFile('{}')
  for (const [environment, message] of [
    [{ PORT: 'abc' }, `environment PORT: ${range} "abc"`],
    [{ PORT: '1e3' }, `environment PORT: ${range} "1e3"`],
    [{ PORT: '-1' }, `environment PORT: ${range} "-1"`],
    [{ METRICS_PORT: '65536' }, `environment METRICS_PORT: ${range} "65536"`],
    [
      { PORT: 'a', DRAIN_SECONDS: '601' },
      `environment PORT: ${range} "a"; DRAIN_SECONDS: expected a whole number from 0 to 600, not "601"`,
    ],
    [
      { PORT: '9090', METRICS_PORT: '9090' },
      'environment METRICS_PORT: 9090 is PORT as well; set another, or none',
    ],
    [{ METRICS_PORT: '8080' }, 'environment METRICS_PORT: 8080 is PORT as well; set another, or none'],
    [
      { RFQ_CONFIG: missing },
      `RFQ_CONFIG ${missing}: there is no such file; set RFQ_CONFIG to the path of a network file (docs/operations.md)`,
    ],
    [
      { RFQ_CONFIG: directory },
      `RFQ_CONFIG ${directory}: this is a folder; set RFQ_CONFIG to the path of a network file (docs/operations.md)`,
    ],
    [
      { RFQ_CONFIG: notJson },
      new RegExp(`^RFQ_CONFIG ${notJson}: the file is not JSON \\(.*\\); correct it$`),
    ],
    [
      { RFQ_CONFIG: empty },
      `RFQ_CONFIG ${empty}: chains: missing, expected array; tokens: missing, expected array`,
    ],
  ] as const)
    assert.throws(() => readConfig(environment), { name: 'ConfigError', message })
  assert.equal(readConfig({ PORT: '0', METRICS_PORT: '0' }).metricsPort, 0)
})

test('rejects an invalid keeper key without repeating it', () => {
  const key = `0x${'Ab'.repeat(32)}`
  assert.equal(readConfig({}).keeperPrivateKey, undefined)
  assert.equal(readConfig({ KEEPER_PRIVATE_KEY: key }).keeperPrivateKey, key)
  for (const wrong of [key.slice(2), `${key}00`, `0x${'0'.repeat(64)}`, `0x${'F'.repeat(64)}`]) {
    assert.throws(
      () => readConfig({ KEEPER_PRIVATE_KEY: wrong }),
      ({ message }: Error) => message.includes('KEEPER_PRIVATE_KEY') && !message.includes(wrong.slice(4)),
    )
  }
})

test('parses a network file, and rejects an invalid one by field', () => {
  const good = networkFile(JSON.stringify({ chains: [ETHEREUM_ROW], tokens: [] }))
  assert.equal(readConfig({ RFQ_CONFIG: good }).network?.chains[0]?.chainLabel, 'Ethereum')
  const bad = networkFile(JSON.stringify({ chains: [{ ...ETHEREUM_ROW, finality: 'soon' }], tokens: [] }))
  assert.throws(() => readConfig({ RFQ_CONFIG: bad }), /chains\.0\.finality/)
  assert.throws(() => readConfig({ RFQ_CONFIG: networkFile('{') }), ConfigError)
  assert.throws(() => readConfig({ RFQ_CONFIG: '/nowhere/network.json' }), ConfigError)
})

test('lays the overlay over the network file, and says in which of them a mistake is', () => {
  const file = networkFile(JSON.stringify({ chains: [{ ...ETHEREUM_ROW, chainLabel: '' }], tokens: [] }))
  const overlayOf = (one: object): string =>
    networkFile(JSON.stringify({ chains: [{ chainId: 'eip155:1', ...one }] }))
  const rpcHeaders = { 'https://mine.example': { 'x-api-key': 'secret' } }
  const mine = { chainLabel: 'Mine', rpcUrls: ['https://mine.example'], rpcHeaders }
  const { network } = readConfig({ RFQ_CONFIG: file, RFQ_OVERLAY: overlayOf(mine) })
  assert.deepEqual(network?.chains[0], { ...ETHEREUM_ROW, ...mine })
  for (const [overlay, message] of [
    [overlayOf({}), (): string => `RFQ_CONFIG ${file}: chains.0.chainLabel: `],
    [overlayOf({ ...mine, finality: 'soon' }), (path: string) => `RFQ_OVERLAY ${path}: chains.0.finality: `],
    [
      overlayOf({ ...mine, rpcUrls: ['https://other.example'] }),
      (path: string) => `RFQ_OVERLAY ${path}: chains.0.rpcHeaders: a URL is not one of rpcUrls`,
    ],
    [networkFile('{'), (path: string) => `RFQ_OVERLAY ${path}: the file is not JSON`],
  ] as const)
    assert.throws(
      () => readConfig({ RFQ_CONFIG: file, RFQ_OVERLAY: overlay }),
      (error: unknown) => error instanceof ConfigError && error.message.startsWith(message(overlay)),
    )
  assert.throws(() => readConfig({ RFQ_OVERLAY: file }), /RFQ_OVERLAY: set RFQ_CONFIG/)
})

test('only a network of sandbox chains may name a clock', () => {
  const chain = (chainId: string) => ({ ...ETHEREUM_ROW, chainId })
  const readChains = (...chainIds: readonly string[]) => {
    const network = { chains: chainIds.map(chain), tokens: [], sandboxClock: 'http://127.0.0.1:7070/clock' }
    return readConfig({ RFQ_CONFIG: networkFile(JSON.stringify(network)) }).network
  }
  assert.equal(readChains('eip155:31337', 'eip155:31339')?.sandboxClock, 'http://127.0.0.1:7070/clock')
  for (const real of [
    'eip155:1',
    'eip155:31340',
    'stellar:pubnet',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  ])
    assert.throws(() => readChains('eip155:31337', real), {
      name: 'ConfigError',
      message: new RegExp(`sandboxClock: .*${real} is none$`),
    })
})
