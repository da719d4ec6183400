import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Action } from '@openrfq/sdk'
import { checkNoDearer, costText } from './recovery-cost.ts'

const paying = (value: string, chain = 'eip155:1'): { readonly actions: Action[] } => ({
  actions: [
    {
      id: 'add_gas',
      label: 'Pay for the relay',
      type: 'transaction',
      chain,
      payload: { type: 'evm_transaction', from: '0xa', to: '0xb', data: '0x', value },
    },
  ],
})

test('the cost of a recovery is told in the native token of its chain, and nothing where it pays nothing', () => {
  const chain = { nativeToken: { symbol: 'ETH\u202e', decimals: 18 } }
  assert.equal(costText({ value: '12000000000000000' }, chain), '0.012 ETH')
  assert.equal(costText({ value: '7' }, undefined), '7 base units')
  assert.equal(costText({}, chain), undefined)
})

test('on Hedera what is shown is tinybar, and what is signed weibar', () => {
  checkNoDearer(paying('1100000000000', 'eip155:295'), { value: '100' })
  assert.throws(() => checkNoDearer(paying('1100000000001', 'eip155:295'), { value: '100' }), /costs more/)
})

test('nothing is signed that pays more than a tenth above what was shown', () => {
  checkNoDearer(paying('110'), { value: '100' })
  checkNoDearer(paying('0'), {})
  assert.throws(() => checkNoDearer(paying('111'), { value: '100' }), /costs more/)
  assert.throws(() => checkNoDearer(paying('1'), {}), /costs more/)
})
