import type { ChainId } from '@openrfq/sdk'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import { readAll } from '../../chains/evm/read-all.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import { type OrderStatus, readStatus, statusCall } from '../settlers/order-status.ts'

/** An order's current status in both settlers; undefined if the chain could not be read. */
export type OrderStatuses = {
  readonly origin: OrderStatus | undefined
  readonly destination: OrderStatus | undefined
}

/** A settler of either kind, with its chain. */
export type AskedSettler = {
  readonly chainId: ChainId
  readonly evm: Pick<EvmChain, 'callMany'>
  readonly settler: string
}

type AskedOrder = {
  readonly orderId: OrderId
  readonly order: Pick<IntentOrder, 'originChain' | 'destinationChain'>
}

const readChain = async (
  { evm, settler }: AskedSettler,
  orderIds: readonly OrderId[],
): Promise<readonly (readonly [OrderId, OrderStatus])[]> => {
  const answers = await readAll(
    evm,
    orderIds.map((orderId) => statusCall(settler, orderId)),
  )
  return orderIds.flatMap((orderId, position) => {
    const name = readStatus(answers[position])
    return name === undefined ? [] : [[orderId, name] as const]
  })
}

/**
 * Reads the status of orders from all settlers, one request per chain in parallel; an unreadable chain leaves its
 * orders undefined.
 */
export const readOrderStatuses = async (
  chains: ReadonlyMap<ChainId, AskedSettler>,
  orders: readonly AskedOrder[],
  log: Log,
): Promise<(orderId: OrderId) => OrderStatuses> => {
  const found = new Map<string, OrderStatus>()
  await Promise.all(
    [...chains.values()].map(async (chain) => {
      const touched = orders.filter(
        ({ order }) => order.originChain === chain.chainId || order.destinationChain === chain.chainId,
      )
      try {
        const answers = await readChain(
          chain,
          touched.map(({ orderId }) => orderId),
        )
        for (const [orderId, status] of answers) found.set(`${chain.chainId} ${orderId}`, status)
      } catch (error) {
        log('warn', 'order_read_failed', { chainId: chain.chainId, error })
      }
    }),
  )
  const orderOf = new Map(orders.map(({ orderId, order }) => [orderId, order]))
  return (orderId) => {
    const order = orderOf.get(orderId)
    return {
      origin: found.get(`${order?.originChain} ${orderId}`),
      destination: found.get(`${order?.destinationChain} ${orderId}`),
    }
  }
}
