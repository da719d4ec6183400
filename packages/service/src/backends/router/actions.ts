import { approvalSteps, type EvmStep, type GasUse } from '../../chains/evm/actions.ts'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { baseUnits } from '../../core/amount.ts'
import type { Order } from '../../core/order.ts'
import { type ExpressOrder, poolsOf, sendData } from './express-contract.ts'
import type { ExpressRoute } from './routes.ts'

/** What `send` uses without a swap, and with one through some pools. */
const SEND_GAS: GasUse = { usual: 162_000n, limit: 260_000n }
const swapGas = (pools: number): GasUse => ({ usual: 165_000n + 80_000n * BigInt(pools), limit: 520_000n })

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
export const expressSteps = (plan: SendPlan): readonly EvmStep[] => {
  const { order, route, signed, head } = plan
  const { chain, router } = route.from
  const isNative = route.input.address === EVM_NATIVE_TOKEN
  const approvals = isNative
    ? []
    : approvalSteps({
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
  const transfer: EvmStep = {
    id: 'transfer',
    label: `Send ${route.input.symbol} through the express router`,
    type: 'transaction',
    chain: chain.chainId,
    from: order.sender,
    to: router,
    data: sendData(signed),
    value: plan.gasPayment + (isNative ? signed.inputAmount : 0n),
    gas: signed.inputPath === '0x' ? SEND_GAS : swapGas(poolsOf(signed.inputPath)),
    head,
  }
  return [...approvals, transfer]
}
