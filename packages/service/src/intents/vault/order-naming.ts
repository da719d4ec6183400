import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import { createBatches } from '../../lib/batches.ts'
import { inTime } from '../../lib/in-time.ts'
import type { Log } from '../../lib/log.ts'
import { depositMuxedId } from '../settlers/deposit-reference.ts'
import type { CosignerClient } from './cosigner-client.ts'
import { MOST_NAMED } from './payout-request.ts'

/**
 * Names the order of a new quote to a vault's co-signer, together with others. False for an order that must not be offered: the
 * co-signer has not answered within two seconds, or knows another order with the same muxed id.
 */
export type OrderNaming = (orderId: OrderId, quotedAt: Instant) => Promise<boolean>

type Deps = {
  readonly chainId: ChainId
  readonly client: Pick<CosignerClient, 'name'>
  readonly log: Log
  readonly deadlineMs?: number
}

type Named = Parameters<CosignerClient['name']>[0][number]

/** A quote waits for its name. */
const DEADLINE_MS = 2_000
const BATCHES_AT_ONCE = 4
const MOST_WAITING = 2_000

/** Creates the naming of one vault's orders. */
export const createOrderNaming = ({ chainId, client, log, deadlineMs = DEADLINE_MS }: Deps): OrderNaming => {
  let isFailing = false

  const nameAll = async (orders: readonly Named[]): Promise<ReadonlySet<string>> => {
    try {
      const first = new Set(await client.name([...orders]))
      if (isFailing) log('info', 'order_naming_recovered', { chainId })
      isFailing = false
      return first
    } catch (error) {
      if (!isFailing) log('warn', 'order_naming_failed', { chainId, error })
      isFailing = true
      throw error
    }
  }
  const name = createBatches({
    run: async (orders: readonly Named[]): Promise<readonly boolean[]> => {
      const first = await nameAll(orders)
      return orders.map(({ muxedId, orderId }) => {
        const isFirst = first.has(orderId)
        if (!isFirst) log('error', 'order_named_before', { chainId, orderId, muxedId })
        return isFirst
      })
    },
    maximumItems: MOST_NAMED,
    maximumBatches: BATCHES_AT_ONCE,
    maximumWaiting: MOST_WAITING,
  })
  return async (orderId, quotedAt) => {
    const muxedId = depositMuxedId(quotedAt, orderId).toString()
    return (await inTime(name({ muxedId, orderId }), deadlineMs)) ?? false
  }
}
