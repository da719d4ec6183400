import type { ApprovalMode } from '@openrfq/sdk'
import { approvalActions, type EvmAction, evmAction } from '../../chains/evm/actions.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import { openCall } from '../../intents/settlers/settler-contract.ts'
import type { EvmSide } from './routes.ts'

/** Gas limit of `open`: it uses about 75,000 for native value, 105,000 to 125,000 for tokens. */
const OPEN_NATIVE_GAS_LIMIT = 120_000n
const OPEN_TOKEN_GAS_LIMIT = 180_000n

/** Input of the actions of an intent. */
export type EscrowPlan = {
  readonly order: IntentOrder
  readonly from: EvmSide
  readonly approvalMode: ApprovalMode
  /** Undefined if it could not be read; then the approval is included. */
  readonly allowance: bigint | undefined
  readonly head: EvmHead
}

/** The approvals that the deposit needs, and the deposit. */
export const depositActions = ({
  order,
  from,
  approvalMode,
  allowance,
  head,
}: EscrowPlan): readonly EvmAction[] => {
  const { chain, token, settler, isNative } = from
  const approvals = isNative
    ? []
    : approvalActions({
        chain: chain.chainId,
        token: token.address,
        resetsAllowance: token.resetsAllowance,
        owner: order.depositor,
        spender: settler,
        amount: order.inputAmount,
        mode: approvalMode,
        allowance,
        head,
      })
  const transfer = evmAction({
    id: 'transfer',
    label: `Deposit ${token.symbol} for the solver`,
    type: 'transaction',
    chain: chain.chainId,
    from: order.depositor,
    to: settler,
    ...openCall(order),
    gasLimit: isNative ? OPEN_NATIVE_GAS_LIMIT : OPEN_TOKEN_GAS_LIMIT,
    head,
  })
  return [...approvals, transfer]
}
