import type { ChainId } from '@openrfq/sdk'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { createLru } from '../../lib/lru.ts'
import type { OrderEventIndex } from './order-event-index.ts'
import { readStatus, settlerKindOf, statusCall } from './order-status.ts'

/** Evidence that an order was not filled on an EVM chain. */
export type FillEvidence = {
  /**
   * Whether the order was not filled and never will be: a quorum of endpoints, whose chains contain a final block past
   * the fill deadline, returns the settler's status without a fill. A missing log proves nothing. Rejects without a
   * quorum.
   */
  readonly isUnfilled: (orderId: OrderId, order: FillableOrder) => Promise<boolean>
}

type FillableOrder = Pick<
  IntentOrder,
  'destinationChain' | 'destinationSettler' | 'fillDeadline' | 'attester'
>

type Deps = {
  readonly evmChains: ReadonlyMap<ChainId, Pick<EvmChain, 'callAgreed'>>
  readonly orders: Pick<OrderEventIndex, 'finalBlock'>
}

const REMEMBERED = 20_000

/** Creates the evidence; a positive result is cached, because it cannot change. */
export const createFillEvidence = ({ evmChains, orders }: Deps): FillEvidence => {
  const unfilled = createLru<OrderId, true>(REMEMBERED)
  return {
    isUnfilled: async (orderId, order) => {
      const { destinationChain, destinationSettler, fillDeadline } = order
      if (unfilled.get(orderId) === true) return true
      const final = orders.finalBlock(destinationChain)
      const chain = evmChains.get(destinationChain)
      if (chain === undefined || final === undefined || final.timestampSeconds <= fillDeadline) return false
      const kind = settlerKindOf(order)
      const call = statusCall({ settler: destinationSettler }, orderId)
      const [result] = await chain.callAgreed([call], { after: final })
      if (readStatus(kind, result) !== 'none') return false
      unfilled.set(orderId, true)
      return true
    },
  }
}
