import { type ChainId, chainTypeOf } from '@openrfq/sdk'
import type { EvmChain, EvmResult } from '../../chains/evm/evm-chain.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { ConfigError } from '../../core/config-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import type { Fact } from '../../transactions/fact-check.ts'
import type { OrderEventIndex } from '../settlers/order-event-index.ts'
import { type OrderStatus, readStatus, settlerKindOf, statusCall } from '../settlers/order-status.ts'
import { createPaidFact } from '../settlers/paid-fact.ts'
import { isFillOf, payeeOf } from './fill-facts.ts'

/** The facts about orders on which payments of ours rest. */
export type OrderFacts = {
  /** That a final payment on a payment chain was made as known. */
  readonly paid: (payment: Payment) => Fact
  /** That the order is filled, on an EVM chain. */
  readonly filledAtSettler: (orderId: OrderId, order: IntentOrder) => Fact
  /** That the order, which was quoted at `quotedAt`, was not filled in time. */
  readonly unfilled: (orderId: OrderId, order: IntentOrder, quotedAt: Instant) => Fact
}

type Deps = {
  readonly evmChains: ReadonlyMap<ChainId, Pick<EvmChain, 'callStatements'>>
  readonly paymentChains: ReadonlyMap<ChainId, Pick<PaymentChain, 'paymentStatements' | 'absenceStatements'>>
  readonly orders: Pick<OrderEventIndex, 'finalBlock'>
  readonly now: () => Instant
}

const chainAt = <Chain>(chains: ReadonlyMap<ChainId, Chain>, chainId: ChainId): Chain => {
  const chain = chains.get(chainId)
  if (chain === undefined) throw new ConfigError(`chain ${chainId} is not configured`)
  return chain
}

/** Creates facts that every endpoint of their chain can be asked about. */
export const createOrderFacts = ({ evmChains, paymentChains, orders, now }: Deps): OrderFacts => {
  const nowSeconds = (): number => Math.floor(now() / 1000)

  /** Endpoints that have not reached the newest final block known here say nothing. */
  const hasStatus = (
    orderId: OrderId,
    order: IntentOrder,
    { wanted, text }: { readonly wanted: OrderStatus; readonly text: string },
  ): Fact => {
    const { destinationChain: chainId } = order
    const { callStatements } = chainAt(evmChains, chainId)
    const kind = settlerKindOf(order)
    const call = statusCall({ settler: order.destinationSettler }, orderId)
    const asked = {
      about: text,
      call,
      confirms: (result: EvmResult): boolean => readStatus(kind, result) === wanted,
    }
    return {
      chainId,
      text,
      ask: () => {
        const after = orders.finalBlock(chainId)
        return callStatements(after === undefined ? asked : { ...asked, after })
      },
    }
  }

  return {
    paid: createPaidFact(paymentChains),
    filledAtSettler: (orderId, order) =>
      hasStatus(orderId, order, { wanted: 'filled', text: `order ${orderId} was filled` }),
    unfilled: (orderId, order, quotedAt) => {
      const { destinationChain: chainId, fillDeadline: untilSeconds } = order
      const text = `order ${orderId} was not filled`
      if (chainTypeOf(chainId) === 'evm') return hasStatus(orderId, order, { wanted: 'none', text })
      const { absenceStatements } = chainAt(paymentChains, chainId)
      const sought = {
        about: text,
        from: order.filler,
        to: { account: payeeOf(order.recipient).account, token: order.outputToken },
        memo: orderId,
        sinceSeconds: Math.floor(quotedAt / 1000),
        untilSeconds,
        isSought: (payment: Payment) => isFillOf(orderId, order, payment),
      }
      return { chainId, text, ask: () => absenceStatements({ ...sought, nowSeconds: nowSeconds() }) }
    },
  }
}
