import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Action } from '@openrfq/sdk'
import fc from 'fast-check'
import { bytesToHex, encodeFunctionData, erc20Abi, getAddress, maxUint256 } from 'viem'
import { baseUnits } from '../../core/amount.ts'
import { type ApprovalNeed, approvalSteps, type EvmStep, evmAction } from './actions.ts'
import type { EvmHead } from './evm-chain.ts'
import { feesFromBase, feesFromGasPrice, gasFee } from './gas.ts'

const head: EvmHead = {
  number: 7n,
  hash: `0x${'ab'.repeat(32)}`,
  timestampSeconds: 1_700_000_000,
  finalNumber: 1n,
  ...feesFromBase(1_000_000_001n, 1_500_000_000n),
  readAt: 0,
}

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => getAddress(bytesToHex(bytes)))
const amount = fc.bigInt({ min: 1n, max: maxUint256 }).map(baseUnits)
const need: fc.Arbitrary<ApprovalNeed> = fc.record({
  chain: fc.constant('eip155:31337'),
  token: address,
  resetsAllowance: fc.boolean(),
  owner: address,
  spender: address,
  amount,
  mode: fc.constantFrom('EXACT', 'MAX'),
  allowance: fc.option(fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: maxUint256 })), {
    nil: undefined,
  }),
  head: fc.constant(head),
})

const approveData = (spender: string, value: bigint): string =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [getAddress(spender), value] })

test('no approval when the allowance suffices, in either mode', () => {
  fc.assert(
    fc.property(need, amount, (wanted, more) => {
      const allowance = wanted.amount + more
      assert.deepEqual(approvalSteps({ ...wanted, allowance }), [])
      assert.deepEqual(approvalSteps({ ...wanted, allowance: wanted.amount }), [])
    }),
  )
})

test('on a chain that counts gas otherwise fees.gas is scaled, and the wallet finds the limit', () => {
  const plain: ApprovalNeed = {
    ...{
      chain: 'eip155:314',
      token: `0x${'1'.repeat(40)}`,
      owner: `0x${'2'.repeat(40)}`,
      spender: `0x${'3'.repeat(40)}`,
    },
    ...{ resetsAllowance: true, amount: baseUnits(5n), mode: 'EXACT', allowance: undefined, head },
  }
  const of = (one: EvmHead) => approvalSteps({ ...plain, head: one })
  const scaled = of({ ...head, gasScale: 444n })
  const chain = {
    chainId: 'eip155:314',
    chainLabel: 'Filecoin',
    chainType: 'evm',
    nativeToken: { symbol: 'FIL', decimals: 18 },
  } as const
  assert.equal(gasFee(chain, scaled).amount, gasFee(chain, of(head)).amount * 444n)
  for (const action of scaled.map(evmAction)) {
    assert.equal('gasLimit' in action.payload, false)
    assert.deepEqual(Action.parse(action), action)
  }
})

test('EXACT approves exactly input.amount and MAX approves 2^256 - 1, encoded as viem does', () => {
  fc.assert(
    fc.property(need, (wanted) => {
      const actions = approvalSteps(wanted).map(evmAction)
      const approve = actions.at(-1)
      if (approve === undefined) return
      assert.equal(approve.id, 'approve')
      assert.equal(approve.label, 'Approve token')
      assert.equal(approve.type, 'approval')
      assert.deepEqual(Action.parse(approve), approve)
      assert.deepEqual(approve.payload, {
        type: 'evm_transaction',
        from: wanted.owner,
        to: wanted.token,
        data: approveData(wanted.spender, wanted.mode === 'MAX' ? maxUint256 : wanted.amount),
        value: '0',
        gasLimit: '60000',
        maxFeePerGas: '3500000002',
        maxPriorityFeePerGas: '1500000000',
      })
    }),
  )
})

test('resets the allowance of a token that does not replace one, unless it is zero', () => {
  fc.assert(
    fc.property(need, (wanted) => {
      const isShort = wanted.allowance === undefined || wanted.allowance < wanted.amount
      const needsReset = wanted.resetsAllowance && isShort && wanted.allowance !== 0n
      const actions = approvalSteps(wanted).map(evmAction)
      const ids = [...(needsReset ? ['approve_reset'] : []), ...(isShort ? ['approve'] : [])]
      assert.deepEqual(
        actions.map(({ id }) => id),
        ids,
      )
      if (!needsReset) return
      assert.equal(actions[0]?.label, 'Reset allowance')
      assert.equal(actions[0]?.payload.data, approveData(wanted.spender, 0n))
    }),
  )
})

const chain = {
  chainId: 'eip155:31337',
  chainLabel: 'Here',
  chainType: 'evm' as const,
  nativeToken: { symbol: 'ETH', decimals: 18 },
}

const step = (usual: bigint, fees: Pick<EvmHead, 'maxFeePerGas' | 'maxPriorityFeePerGas'>): EvmStep => ({
  id: 'transfer',
  label: 'Transfer',
  type: 'transaction',
  chain: chain.chainId,
  from: `0x${'1'.repeat(40)}`,
  to: `0x${'2'.repeat(40)}`,
  data: '0x',
  value: 5n,
  gas: { usual, limit: usual * 2n },
  head: { ...head, ...fees },
})

test('the gas fee is the usual gas of all actions at the expected price: base fee plus tip', () => {
  const gas = fc.bigInt({ min: 21_000n, max: 30_000_000n })
  const price = fc.bigInt({ min: 0n, max: 10n ** 13n })
  fc.assert(
    fc.property(fc.array(gas, { maxLength: 4 }), price, price, (uses, base, tip) => {
      const steps = uses.map((usual) => step(usual, feesFromBase(base, tip)))
      const total = uses.reduce((sum, usual) => sum + usual, 0n)
      assert.deepEqual(gasFee(chain, steps), {
        amount: total * (base + tip),
        token: { chain: 'eip155:31337', symbol: 'ETH', type: 'native' },
        decimals: 18,
        asset: { chainId: 'eip155:31337', address: `0x${'0'.repeat(40)}` },
        paymentMethod: 'wallet_native',
        quoteTreatment: 'outside_quote',
      })
    }),
  )
})

test('gas on a chain without a base fee is paid at its gas price', () => {
  assert.equal(gasFee(chain, [step(21_000n, feesFromGasPrice(3n))]).amount, 63_000n)
})
