import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { IntentTerms } from '../../core/network.ts'
import type { Log } from '../../lib/log.ts'
import { createTokenBucket } from '../../lib/token-bucket.ts'
import type { Solver } from './best-offers.ts'
import type { Book } from './book.ts'
import { checkLogin, type LoggedIn } from './login.ts'
import { createMessageHandler } from './message-handler.ts'
import { CLOSE_CODES, NEWS_VERSION, PROTOCOL_LIMITS, PROTOCOL_VERSIONS, type SolverNews } from './protocol.ts'
import { type ReadMessage, readSolverMessage, referenceOf } from './read-message.ts'
import { openSolverConnection, type SolverTransport } from './solver-connection.ts'

/** One connection of a peer that logs in as a solver. */
export type SolverSession = {
  /** Handles one frame, undefined for a binary one. Never throws. */
  readonly receive: (frame: string | undefined) => void
  /** The connection is gone. */
  readonly closed: () => void
  readonly loggedIn: () => boolean
  /** Notifies the solver of an order; false if it is not logged in. */
  readonly notify: (orderId: OrderId, order: IntentOrder, final: boolean) => boolean
  /** Sends news to a solver that speaks version 2; beyond fifty a second they are dropped. */
  readonly tell: (news: SolverNews) => void
  readonly close: (code: number, reason: string) => void
}

/** News that a solver gets at once, and a second. */
const NEWS = { burst: 200, perSecond: 50 }

export type SessionDeps = {
  readonly transport: SolverTransport
  readonly solvers: readonly Solver[]
  readonly book: Pick<Book, 'upsertQuotes' | 'setInventory'>
  /** The service's name; part of everything a solver signs. Printable ASCII. */
  readonly service: string
  readonly terms: Pick<IntentTerms, 'quoteLifetimeSeconds' | 'fillWindowSeconds' | 'refundDelaySeconds'>
  /** 32 random bytes as lower-case hex, never reused. */
  readonly nonce: string
  readonly now: () => Instant
  readonly log: Log
  /** The solver has proven its identity; called once, before any of its other messages is handled. */
  readonly onLogin: (solver: Solver, session: SolverSession) => void
  readonly onDecline: (solver: Solver, orderId: OrderId, reason: string) => void
  readonly onFill: (solver: Solver, order: IntentOrder, transaction: string) => void
  /** A logged-in session has ended; called once. */
  readonly onOver: (solver: Solver, session: SolverSession) => void
}

/**
 * Runs the protocol with one peer: challenges it, and applies its messages to the book once it has proven its identity.
 * Invalid messages are refused, and too many of them end the session.
 */
export const createSolverSession = (deps: SessionDeps): SolverSession => {
  const challenge = { service: deps.service, nonce: deps.nonce }
  const connection = openSolverConnection({ ...deps, onOver: (solver) => deps.onOver(solver, session) })

  const loggedIn = (): boolean => connection.phase().name === 'ready'
  const news = createTokenBucket(NEWS, deps.now)
  let speaks = 0
  const welcome = ({ solver, version }: LoggedIn): void => {
    speaks = version
    connection.enter(solver, createMessageHandler({ ...deps, solver, challenge }))
    const { quoteLifetimeSeconds, fillWindowSeconds, refundDelaySeconds } = deps.terms
    connection.send({
      type: 'welcome',
      solver: { name: solver.name, address: solver.address },
      terms: { quoteLifetimeSeconds, fillWindowSeconds, refundDelaySeconds },
      limits: PROTOCOL_LIMITS,
    })
    if (loggedIn()) deps.onLogin(solver, session)
  }
  const handle = (read: ReadMessage): void => {
    const phase = connection.phase()
    if (phase.name === 'challenged') {
      const found = checkLogin('message' in read ? read.message : undefined, deps.solvers, challenge)
      if (typeof found === 'string') connection.reject(found)
      else welcome(found)
    } else if (phase.name === 'ready' && 'refusal' in read) {
      connection.refuse(read.refusal)
    } else if (phase.name === 'ready' && 'message' in read) {
      const refusal = phase.handle(read.message)
      if (refusal !== undefined) connection.refuse({ ...refusal, reference: referenceOf(read.message) })
    }
  }
  const fail = (error: unknown): void => {
    deps.log('error', 'solver_message_failed', { error })
    connection.close(CLOSE_CODES.internal, 'unexpected error')
  }
  const session: SolverSession = {
    receive: (frame) => {
      if (!connection.admits(frame)) return
      try {
        handle(readSolverMessage(frame))
      } catch (error) {
        fail(error)
      }
    },
    closed: connection.gone,
    loggedIn,
    notify: (orderId, order, final) => {
      if (!loggedIn()) return false
      connection.send({ type: 'order', orderId, order, final })
      return true
    },
    tell: (message) => {
      if (loggedIn() && speaks >= NEWS_VERSION && news.take()) connection.send(message)
    },
    close: connection.close,
  }
  connection.send({ type: 'challenge', version: 1, versions: [...PROTOCOL_VERSIONS], ...challenge })
  return session
}
