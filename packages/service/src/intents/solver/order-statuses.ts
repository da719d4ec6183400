import type { ChainId } from '@openrfq/sdk'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import { readAll } from '../../chains/evm/read-all.ts'
import { rpcErrorCode } from '../../chains/rpc/rpc-error.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import { type OrderStatus, readStatus, statusCall } from '../settlers/order-status.ts'

/** An order's current status in both settlers; undefined if the chain could not be read. */
export type OrderStatuses = {
  readonly origin: OrderStatus | undefined
  readonly destination: OrderStatus | undefined
}

/** A settler of either kind, with its chain. */
export type AskedSettler = {
  readonly chainId: ChainId
  readonly evm: Pick<EvmChain, 'callMany' | 'callAgreed'>
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

/** Reads the status of orders from all settlers. */
export type OrderStatusReader = (
  orders: readonly AskedOrder[],
) => Promise<(orderId: OrderId) => OrderStatuses>

const REMEMBERED = 50_000

/** Whether a quorum of endpoints says that an escrow was opened; what it said once is remembered. */
const createOpenCheck = (log: Log) => {
  const opened = createLru<OrderId, true>(REMEMBERED)
  return async ({ chainId, evm, settler }: AskedSettler, orderId: OrderId): Promise<boolean> => {
    if (opened.get(orderId) === true) return true
    try {
      await evm.callAgreed([statusCall(settler, orderId)], {
        isReached: ([result]) => readStatus(result) === 'open',
      })
    } catch (error) {
      if (rpcErrorCode(error) !== 'NODE_BEHIND') log('warn', 'order_read_failed', { chainId, orderId, error })
      return false
    }
    opened.set(orderId, true)
    return true
  }
}

/**
 * Creates a reader that asks each chain once, all in parallel. An unreadable chain leaves its orders undefined, and so
 * does an escrow that one endpoint calls open and no quorum does: a fill of it might never be repaid.
 */
export const createOrderStatusReader = (
  chains: ReadonlyMap<ChainId, AskedSettler>,
  log: Log,
): OrderStatusReader => {
  const isOpen = createOpenCheck(log)
  const readAgreed = async (
    chain: AskedSettler,
    orders: readonly AskedOrder[],
  ): Promise<readonly (readonly [OrderId, OrderStatus])[]> => {
    const orderIds = orders.map(({ orderId }) => orderId)
    const fromHere = new Set(
      orders.flatMap(({ orderId, order }) => (order.originChain === chain.chainId ? [orderId] : [])),
    )
    const read = (await readChain(chain, orderIds)).map(async ([orderId, status]) => {
      const isClaim = status === 'open' && fromHere.has(orderId)
      return !isClaim || (await isOpen(chain, orderId)) ? [[orderId, status] as const] : []
    })
    return (await Promise.all(read)).flat()
  }
  return async (orders) => {
    const found = new Map<string, OrderStatus>()
    await Promise.all(
      [...chains.values()].map(async (chain) => {
        const touched = orders.filter(
          ({ order }) => order.originChain === chain.chainId || order.destinationChain === chain.chainId,
        )
        try {
          for (const [orderId, status] of await readAgreed(chain, touched))
            found.set(`${chain.chainId} ${orderId}`, status)
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
}
