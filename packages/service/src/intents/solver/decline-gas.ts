import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import { refundGas } from '../settlers/refund-trial.ts'

/** The gas limit of an order's decline on its origin; undefined while it would revert, or that cannot be read. */
export type DeclineGas = (
  evm: Pick<EvmChain, 'callAgreed' | 'hasCode'> | undefined,
  orderId: OrderId,
  order: IntentOrder,
) => Promise<bigint | undefined>

type Deps = { readonly account: string; readonly steady: () => Instant; readonly log: Log }

const REMEMBERED = 20_000
/** Until a decline that would revert is tried again. */
const PAUSE_MS = 10_000

/** Tries declines: a depositor with code can refuse its refund, and burn the gas of the transaction. */
export const createDeclineGas = ({ account, steady, log }: Deps): DeclineGas => {
  const refused = createLru<OrderId, Instant>(REMEMBERED)
  return async (evm, orderId, order) => {
    if (evm === undefined) return undefined
    if (steady() - (refused.get(orderId) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return undefined
    try {
      const gas = await refundGas(evm, order, account)
      if (gas === undefined) refused.set(orderId, steady())
      return gas
    } catch (error) {
      log('warn', 'order_read_failed', { chainId: order.originChain, orderId, error })
      return undefined
    }
  }
}
