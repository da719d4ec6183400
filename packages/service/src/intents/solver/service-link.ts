import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { WebSocket } from 'ws'
import type { EvmPrivateKey } from '../../core/evm-private-key.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { backoffMs, withJitter } from '../../lib/backoff.ts'
import type { Log } from '../../lib/log.ts'
import {
  CLOSE_CODES,
  encodeSolverMessage,
  NEWS_VERSION,
  ServiceMessage,
  type SolverMessage,
  type StandingQuote,
} from '../solver-api/protocol.ts'
import { loginText, quotesText } from '../solver-api/signed-text.ts'

/** The solver's connection to the service, which reconnects automatically. */
export type ServiceLink = {
  /** Signs standing quotes and sends them; false if they were not sent. */
  readonly sendQuotes: (pairs: readonly StandingQuote[]) => Promise<boolean>
  readonly send: (message: Exclude<SolverMessage, { type: 'quotes' | 'login' }>) => boolean
  readonly isOpen: () => boolean
  readonly start: () => void
  readonly stop: () => void
}

/** The service's notice of a deposit. */
export type OrderNotice = Extract<ServiceMessage, { readonly type: 'order' }>

type Challenge = Extract<ServiceMessage, { readonly type: 'challenge' }>
type Welcome = Extract<ServiceMessage, { readonly type: 'welcome' }>

type LinkDeps = {
  readonly url: string
  /** The expected name of the service; another one could forward the login to the real service. */
  readonly serviceName: string | undefined
  readonly privateKey: EvmPrivateKey
  /** Called after every login: the service has no state from before. */
  readonly onWelcome: (welcome: Welcome) => void
  /** Called for a deposit that the service saw; on an EVM chain the chain must confirm it. */
  readonly onOrder: (notice: OrderNotice) => void
  /** Called for an order of another solver that the service offers to all. */
  readonly onReoffer: (orderId: OrderId, order: IntentOrder) => void
  /** Called when the service knows the fill of an order. */
  readonly onFillKnown: (orderId: OrderId) => void
  /** A number from 0 up to 1. */
  readonly random: () => number
  readonly log: Log
}

const HANDSHAKE_MS = 5_000
const MAX_MESSAGE_BYTES = 65_536
/** The service pings every ten seconds. */
const SILENCE_MS = 35_000
/** A service has a handful of solvers, and no intents until they are back. */
const RECONNECTION = { firstMs: 250, maximumMs: 1_000 }
const MAX_BUFFERED_BYTES = 1_048_576

const NORMAL_CLOSURE = 1000
const CLOSE_MS = 1_000

type Session = {
  readonly service: string
  readonly nonce: string
  readonly version: number
  readonly isWelcome: boolean
  readonly sequence: number
}

const parseMessage = (text: string): ServiceMessage | undefined => {
  try {
    return ServiceMessage.safeDecode(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** The text of a frame, or undefined for a binary one. */
const textOf = (frame: unknown, isBinary: boolean): string | undefined =>
  !isBinary && Buffer.isBuffer(frame) ? frame.toString('utf8') : undefined

/** The state of one connection, and the frames it may send. */
const createSession = (deps: LinkDeps, account: PrivateKeyAccount, socket: WebSocket) => {
  const { log } = deps
  let session: Session | undefined
  const write = (text: string): boolean => {
    if (socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > MAX_BUFFERED_BYTES) return false
    socket.send(text)
    return true
  }
  const login = async ({ service, nonce, versions }: Challenge): Promise<void> => {
    if (deps.serviceName !== undefined && service !== deps.serviceName) {
      log('error', 'service_name_mismatch', { service, expected: deps.serviceName })
      return socket.close(NORMAL_CLOSURE)
    }
    const version = versions?.includes(NEWS_VERSION) === true ? NEWS_VERSION : 1
    session = { service, nonce, version, isWelcome: false, sequence: 0 }
    const { address } = account
    const signature = await account.signMessage({ message: loginText({ service, nonce, address }) })
    write(encodeSolverMessage({ type: 'login', version, address, signature }))
  }
  const receive = (text: string | undefined): void => {
    const message = text === undefined ? undefined : parseMessage(text)
    if (message === undefined) {
      log('warn', 'unknown_service_message')
      return
    }
    switch (message.type) {
      case 'challenge':
        void login(message)
        break
      case 'welcome':
        if (session === undefined) break
        session = { ...session, isWelcome: true }
        log('info', 'solver_logged_in', { solver: message.solver.name, service: session.service })
        deps.onWelcome(message)
        break
      case 'order':
        deps.onOrder(message)
        break
      case 'reoffered':
        deps.onReoffer(message.orderId, message.order)
        break
      case 'rejected':
        log('warn', 'service_rejected_message', message)
        break
      case 'refused':
        log('warn', 'service_refused_message', message)
        break
      default:
        if (message.type === 'filled') deps.onFillKnown(message.orderId)
        log('info', 'solver_news', message)
    }
  }
  const isOpen = (): boolean => session?.isWelcome === true && socket.readyState === WebSocket.OPEN
  const sendQuotes = async (pairs: readonly StandingQuote[]): Promise<boolean> => {
    if (session === undefined || !isOpen()) return false
    const { sequence } = session
    session = { ...session, sequence: sequence + 1 }
    const signature = await account.signMessage({
      message: quotesText(session, { sequence, pairs: [...pairs] }),
    })
    return isOpen() && write(encodeSolverMessage({ type: 'quotes', sequence, pairs: [...pairs], signature }))
  }
  const send = (message: Exclude<SolverMessage, { type: 'quotes' | 'login' }>): boolean =>
    isOpen() &&
    (message.type !== 'fill' || (session?.version ?? 1) >= NEWS_VERSION) &&
    write(encodeSolverMessage(message))
  return { receive, isOpen, sendQuotes, send }
}

/** A persistent link that reconnects with exponential back-off and jitter, within a second at most. */
export const createServiceLink = (deps: LinkDeps): ServiceLink => {
  const account = privateKeyToAccount(deps.privateKey)
  let current: ReturnType<typeof createSession> | undefined
  let socket: WebSocket | undefined
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let isRunning = false

  const connect = (): void => {
    const opened = new WebSocket(deps.url, {
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    })
    const session = createSession(deps, account, opened)
    socket = opened
    current = session
    const silence = setTimeout(() => opened.terminate(), SILENCE_MS)
    opened.on('ping', () => silence.refresh())
    opened.on('message', (frame, isBinary) => {
      silence.refresh()
      session.receive(textOf(frame, isBinary))
      if (session.isOpen()) failures = 0
    })
    opened.on('error', (error) => {
      if (failures === 0) deps.log('warn', 'service_unreachable', { error })
    })
    opened.on('close', (code, reason) => {
      clearTimeout(silence)
      current = undefined
      if (!isRunning) return
      if (code === CLOSE_CODES.replaced) return deps.log('error', 'solver_login_replaced')
      if (failures === 0)
        deps.log('warn', 'service_connection_closed', { code, reason: reason.toString('utf8') })
      failures += 1
      timer = setTimeout(connect, withJitter(backoffMs(RECONNECTION, failures), deps.random))
    })
  }

  return {
    sendQuotes: async (pairs) => (await current?.sendQuotes(pairs)) ?? false,
    send: (message) => current?.send(message) ?? false,
    isOpen: () => current?.isOpen() ?? false,
    start: () => {
      if (isRunning) return
      isRunning = true
      connect()
    },
    stop: () => {
      isRunning = false
      clearTimeout(timer)
      const closing = socket
      closing?.close(NORMAL_CLOSURE)
      // Does not wait for a peer that never closes its side.
      setTimeout(() => closing?.terminate(), CLOSE_MS).unref()
    },
  }
}
