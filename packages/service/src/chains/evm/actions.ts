import type { Action, ApprovalMode, ChainId, EvmTransaction } from '@openrfq/sdk'
import { type BaseUnits, MAX_BASE_UNITS } from '../../core/amount.ts'
import { approveData } from './erc20.ts'
import type { EvmHead } from './evm-chain.ts'
import { l1Gas } from './l1-fee.ts'

/** What a call uses in units of gas, without that of its data on a rollup: usually, and at most. */
export type GasUse = { readonly usual: bigint; readonly limit: bigint }

const APPROVAL_GAS: GasUse = { usual: 46_500n, limit: 60_000n }

/** An action that is an EVM transaction. */
export type EvmAction = Action & { readonly payload: EvmTransaction }

/** One transaction to sign: calldata as `0x` hex, `value` in wei. */
export type EvmStep = {
  readonly id: string
  readonly label: string
  readonly type: 'approval' | 'transaction'
  readonly chain: ChainId
  readonly from: string
  readonly to: string
  readonly data: string
  readonly value: bigint
  readonly gas: GasUse
  readonly head: EvmHead
}

/**
 * The gas limit of a step; none on a chain that counts gas otherwise, where one that is too low fails, and the sender pays for one
 * that is too high: the wallet estimates it. Source: docs.filecoin.io, "How gas works".
 */
const gasLimitOf = ({ gas, head, data }: EvmStep): { readonly gasLimit?: string } =>
  head.gasScale === undefined ? { gasLimit: (gas.limit + l1Gas(head.l1Cost, data)).toString() } : {}

/** The wire form of a step, with the gas fees the head suggests. Source: interface "evm_transaction". */
export const evmAction = (step: EvmStep): EvmAction => ({
  id: step.id,
  label: step.label,
  type: step.type,
  chain: step.chain,
  payload: {
    type: 'evm_transaction',
    from: step.from,
    to: step.to,
    data: step.data,
    value: step.value.toString(),
    ...gasLimitOf(step),
    maxFeePerGas: step.head.maxFeePerGas.toString(),
    maxPriorityFeePerGas: step.head.maxPriorityFeePerGas.toString(),
  },
})

/**
 * The required allowance: `spender` pulls `amount` base units of `token` from `owner`; `allowance` undefined if unread.
 */
export type ApprovalNeed = {
  readonly chain: ChainId
  readonly token: string
  readonly resetsAllowance: boolean
  readonly owner: string
  readonly spender: string
  readonly amount: BaseUnits
  readonly mode: ApprovalMode
  readonly allowance: bigint | undefined
  readonly head: EvmHead
}

const approval = (need: ApprovalNeed, id: string, label: string, amount: bigint): EvmStep => ({
  id,
  label,
  type: 'approval',
  chain: need.chain,
  from: need.owner,
  to: need.token,
  data: approveData(need.spender, amount),
  value: 0n,
  gas: APPROVAL_GAS,
  head: need.head,
})

/**
 * The approvals that a transfer needs, in order: none if the allowance suffices, else `approve` for exactly the amount
 * (MAX: for 2^256 - 1), after `approve_reset` to 0 if the token refuses to replace a non-zero allowance. An unread
 * allowance is assumed to be insufficient and non-zero. Source: interface "approvalMode", EIP-20.
 */
export const approvalSteps = (need: ApprovalNeed): readonly EvmStep[] => {
  if (need.allowance !== undefined && need.allowance >= need.amount) return []
  const wanted = need.mode === 'MAX' ? MAX_BASE_UNITS : need.amount
  const approve = approval(need, 'approve', 'Approve token', wanted)
  if (!need.resetsAllowance || need.allowance === 0n) return [approve]
  return [approval(need, 'approve_reset', 'Reset allowance', 0n), approve]
}
