import assert from 'node:assert/strict'
import type { Solver } from '../src/intents/solver-api/best-offers.ts'
import { createBook } from '../src/intents/solver-api/book.ts'
import type { ServiceMessage } from '../src/intents/solver-api/protocol.ts'
import { createSolverDirectory } from '../src/intents/solver-api/solver-directory.ts'
import { createSolverNetwork, type SolverNetwork } from '../src/intents/solver-api/solver-network.ts'
import { clockOf } from './test-clock.ts'
import { assetKey } from './test-orders.ts'
import { KEYS, loginFrame, readServiceMessage, solverOf } from './test-solver.ts'

const [cheapAccount, dearAccount] = KEYS
assert.ok(cheapAccount && dearAccount)

/** Tests only: two solvers that may log in, and their keys. */
export const CHEAP_KEY = cheapAccount
export const DEAR_KEY = dearAccount
export const CHEAP: Solver = solverOf(CHEAP_KEY, 'cheap')
export const DEAR: Solver = solverOf(DEAR_KEY, 'dear')

/** The client's side of one connection. */
export type Peer = {
  readonly heard: ServiceMessage[]
  readonly challenge: { readonly service: string; readonly nonce: string }
  readonly say: (frame: string | undefined) => void
  readonly leave: () => void
  readonly closedWith: () => number | undefined
}

const OPEN = { isOpen: true } as const

/** A network of both solvers with a book and a fixed clock. */
export const createTestNetwork = (service = 'test', { isOpen }: { readonly isOpen: boolean } = OPEN) => {
  let at = 1_000_000
  let nonces = 0
  const declines: unknown[] = []
  const fills: unknown[] = []
  const logins: Solver[] = []
  const errors: unknown[] = []
  const now = (): number => at
  const directory = createSolverDirectory([CHEAP, DEAR])
  const book = createBook({ directory, assetKey, ...clockOf(now) })
  const network: SolverNetwork = createSolverNetwork({
    directory,
    terms: { quoteLifetimeSeconds: 60, fillWindowSeconds: 600, refundDelaySeconds: 7_200 },
    book,
    service,
    randomNonce: () => {
      nonces += 1
      return `0x${nonces.toString(16).padStart(64, '0')}`
    },
    now,
    log: (level, ...line) => level === 'error' && errors.push(line),
  })
  if (isOpen) network.open()
  network.onLogin((solver) => logins.push(solver))
  network.onFill(async ({ solver, order, transaction }) => fills.push([solver, order, transaction]))
  network.onDecline(({ solver, orderId, reason }) => declines.push([solver, orderId, reason]))
  const connect = (): Peer => {
    const heard: ServiceMessage[] = []
    let closed: number | undefined
    const session = network.connect({
      send: (frame) => {
        assert.equal(closed, undefined, 'a frame was sent after the close')
        heard.push(readServiceMessage(frame))
      },
      close: (code) => {
        closed = code
      },
    })
    const [first] = heard
    assert.ok(first?.type === 'challenge')
    return { heard, challenge: first, say: session.receive, leave: session.closed, closedWith: () => closed }
  }
  const enter = async (account = CHEAP_KEY): Promise<Peer> => {
    const peer = connect()
    peer.say(await loginFrame(account, peer.challenge))
    assert.equal(peer.heard.at(-1)?.type, 'welcome')
    return peer
  }
  const pass = (ms: number): void => {
    at += ms
  }
  return { book, network, connect, enter, pass, declines, fills, logins, errors }
}
