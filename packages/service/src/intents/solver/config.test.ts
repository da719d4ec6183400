import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sandboxKey } from '@openrfq/sandbox/src/stellar/keys.ts'
import { privateKeyToAccount } from 'viem/accounts'
import { refusal, UNUSABLE_KEYS } from '../../../test/unusable-keys.ts'
import { readSolverConfig } from './config.ts'

const page = readFileSync(new URL('../../../../../docs/running-a-solver.md', import.meta.url), 'utf8')
const example = /```json solver\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
const KEY = `0x${'5'.repeat(64)}`
const changed = (part: object): string => JSON.stringify({ ...JSON.parse(example), ...part })

test('parses the documented example and fills in the defaults', () => {
  const { privateKey, strategy, settlement } = readSolverConfig(example, { evm: KEY })
  assert.equal(privateKey, KEY)
  assert.equal(strategy.sizeSpreadBps, 50)
  assert.equal(settlement.batchSize, 100)
})

test('every setting of strategy and settlement is documented with its default', () => {
  const { strategy, settlement } = readSolverConfig(changed({ strategy: {}, settlement: {} }), { evm: KEY })
  for (const [name, value] of Object.entries({ ...strategy, ...settlement })) {
    const row = page.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${name}\``))
    assert.ok(row !== undefined, name)
    if (!Array.isArray(value)) assert.ok(row.split('|')[2]?.includes(String(value)), `${name}: ${value}`)
  }
})

test('the key in the environment overrides the one in the file', () => {
  const text = changed({ privateKey: `0x${'6'.repeat(64)}` })
  assert.equal(readSolverConfig(text, { evm: KEY }).privateKey, KEY)
  assert.equal(readSolverConfig(text, {}).privateKey, `0x${'6'.repeat(64)}`)
})

test('names the problem without showing a key', () => {
  for (const [text, key, expected] of [
    ['{', KEY, /not JSON/],
    [example, undefined, /RFQ_SOLVER_KEY/],
    [example, 'hunter2', /no private key/],
    [changed({ serviceUrl: 'https://quotes.example' }), KEY, /serviceUrl/],
    [changed({ strategy: { spreadBps: 1_001 } }), KEY, /spreadBps/],
    [changed({ strategy: { spread: 1 } }), KEY, /spread/],
    [changed({ privateKey: 'hunter2' }), KEY, /privateKey/],
  ] as const)
    assert.throws(
      () => readSolverConfig(text, { evm: key }),
      (error: Error) => expected.test(error.message) && !error.message.includes('hunter2'),
    )
})

test('accepts only the accounts of other families that the network names for the solver', () => {
  const { address, privateKey } = sandboxKey('solver 0')
  const evm = privateKeyToAccount(`0x${'5'.repeat(64)}`).address
  const withAccount = (stellar: string): string => {
    const { network } = JSON.parse(example)
    const solvers = [{ name: 'alpha', address: evm.toLowerCase(), accounts: { stellar } }]
    return changed({ network: { ...network, intent: { solvers } }, accounts: {} })
  }
  const secrets = { evm: KEY, stellar: privateKey }
  assert.deepEqual(readSolverConfig(withAccount(address), { evm: KEY }).accounts, {})
  assert.deepEqual(readSolverConfig(withAccount(address), secrets).accounts, {
    stellar: { address, secret: privateKey },
  })
  const other = sandboxKey('solver 1').address
  for (const [text, wrong, expected] of [
    [withAccount(other), secrets, /signs for/],
    [example, secrets, /names none/],
    [withAccount(address), { ...secrets, stellar: `${privateKey.slice(0, -1)}0` }, /no secret/],
    [withAccount(address), { ...secrets, solana: privateKey }, /accounts.solana/],
  ] as const)
    assert.throws(
      () => readSolverConfig(text, wrong),
      (error: Error) => expected.test(error.message) && !error.message.includes(privateKey.slice(0, 20)),
    )
})

test("rejects a key of zero, of the curve's order and above, without showing it", () => {
  for (const key of UNUSABLE_KEYS) {
    assert.throws(() => readSolverConfig(example, { evm: key }), refusal(/RFQ_SOLVER_KEY.*secp256k1/, key))
    const text = changed({ privateKey: key })
    assert.throws(() => readSolverConfig(text, {}), refusal(/privateKey/, key))
  }
})

test('shows no key of a configuration that is not JSON, in neither message nor cause', () => {
  const text = `{"privateKey": ${KEY}}`
  assert.throws(() => readSolverConfig(text, {}), refusal(/not JSON/, KEY))
})
