import { approvalSteps, type EvmStep, type GasUse } from '../../chains/evm/actions.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import type { BaseUnits } from '../../core/amount.ts'
import type { Order } from '../../core/order.ts'
import { sentValueOf } from '../../core/value-scale.ts'
import type { TokenManagerType } from '../../protocols/axelar/its-contract.ts'
import { type ItsRoute, recipientBytes } from './routes.ts'

/** What `interchainTransfer` usually uses: for a token that it burns, for one that it pulls, and more to count a flow. */
const BURN_GAS = 126_000n
const PULL_GAS = 120_000n
const FLOW_GAS = 25_000n
const GAS_LIMIT = 200_000n

const gasOf = ({ managerType, hasFlowLimit }: TransferPlan): GasUse => ({
  usual: (needsApproval(managerType) ? PULL_GAS : BURN_GAS) + (hasFlowLimit ? FLOW_GAS : 0n),
  limit: GAS_LIMIT,
})

const NEEDS_APPROVAL = {
  NATIVE_INTERCHAIN_TOKEN: false,
  MINT_BURN_FROM: true,
  LOCK_UNLOCK: true,
  LOCK_UNLOCK_FEE: true,
  MINT_BURN: false,
} as const satisfies Record<TokenManagerType, boolean>

/** Whether ITS pulls tokens of this manager type by allowance. Source: TokenHandler.sol. */
export const needsApproval = (type: TokenManagerType): boolean => NEEDS_APPROVAL[type]

/** Input of the actions of a transfer: base units of the token, and of the native asset sent for relaying. */
export type TransferPlan = {
  readonly order: Order
  readonly route: ItsRoute
  readonly managerType: TokenManagerType
  /** Whether the source's token manager counts what it sends. */
  readonly hasFlowLimit: boolean
  readonly input: BaseUnits
  readonly gasValue: BaseUnits
  /** Undefined if it could not be read; then the approval is included. */
  readonly allowance: bigint | undefined
  readonly head: EvmHead
}

/** The approvals that the transfer needs, and the transfer itself. */
export const transferSteps = (plan: TransferPlan): readonly EvmStep[] => {
  const { order, route, input, gasValue, head } = plan
  const { chain, token, erc20, its } = route.from
  const approvals = needsApproval(plan.managerType)
    ? approvalSteps({
        chain: chain.chainId,
        token: erc20,
        resetsAllowance: token.resetsAllowance,
        owner: order.sender,
        spender: its,
        amount: input,
        // No allowance of the Hedera Token Service exceeds a supply of 63 bits: an unlimited one is refused there.
        mode: chain.tokenStandard === 'hts' ? 'EXACT' : order.approvalMode,
        allowance: plan.allowance,
        head,
      })
    : []
  const transfer: EvmStep = {
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
    value: sentValueOf(chain, gasValue),
    gas: gasOf(plan),
    head,
  }
  return [...approvals, transfer]
}
