import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { createEmitter } from '../../lib/emitter.ts'
import type { Log } from '../../lib/log.ts'
import type { Solver } from './best-offers.ts'
import type { Book } from './book.ts'
import { CLOSE_CODES, ServiceText, type SolverNews } from './protocol.ts'
import { createSolverSession, type SessionDeps, type SolverSession } from './session.ts'
import type { SolverTransport } from './solver-connection.ts'
import type { SolverDirectory } from './solver-directory.ts'

/** A solver says that it will not fill an order. */
type SolverDecline = { readonly solver: Solver; readonly orderId: OrderId; readonly reason: string }

/** A solver says that a transaction on a payment chain filled an order. */
type SolverFill = { readonly solver: Solver; readonly order: IntentOrder; readonly transaction: string }

/** The connected solvers. */
export type SolverNetwork = {
  /** Starts the protocol on a new connection, once the network is open; pass its frames to the result. */
  readonly connect: (transport: SolverTransport) => Pick<SolverSession, 'receive' | 'closed' | 'loggedIn'>
  /**
   * Starts the protocol on the connections that wait, and on later ones at once. Until then what the solvers' quotes rest on
   * is not restored: a peer gets no challenge, and one that speaks before its challenge is disconnected.
   */
  readonly open: () => void
  /** Notifies the solver named in an order of its deposit; false if that solver is not connected. */
  readonly notify: (orderId: OrderId, order: IntentOrder, final: boolean) => boolean
  /** Tells a solver, by its address, news of its orders; dropped if it is not connected or speaks version 1. */
  readonly tell: (solver: string, news: SolverNews) => void
  /** Adds a listener for logins: the solver's open orders must be sent again, as it may have missed some. */
  readonly onLogin: (listener: (solver: Solver) => void) => () => void
  /** Adds a listener for declines. Only a solver's transaction on the origin chain is binding. */
  readonly onDecline: (listener: (decline: SolverDecline) => void) => () => void
  /** Adds a listener for fills that solvers name. Nothing about them is checked. */
  readonly onFill: (listener: (fill: SolverFill) => Promise<unknown>) => () => void
  /** The solvers that are logged in now. */
  readonly present: () => readonly Solver[]
}

type Dependencies = {
  /** The solvers that may log in; quotes and orders use these exact addresses. */
  readonly directory: Pick<SolverDirectory, 'all' | 'ownerOf'>
  readonly terms: SessionDeps['terms']
  readonly book: Pick<Book, 'upsertQuotes' | 'setInventory' | 'leave'>
  /** The service's name; part of everything a solver signs. Printable ASCII. */
  readonly service: string
  /** 32 random bytes as lower-case hex, from a secure source. */
  readonly randomNonce: () => string
  readonly now: () => Instant
  readonly log: Log
}

/**
 * Keeps one session per solver: a login replaces the previous session. A solver's quotes end with its session, so no
 * quote of a disconnected solver is offered. Throws if `service` is not a valid name.
 */
export const createSolverNetwork = (deps: Dependencies): SolverNetwork => {
  const { book, directory, log } = deps
  const service = ServiceText.parse(deps.service)
  const sessions = new Map<string, { readonly solver: Solver; readonly session: SolverSession }>()

  const listenerFailed = (error: unknown): void =>
    log('error', 'listener_failed', { listener: 'solvers', error })
  const logins = createEmitter<Solver>(listenerFailed)
  const declines = createEmitter<SolverDecline>(listenerFailed)
  const fills = createEmitter<SolverFill>(listenerFailed)

  const onLogin = (solver: Solver, session: SolverSession): void => {
    const key = solver.address.toLowerCase()
    sessions.get(key)?.session.close(CLOSE_CODES.replaced, 'logged in on another connection')
    sessions.set(key, { solver, session })
    log('info', 'solver_logged_in', { solver: solver.name })
    logins.emit(solver)
  }
  const onOver = (solver: Solver, session: SolverSession): void => {
    const key = solver.address.toLowerCase()
    if (sessions.get(key)?.session !== session) return
    sessions.delete(key)
    book.leave(solver)
    log('info', 'solver_disconnected', { solver: solver.name })
  }
  const begin = (transport: SolverTransport): SolverSession =>
    createSolverSession({
      ...deps,
      service,
      transport,
      solvers: directory.all,
      nonce: deps.randomNonce(),
      onLogin,
      onDecline: (solver, orderId, reason) => declines.emit({ solver, orderId, reason }),
      onFill: (solver, order, transaction) => fills.emit({ solver, order, transaction }),
      onOver,
    })
  const { connect, open } = createDoor(begin)
  return {
    connect,
    open,
    notify: (orderId, order, final) => {
      const owner = directory.ownerOf(order.solver)
      const session = owner === undefined ? undefined : sessions.get(owner.address.toLowerCase())?.session
      return session?.notify(orderId, order, final) ?? false
    },
    tell: (solver, news) => sessions.get(solver.toLowerCase())?.session.tell(news),
    onLogin: logins.on,
    onDecline: declines.on,
    onFill: fills.on,
    present: () => [...sessions.values()].map(({ solver }) => solver),
  }
}

/** Keeps connections until it is opened. */
const createDoor = (
  begin: (transport: SolverTransport) => SolverSession,
): Pick<SolverNetwork, 'connect' | 'open'> => {
  const waiting = new Set<() => void>()
  let isOpen = false
  const wait = (transport: SolverTransport): ReturnType<SolverNetwork['connect']> => {
    let session: SolverSession | undefined
    const enter = (): void => {
      session = begin(transport)
    }
    waiting.add(enter)
    return {
      receive: (frame) => {
        if (session !== undefined) session.receive(frame)
        else if (waiting.delete(enter))
          transport.close(CLOSE_CODES.loginFailed, 'expected no message before the challenge')
      },
      closed: () => {
        waiting.delete(enter)
        session?.closed()
      },
      loggedIn: () => session?.loggedIn() ?? false,
    }
  }
  return {
    connect: (transport) => (isOpen ? begin(transport) : wait(transport)),
    open: () => {
      isOpen = true
      for (const enter of waiting) enter()
      waiting.clear()
    },
  }
}
