import type { ChainId } from '@openrfq/sdk'
import type { EvmResult } from '../../chains/evm/evm-chain.ts'
import { readAll } from '../../chains/evm/read-all.ts'
import { rpcErrorCode } from '../../chains/rpc/rpc-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import { type OrderStatus, readStatus, statusCall } from '../settlers/order-status.ts'
import { type AskedSettler, createStatusCheck } from './status-check.ts'

/** An order's current status in both settlers; undefined if the chain could not be read. */
export type OrderStatuses = {
  readonly origin: OrderStatus | undefined
  readonly destination: OrderStatus | undefined
}

type AskedOrder = {
  readonly orderId: OrderId
  readonly order: Pick<IntentOrder, 'originChain' | 'destinationChain'>
  /** The deposit, if its block is known. */
  readonly opened?: { readonly blockNumber: bigint; readonly timestampSeconds: number } | undefined
}

const readChain = async (
  asked: AskedSettler,
  orderIds: readonly OrderId[],
): Promise<readonly (readonly [OrderId, OrderStatus])[]> => {
  const answers = await readAll(
    asked.evm,
    orderIds.map((orderId) => statusCall(asked, orderId)),
  )
  return orderIds.flatMap((orderId, position) => {
    const name = readStatus(asked.kind, answers[position])
    return name === undefined ? [] : [[orderId, name] as const]
  })
}

/** Reads the status of orders from all settlers. */
export type OrderStatusReader = (
  orders: readonly AskedOrder[],
) => Promise<(orderId: OrderId) => OrderStatuses>

type StatusReaderDeps = { readonly now: () => Instant; readonly log: Log }

const REMEMBERED = 50_000

/** Whether an escrow is open by the status check; what passed once is remembered. */
const createOpenCheck = (deps: StatusReaderDeps) => {
  const isGiven = createStatusCheck(deps)
  const opened = createLru<OrderId, true>(REMEMBERED)
  return async (settler: AskedSettler, { orderId, opened: after }: AskedOrder): Promise<boolean> => {
    if (opened.get(orderId) === true) return true
    if (!(await isGiven({ settler, orderId, status: 'open', key: `fill:${orderId}`, after }))) return false
    opened.set(orderId, true)
    return true
  }
}

/** Whether a quorum of endpoints gives the status now. Rejects if the chain cannot be read. */
const isAgreed = async (asked: AskedSettler, orderId: OrderId, status: OrderStatus): Promise<boolean> => {
  const isGiven = ([result]: readonly EvmResult[]): boolean => readStatus(asked.kind, result) === status
  try {
    return isGiven(await asked.evm.callAgreed([statusCall(asked, orderId)], { isReached: isGiven }))
  } catch (error) {
    if (rpcErrorCode(error) === 'NODE_BEHIND' || rpcErrorCode(error) === 'NO_AGREEMENT') return false
    throw error
  }
}

/**
 * Creates a reader that asks each chain once, all in parallel. An unreadable chain leaves its orders undefined, and so
 * does an escrow that one endpoint calls open and no quorum does, or another denies: a fill of it might never be repaid.
 * An order that one endpoint calls filled, released or refunded is undefined until a quorum does: the solver would leave it.
 */
export const createOrderStatusReader = (
  chains: ReadonlyMap<ChainId, AskedSettler>,
  deps: StatusReaderDeps,
): OrderStatusReader => {
  const { log } = deps
  const isOpen = createOpenCheck(deps)
  const readAgreed = async (
    chain: AskedSettler,
    orders: readonly AskedOrder[],
  ): Promise<readonly (readonly [OrderId, OrderStatus])[]> => {
    const orderIds = orders.map(({ orderId }) => orderId)
    const fromHere = new Map(
      orders.flatMap((one) => (one.order.originChain === chain.chainId ? [[one.orderId, one] as const] : [])),
    )
    const isKnown = async (orderId: OrderId, status: OrderStatus): Promise<boolean> => {
      if (status === 'none') return true
      if (status !== 'open') return isAgreed(chain, orderId, status)
      const claimed = fromHere.get(orderId)
      return claimed === undefined || isOpen(chain, claimed)
    }
    const read = (await readChain(chain, orderIds)).map(async ([orderId, status]) =>
      (await isKnown(orderId, status)) ? [[orderId, status] as const] : [],
    )
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
