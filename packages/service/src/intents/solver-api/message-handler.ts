import { isSignedBy } from '../../chains/evm/message-signature.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Solver } from './best-offers.ts'
import type { Book, BookRejection } from './book.ts'
import type { Challenge } from './login.ts'
import type { Quotes, SolverMessage } from './protocol.ts'
import { quotesText } from './signed-text.ts'

export type MessageHandlerDeps = {
  readonly solver: Solver
  readonly challenge: Challenge
  readonly book: Pick<Book, 'upsertQuotes' | 'setInventory'>
  readonly onDecline: (solver: Solver, orderId: OrderId, reason: string) => void
  readonly onFill: (solver: Solver, order: IntentOrder, transaction: string) => void
}

/** Handles a message of a logged-in solver; returns a rejection or undefined. */
export type MessageHandler = (message: SolverMessage) => BookRejection | undefined

/** Handles the messages of one session in order; sequences of `quotes` restart with each session. */
export const createMessageHandler = ({
  solver,
  challenge,
  book,
  onDecline,
  onFill,
}: MessageHandlerDeps): MessageHandler => {
  let lastSequence = -1
  const takeQuotes = (message: Quotes): BookRejection | undefined => {
    const { sequence, pairs, signature } = message
    if (sequence <= lastSequence)
      return { reason: 'stale_sequence', message: `expected a sequence above ${lastSequence}` }
    if (!isSignedBy(quotesText(challenge, message), signature, solver.address))
      return {
        reason: 'bad_signature',
        message: `expected a signature of ${solver.address} over these quotes`,
      }
    const refusal = book.upsertQuotes(solver, pairs)
    if (refusal === undefined) lastSequence = sequence
    return refusal
  }
  return (message) => {
    switch (message.type) {
      case 'login':
        return { reason: 'logged_in', message: `already logged in as ${solver.address}` }
      case 'quotes':
        return takeQuotes(message)
      case 'inventory':
        return book.setInventory(solver, message.assets)
      case 'decline':
        onDecline(solver, message.orderId, message.reason)
        return undefined
      case 'fill':
        onFill(solver, message.order, message.transaction)
        return undefined
    }
  }
}
