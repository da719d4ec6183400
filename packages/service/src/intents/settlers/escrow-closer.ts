import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import { createRotation } from '../../lib/rotation.ts'
import type { RepeatableSender } from '../../transactions/repeatable-sender.ts'
import { closeInstruction } from './escrow-program.ts'
import type { EscrowReader } from './escrow-reader.ts'
import type { FollowedOrder } from './escrow-watch.ts'

/** Closes the accounts of ended orders, which returns their rent to those who paid it; anybody may do so. */
export type EscrowCloser = {
  readonly add: (ended: FollowedOrder) => void
  /** Closes accounts that may be closed. Rejects if the chain cannot be read. */
  readonly round: () => Promise<void>
}

type Deps = {
  readonly program: string
  readonly reader: Pick<EscrowReader, 'seen'>
  /** Undefined leaves closing to others. */
  readonly sender: RepeatableSender | undefined
  readonly now: () => Instant
  readonly log: Log
}

const CLOSE_UNITS = 20_000
const TURN = 20
/** Orders beyond are left to others. */
const MOST = 10_000
/** The chain's clock may be behind ours. */
const MARGIN_MS = 60_000

/** Creates the closer; it keeps nothing over a restart. */
export const createEscrowCloser = ({ program, reader, sender, now, log }: Deps): EscrowCloser => {
  const ended = createRotation<OrderId, number>()
  return {
    add: ({ orderId, order: { openDeadline } }) => {
      if (sender !== undefined && ended.size() < MOST) ended.add(orderId, openDeadline)
    },
    round: async () => {
      if (sender === undefined) return
      const due = ended
        .take(TURN)
        .flatMap(([orderId, deadline]) => (now() > deadline * 1000 + MARGIN_MS ? [orderId] : []))
      if (due.length === 0) return
      const states = await reader.seen(due)
      for (const orderId of due) {
        const state = states.get(orderId)
        if (state === undefined || state.status === 'missing') ended.delete(orderId)
        else {
          const instructions = [closeInstruction(program, orderId, state.payer)]
          const sent = await sender.send({ key: `close:${orderId}`, unitLimit: CLOSE_UNITS, instructions })
          if (sent.kind === 'sent' && sent.outcome === 'failed')
            log('warn', 'close_failed', { orderId, txHash: sent.txHash })
        }
      }
    },
  }
}
