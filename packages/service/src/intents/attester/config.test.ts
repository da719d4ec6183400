import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { refusal, UNUSABLE_KEYS } from '../../../test/unusable-keys.ts'
import { readAttesterConfig } from './config.ts'

const page = readFileSync(new URL('../../../../../docs/running-an-attester.md', import.meta.url), 'utf8')
const example = /```json attester\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
/** The key whose address the documentation names. */
const KEY = `0x${'a7'.repeat(32)}`
const { network } = JSON.parse(example)
const changed = (part: object): string => JSON.stringify({ ...JSON.parse(example), ...part })
const [evm, paymentChain] = network.chains

test('parses the documented example and fills in the defaults', () => {
  const config = readAttesterConfig(example, KEY)
  assert.equal(config.privateKey, KEY)
  for (const [name, value] of Object.entries({ releaseGas: config.releaseGas, startAfter: '{}' })) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``))
    assert.equal(row?.split('|')[2]?.trim(), String(value))
  }
})

test('the key in the environment overrides the one in the file', () => {
  const text = changed({ privateKey: `0x${'6'.repeat(64)}` })
  assert.equal(readAttesterConfig(text, KEY).privateKey, KEY)
  assert.throws(() => readAttesterConfig(text, undefined), /is not the address of the key/)
})

test('names the problem without showing a key', () => {
  const rows: readonly (readonly [string, string | undefined, RegExp])[] = [
    ['{', KEY, /not JSON/],
    [`{"privateKey": ${'5'.repeat(64)}x`, KEY, /not JSON/],
    [example, undefined, /RFQ_ATTESTER_KEY/],
    [example, '5'.repeat(64), /no private key/],
    [example, `0x${'5'.repeat(64)}`, /is not the address of the key/],
    [changed({ privateKey: '5'.repeat(64) }), KEY, /privateKey/],
    [changed({ surprise: 1 }), KEY, /surprise/],
    [changed({ network: { ...network, intent: undefined } }), KEY, /intent\.attester: missing/],
    [changed({ network: { ...network, chains: [evm] } }), KEY, /another family/],
    [changed({ network: { ...network, chains: [paymentChain] } }), KEY, /on an EVM chain/],
    [
      changed({
        network: {
          ...network,
          chains: [evm, { ...paymentChain, rpcUrls: ['https://a.example', 'https://a.example'] }],
        },
      }),
      KEY,
      /stellar:pubnet has one RPC endpoint/,
    ],
  ]
  for (const [text, key, expected] of rows)
    assert.throws(
      () => readAttesterConfig(text, key),
      ({ message }: Error) =>
        expected.test(message) && !/5{32}|f{32}/.test(message) && !message.includes(KEY.slice(2)),
      String(expected),
    )
})

test('requires a place to listen', () => {
  assert.throws(() => readAttesterConfig(changed({ listen: undefined }), KEY), /listen/)
  const { listen } = readAttesterConfig(changed({ listen: { port: 8091 } }), KEY)
  assert.deepEqual(listen, { host: '127.0.0.1', port: 8091 })
})

test("rejects a key of zero, of the curve's order and above, without showing it", () => {
  for (const key of UNUSABLE_KEYS) {
    assert.throws(() => readAttesterConfig(example, key), refusal(/RFQ_ATTESTER_KEY.*secp256k1/, key))
    const text = changed({ privateKey: key })
    assert.throws(() => readAttesterConfig(text, undefined), refusal(/privateKey/, key))
  }
})
