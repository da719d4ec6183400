import { approvalActions, type EvmAction, evmAction } from '../../chains/evm/actions.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import type { BaseUnits } from '../../core/amount.ts'
import type { Order } from '../../core/order.ts'
import type { TokenManagerType } from '../../protocols/axelar/its-contract.ts'
import { type ItsRoute, recipientBytes } from './routes.ts'

/** Gas limit of `interchainTransfer`: it uses 125,000 to 150,000. */
const TRANSFER_GAS_LIMIT = 200_000n

const NEEDS_APPROVAL = {
  NATIVE_INTERCHAIN_TOKEN: false,
  MINT_BURN_FROM: true,
  LOCK_UNLOCK: true,
  LOCK_UNLOCK_FEE: true,
  MINT_BURN: false,
} as const satisfies Record<TokenManagerType, boolean>

/** Whether ITS pulls tokens of this manager type by allowance. Source: TokenHandler.sol. */
export const needsApproval = (type: TokenManagerType): boolean => NEEDS_APPROVAL[type]

/** Input of the actions of a transfer: base units of the token, and wei sent for relaying. */
export type TransferPlan = {
  readonly order: Order
  readonly route: ItsRoute
  readonly managerType: TokenManagerType
  readonly input: BaseUnits
  readonly gasValue: BaseUnits
  /** Undefined if it could not be read; then the approval is included. */
  readonly allowance: bigint | undefined
  readonly head: EvmHead
}

/** The approvals that the transfer needs, and the transfer itself. */
export const transferActions = (plan: TransferPlan): readonly EvmAction[] => {
  const { order, route, input, gasValue, head } = plan
  const { chain, token, its } = route.from
  const approvals = needsApproval(plan.managerType)
    ? approvalActions({
        chain: chain.chainId,
        token: token.address,
        resetsAllowance: token.resetsAllowance,
        owner: order.sender,
        spender: its,
        amount: input,
        mode: order.approvalMode,
        allowance: plan.allowance,
        head,
      })
    : []
  const transfer = evmAction({
    id: 'transfer',
    label: `Send ${token.symbol} through the Interchain Token Service`,
    type: 'transaction',
    chain: chain.chainId,
    from: order.sender,
    to: its,
    data: route.calldata({
      recipient: recipientBytes(route.to, order.recipient),
      amount: input,
      gasValue,
    }),
    value: gasValue,
    gasLimit: TRANSFER_GAS_LIMIT,
    head,
  })
  return [...approvals, transfer]
}
