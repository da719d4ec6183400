import type { ChainId } from '../../core/chain.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { SeenEvent } from './observe.ts'

/** What the watchers of both chains know of orders. */
export type OrderReader = {
  /** The events of an order on its two chains. Rejects when one of them cannot be read. */
  readonly factsOf: (order: {
    readonly orderId: OrderId
    readonly originChain: ChainId
    readonly destinationChain: ChainId
  }) => Promise<{
    readonly open?: SeenEvent | undefined
    readonly filled?: SeenEvent | undefined
    readonly released?: SeenEvent | undefined
    readonly refunded?: (SeenEvent & { readonly credited: boolean }) | undefined
    readonly declined?: SeenEvent | undefined
  }>
  /** The newest final block of a chain up to which all events are known, or undefined before the first. */
  readonly finalBlock: (chainId: ChainId) => { readonly timestampSeconds: number } | undefined
}
