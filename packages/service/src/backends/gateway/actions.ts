import { approvalSteps, type EvmStep, type GasUse } from '../../chains/evm/actions.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import type { BaseUnits } from '../../core/amount.ts'
import type { Order } from '../../core/order.ts'
import type { GatewayRoute } from './routes.ts'

/** What `sendToken` uses; more where the token is a proxy. */
const SEND_GAS: GasUse = { usual: 60_000n, limit: 110_000n }

/** Input of the actions of a transfer; `input` in base units of the source token. */
export type SendPlan = {
  readonly order: Order
  readonly route: GatewayRoute
  readonly input: BaseUnits
  /** Undefined if it could not be read; then the approval is included. */
  readonly allowance: bigint | undefined
  readonly head: EvmHead
}

/** The approvals that the transfer needs (the gateway pulls every token by allowance), and the transfer itself. */
export const sendSteps = ({ order, route, input, allowance, head }: SendPlan): readonly EvmStep[] => {
  const { chain, token, gateway } = route.from
  const approvals = approvalSteps({
    chain: chain.chainId,
    token: token.address,
    resetsAllowance: token.resetsAllowance,
    owner: order.sender,
    spender: gateway,
    amount: input,
    mode: order.approvalMode,
    allowance,
    head,
  })
  const transfer: EvmStep = {
    id: 'transfer',
    label: `Send ${token.symbol} through the Axelar Gateway`,
    type: 'transaction',
    chain: chain.chainId,
    from: order.sender,
    to: gateway,
    data: route.calldata({ recipient: order.recipient, amount: input }),
    value: 0n,
    gas: SEND_GAS,
    head,
  }
  return [...approvals, transfer]
}
