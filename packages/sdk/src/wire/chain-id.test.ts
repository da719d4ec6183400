import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChainType } from './chain.ts'
import { chainTypeOf, evmChainIdOf, evmChainNumberOf, isChainIdOf, solanaChainIdOf } from './chain-id.ts'

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

test('chainTypeOf returns the family of the namespace, and isChainIdOf accepts no other family', () => {
  for (const [chainId, family] of [
    ['eip155:1', 'evm'],
    [SOLANA, 'solana'],
    ['stellar:pubnet', 'stellar'],
  ] as const) {
    assert.equal(chainTypeOf(chainId), family)
    for (const other of ChainType.options) assert.equal(isChainIdOf(other, chainId), other === family)
  }
  for (const text of ['', ':', 'eip155', 'cosmos:hub', ':1', 'EIP155:1', 'constructor:1', '__proto__:1'])
    assert.equal(chainTypeOf(text), undefined, text)
})

test('a reference must have the form of its namespace', () => {
  for (const text of [
    'eip155:',
    'eip155:0',
    'eip155:01',
    'eip155:1a',
    'eip155:-1',
    'eip155:1\n',
    'eip155:1:1',
  ])
    assert.ok(!isChainIdOf('evm', text), text)
  for (const text of ['solana:', SOLANA.slice(0, -1), `${SOLANA}N`, SOLANA.replace('5', '0')])
    assert.ok(!isChainIdOf('solana', text), text)
  for (const text of ['stellar:', 'stellar:PUBNET', 'stellar:a b', 'stellar:pubnet\n'])
    assert.ok(!isChainIdOf('stellar', text), text)
})

test('the number of an EVM chain is the reference of its identifier', () => {
  for (const number of [1n, 43_114n, 10n ** 31n]) assert.equal(evmChainNumberOf(evmChainIdOf(number)), number)
  for (const text of ['eip155:0', 'eip155:x', SOLANA, 'stellar:pubnet', '1'])
    assert.throws(() => evmChainNumberOf(text), RangeError, text)
})

test('a Solana chain is identified by the first 32 characters of its genesis hash', () => {
  assert.equal(solanaChainIdOf('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'), SOLANA)
})
