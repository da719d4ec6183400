import { approvalActions, type EvmAction, evmAction } from '../../chains/evm/actions.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import type { BaseUnits } from '../../core/amount.ts'
import type { Order } from '../../core/order.ts'
import type { GatewayRoute } from './routes.ts'

/** Gas limit of `sendToken`: it uses about 60,000, more where the token is a proxy. */
const SEND_GAS_LIMIT = 110_000n

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
export const sendActions = ({ order, route, input, allowance, head }: SendPlan): readonly EvmAction[] => {
  const { chain, token, gateway } = route.from
  const approvals = approvalActions({
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
  const transfer = evmAction({
    id: 'transfer',
    label: `Send ${token.symbol} through the Axelar Gateway`,
    type: 'transaction',
    chain: chain.chainId,
    from: order.sender,
    to: gateway,
    data: route.calldata({ recipient: order.recipient, amount: input }),
    value: 0n,
    gasLimit: SEND_GAS_LIMIT,
    head,
  })
  return [...approvals, transfer]
}
