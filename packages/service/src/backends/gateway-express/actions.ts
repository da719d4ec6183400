import { approvalActions, type EvmAction, evmAction } from '../../chains/evm/actions.ts'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { baseUnits } from '../../core/amount.ts'
import type { Order } from '../../core/order.ts'
import { type ExpressOrder, sendData } from './express-contract.ts'
import type { ExpressRoute } from './routes.ts'

/** Gas limit of `send`: it uses 175,000, with a swap 260,000 to 280,000, more across two pools. */
const SEND_GAS_LIMIT = 260_000n
const SWAP_GAS_LIMIT = 520_000n

/** Input of the actions of a transfer; `gasPayment` in wei, on top of a native input. */
type SendPlan = {
  readonly order: Order
  readonly route: ExpressRoute
  readonly signed: ExpressOrder
  readonly gasPayment: bigint
  /** Undefined if it could not be read; then the approval is included. */
  readonly allowance: bigint | undefined
  readonly head: EvmHead
}

/** The approvals that the transfer needs (spender: the router), and the transfer itself. */
export const expressActions = (plan: SendPlan): readonly EvmAction[] => {
  const { order, route, signed, head } = plan
  const { chain, router } = route.from
  const isNative = route.input.address === EVM_NATIVE_TOKEN
  const approvals = isNative
    ? []
    : approvalActions({
        chain: chain.chainId,
        token: route.input.address,
        resetsAllowance: route.input.resetsAllowance,
        owner: order.sender,
        spender: router,
        amount: baseUnits(signed.inputAmount),
        mode: order.approvalMode,
        allowance: plan.allowance,
        head,
      })
  const transfer = evmAction({
    id: 'transfer',
    label: `Send ${route.input.symbol} through the express router`,
    type: 'transaction',
    chain: chain.chainId,
    from: order.sender,
    to: router,
    data: sendData(signed),
    value: plan.gasPayment + (isNative ? signed.inputAmount : 0n),
    gasLimit: signed.inputPath === '0x' ? SEND_GAS_LIMIT : SWAP_GAS_LIMIT,
    head,
  })
  return [...approvals, transfer]
}
