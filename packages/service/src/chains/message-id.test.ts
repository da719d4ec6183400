import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChainType } from '@openrfq/sdk'
import { addressRulesOf } from './address-rules-of.ts'
import { createCatalog } from './catalog.ts'
import { parseMessageId, parseMessageName } from './message-id.ts'
import { solanaAddressRules } from './solana/address.ts'

const HASH = `0x${'Ab'.repeat(32)}`
const LOWER = HASH.toLowerCase()
const SIGNATURE = '5'.repeat(88)
const RULES = addressRulesOf([])

test('reads an EVM message id in any case of its hash', () => {
  assert.deepEqual(parseMessageId(`${HASH}-3`), { txHash: LOWER, logPosition: 3 })
  assert.deepEqual(parseMessageId(`${HASH.toUpperCase()}-0`), { txHash: LOWER, logPosition: 0 })
})

test('rejects every other form', () => {
  for (const suffix of ['-', '-01', '--1', '-1-1', '1-1', '-x', '-9999999999'])
    for (const type of ['evm', 'stellar'] as const)
      assert.equal(RULES[type].parseMessageId(HASH + suffix), undefined, type + suffix)
  assert.equal(RULES.stellar.parseMessageId(HASH), undefined)
  for (const suffix of ['-1', '-0.1', '-1.0', '-1.1.1', '-01.1'])
    assert.equal(solanaAddressRules.parseMessageId(SIGNATURE + suffix), undefined, suffix)
})

test('an EVM transaction names its message without an index', () => {
  assert.equal(RULES.evm.parseMessageId(HASH), LOWER)
  assert.deepEqual(parseMessageName(HASH), { txHash: LOWER, index: undefined })
  assert.deepEqual(parseMessageName(`${HASH}-3`), { txHash: LOWER, index: 3 })
  assert.equal(parseMessageId(HASH), undefined)
})

test('a Solana transaction names its message without an index', () => {
  assert.equal(RULES.solana.parseMessageId(SIGNATURE), SIGNATURE)
})

test('a text of base58 that is longer or shorter than a Solana signature names no message', () => {
  for (const text of ['z'.repeat(88), '5'.repeat(64), '1'.repeat(88)])
    for (const suffix of ['', '-1.2'])
      assert.equal(solanaAddressRules.parseMessageId(text + suffix), undefined, text + suffix)
  assert.equal(solanaAddressRules.parseMessageId('1'.repeat(64)), '1'.repeat(64))
})

test('each family has one canonical form and rejects that of the others', () => {
  const cases: readonly (readonly [ChainType, string, string | undefined])[] = [
    ['evm', `${HASH}-1`, `${LOWER}-1`],
    ['evm', `${HASH.toUpperCase()}-1`, `${LOWER}-1`],
    ['evm', `${SIGNATURE}-2.1`, undefined],
    ['stellar', `${HASH}-1`, `${LOWER}-1`],
    ['solana', `${SIGNATURE}-2.1`, `${SIGNATURE}-2.1`],
    ['solana', `${HASH}-1`, undefined],
  ]
  for (const [type, text, canonical] of cases)
    assert.equal(RULES[type].parseMessageId(text), canonical, `${type} ${text}`)
})

test("the catalogue checks a message id by its chain's family, or by any family without a chain", () => {
  const { parseMessageId } = createCatalog({ name: 'empty', chains: [], tokens: [] })
  assert.equal(parseMessageId(`${SIGNATURE}-2.1`, 'eip155:1'), undefined)
  assert.equal(parseMessageId(`${HASH}-1`, 'eip155:1'), `${LOWER}-1`)
  assert.equal(parseMessageId(`${HASH}-1`, 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'), undefined)
  for (const chain of [undefined, 'cosmos:hub']) {
    assert.equal(parseMessageId(`${HASH}-1`, chain), `${LOWER}-1`)
    assert.equal(parseMessageId(`${SIGNATURE}-2.1`, chain), `${SIGNATURE}-2.1`)
    assert.equal(parseMessageId('neither', chain), undefined)
  }
})
