import type { Instant } from '../../core/instant.ts'
import { createTokenBucket } from '../../lib/token-bucket.ts'
import type { Solver } from './best-offers.ts'
import type { MessageHandler } from './message-handler.ts'
import type { RejectedReason, ServiceMessage } from './protocol.ts'
import { CLOSE_CODES, encodeServiceMessage, PROTOCOL_LIMITS } from './protocol.ts'
import type { MessageRefusal } from './read-message.ts'

/** Carries the frames: neither function throws, and nothing is sent after `close`. */
export type SolverTransport = {
  readonly send: (text: string) => void
  readonly close: (code: number, reason: string) => void
}

/** The phase of a session. */
type Phase =
  | { readonly name: 'challenged' | 'over' }
  | { readonly name: 'ready'; readonly solver: Solver; readonly handle: MessageHandler }

/** A connection with its phase and its limits. */
export type SolverConnection = {
  readonly phase: () => Phase
  /** Whether a frame may be read; if not, it has been refused or the connection closed. */
  readonly admits: (frame: string | undefined) => frame is string
  readonly enter: (solver: Solver, handle: MessageHandler) => void
  readonly send: (message: ServiceMessage) => void
  readonly reject: (reason: RejectedReason) => void
  readonly refuse: (refusal: MessageRefusal) => void
  readonly close: (code: number, reason: string) => void
  /** The transport is gone; nothing more can be sent. */
  readonly gone: () => void
}

type Dependencies = {
  readonly transport: SolverTransport
  readonly now: () => Instant
  /** A logged-in solver has disconnected; called once. */
  readonly onOver: (solver: Solver) => void
}

const LOGIN_DEADLINE_MS = 5_000
const MESSAGES = { burst: PROTOCOL_LIMITS.messageBurst, perSecond: PROTOCOL_LIMITS.messagesPerSecond }
/** Refusals sent to a peer before its connection is closed. */
const REFUSALS = { burst: 20, perSecond: 1 }

/** Opens a connection to a peer, which has five seconds to log in. */
export const openSolverConnection = ({ transport, now, onOver }: Dependencies): SolverConnection => {
  const messages = createTokenBucket(MESSAGES, now)
  const refusals = createTokenBucket(REFUSALS, now)
  let phase: Phase = { name: 'challenged' }

  const send = (message: ServiceMessage): void => {
    if (phase.name !== 'over') transport.send(encodeServiceMessage(message))
  }
  const gone = (): void => {
    clearTimeout(deadline)
    const before = phase
    phase = { name: 'over' }
    if (before.name === 'ready') onOver(before.solver)
  }
  const close = (code: number, reason: string): void => {
    if (phase.name === 'over') return
    gone()
    transport.close(code, reason)
  }
  const reject = (reason: RejectedReason): void => {
    send({ type: 'rejected', reason })
    close(CLOSE_CODES.loginFailed, reason)
  }
  const refuse = (refusal: MessageRefusal): void => {
    if (refusals.take()) send({ type: 'refused', ...refusal })
    else close(CLOSE_CODES.tooMany, 'too many refused messages')
  }
  const deadline = setTimeout(() => reject('timeout'), LOGIN_DEADLINE_MS)
  deadline.unref()
  return {
    phase: () => phase,
    admits: (frame): frame is string => {
      if (phase.name === 'over') return false
      if (frame === undefined) close(CLOSE_CODES.binaryFrame, 'expected text frames')
      else if (Buffer.byteLength(frame) > PROTOCOL_LIMITS.maxFrameBytes)
        close(CLOSE_CODES.frameTooLarge, `expected at most ${PROTOCOL_LIMITS.maxFrameBytes} bytes`)
      else if (messages.take()) return true
      else refuse({ reason: 'rate_limited', message: TOO_FAST, reference: null })
      return false
    },
    enter: (solver, handle) => {
      clearTimeout(deadline)
      phase = { name: 'ready', solver, handle }
    },
    send,
    reject,
    refuse,
    close,
    gone,
  }
}

const TOO_FAST = `expected at most ${MESSAGES.perSecond} messages a second`
