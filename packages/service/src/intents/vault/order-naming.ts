import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import { depositMuxedId } from '../settlers/deposit-reference.ts'
import type { CosignerClient } from './cosigner-client.ts'
import { MOST_NAMED } from './payout-request.ts'

/** Names the orders of new quotes to a vault's co-signer, in the background. */
export type OrderNaming = Lifecycle & {
  readonly add: (orderId: OrderId, quotedAt: Instant) => void
}

const PERIOD_MS = 250
/** Beyond, the oldest are left out: a deposit for one goes back to its payer only. */
const MOST_WAITING = 20_000

/** Creates the naming of one vault's orders. */
export const createOrderNaming = (client: Pick<CosignerClient, 'name'>, log: Log): OrderNaming => {
  let waiting: { readonly muxedId: string; readonly orderId: OrderId }[] = []
  const poller = createPoller({
    name: 'order_naming',
    periodMs: PERIOD_MS,
    failureLevel: 'warn',
    log,
    run: async () => {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, MOST_NAMED)
        await client.name(batch)
        waiting = waiting.slice(batch.length)
      }
    },
  })
  return {
    add: (orderId, quotedAt) => {
      if (waiting.length >= MOST_WAITING) waiting = waiting.slice(1)
      waiting.push({ muxedId: depositMuxedId(quotedAt, orderId).toString(), orderId })
    },
    start: async () => {
      void poller.start()
    },
    stop: poller.stop,
  }
}
