import { type ChainId, type OpeningReason, RfqError } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { OpeningAnswer, OpeningRequest } from '../../core/opening.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { type Conditions, createConditions } from '../../lib/conditions.ts'
import { createFairShare, type FairShare } from '../../lib/fair-share.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { shareInFlight } from '../../lib/share-in-flight.ts'
import type { Store, StoredTransaction } from '../../store/store.ts'
import { OutboxError } from '../../transactions/outbox-error.ts'
import {
  type Attempt,
  type AttemptDeps,
  attemptOf,
  checkForm,
  declinedAnswer,
  invalid,
  methodsOf,
  openableOf,
  signedAnswer,
} from './attempt.ts'
import { createDailyCap, type DailyCap } from './daily-cap.ts'
import { createOpeningWatch, type OpeningWatch } from './opening-watch.ts'
import { createSenderLimits, type SenderLimits } from './sender-limits.ts'
import { isSignedByKey } from './signature-check.ts'
import { type PricedOpening, priceOpening, whyNotOpened } from './trial.ts'
import { openingBy } from './typed-data.ts'
import { wasOpened } from './was-opened.ts'

/** Opens orders between EVM chains by their depositors' signatures, at the operator's cost. */
export type Opener = Lifecycle & {
  /** How an order may be opened, as its quote shows it; undefined if it may not. `allowance` is what the settler may spend. */
  readonly openingsOf: (
    order: IntentOrder,
    orderId: OrderId,
    allowance: bigint | undefined,
  ) => readonly ReturnType<typeof openingBy>[] | undefined
  /**
   * Opens the order of a quote once, for repeated calls and calls of several clients too. Throws INVALID_REQUEST for what can never open it, and
   * RATE_LIMITED while the sender, the client or everybody has had enough; declines with a reason what does not open it now.
   */
  readonly open: (quote: QuoteRecord, request: OpeningRequest, client: string) => Promise<OpeningAnswer>
}

type OpenerDeps = AttemptDeps & {
  readonly store: Pick<Store, 'findTransaction' | 'listOpenTransactions'>
  /** The time of orders' deadlines. */
  readonly now: () => Instant
  /** Milliseconds that never go back. */
  readonly steady: () => number
  readonly log: Log
}

/** The opener's dependencies and what it remembers. */
type Parts = OpenerDeps & {
  readonly limits: SenderLimits
  readonly mayTry: FairShare
  readonly capOf: (chainId: ChainId) => DailyCap
  readonly watch: OpeningWatch
  readonly unfunded: Conditions<ChainId>
}

/** What is left of the time to open for a transaction to be mined in. */
const INCLUSION_MS = 10_000
/** Tries of all clients together; each asks endpoints of the chain three or four questions. */
const TRIES = { most: 32, windowMs: 1_000 }

const limited = (message: string, waitMs: number): RfqError =>
  new RfqError('RATE_LIMITED', message, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })

/** Throws for what cannot open the order, or not yet. */
const checkAttempt = ({ now, limits, mayTry }: Parts, attempt: Attempt, client: string): void => {
  checkForm(attempt)
  if (now() + INCLUSION_MS > attempt.order.openDeadline * 1000)
    throw invalid('quoteId', 'the quote has expired, or will before its order could be opened')
  const waitMs = limits.waitMs(attempt.sender)
  if (waitMs > 0)
    throw limited('the sender has another opening under way, or its last one failed on chain', waitMs)
  if (!mayTry(client)) throw limited('too many openings are asked for', TRIES.windowMs)
}

/** Whose the signatures are: the sender's key's, or for a contract to judge; undefined if the chain cannot be read. */
const signerOf = async (attempt: Attempt): Promise<'key' | 'contract' | 'stranger' | undefined> => {
  const { method, signatures, chain, order } = attempt
  if (isSignedByKey(method, attempt, signatures)) return 'key'
  const hasCode = await chain.evm.hasCode(order.depositor).catch(() => undefined)
  if (hasCode === undefined) return undefined
  return hasCode ? 'contract' : 'stranger'
}

/** Signs and sends. */
const submit = async (
  { capOf, watch, store, log }: Parts,
  attempt: Attempt,
  { call, cost }: PricedOpening,
): Promise<OpeningAnswer> => {
  const { quoteId, order, orderId, key, sender, chain } = attempt
  const { originChain: chainId, originSettler: settler } = order
  const cap = capOf(chainId)
  // Others may have used the rest while this one was tried.
  if (cap.waitMs(cost) !== 0) throw limited(`no more orders are opened on ${chainId} today`, TRIES.windowMs)
  const takeBack = cap.add(cost)
  const follow = (): void => watch.follow({ key, chainId, settler, orderId, sender })
  try {
    const entry = await chain.outbox.submit(call)
    follow()
    log('info', 'opening_signed', { quoteId, chainId, key, txHash: entry.txHash, cost })
    return signedAnswer(attempt, entry)
  } catch (error) {
    // Whether it was signed all the same, the store knows.
    const isSigned = await store.findTransaction(key).then(
      (found) => found !== undefined,
      () => true,
    )
    if (!isSigned) takeBack()
    if (error instanceof OutboxError && error.code === 'FULL')
      throw limited('too many openings wait for their blocks', TRIES.windowMs)
    follow()
    log('warn', 'opening_submit_failed', { quoteId, chainId, key, error })
    return declinedAnswer(attempt, 'unavailable')
  }
}

/** Tries the opening: what it costs, or the answer if something is against it. */
const tryOpening = async (
  parts: Parts,
  attempt: Attempt,
): Promise<{ readonly priced: PricedOpening } | { readonly declined: OpeningAnswer }> => {
  const { chain, order } = attempt
  const { originChain: chainId } = order
  const head = chain.evm.head()
  if (head === undefined) return { declined: declinedAnswer(attempt, 'unavailable') }
  const priced = priceOpening(attempt, head)
  const waitMs = parts.capOf(chainId).waitMs(priced.cost)
  if (waitMs === undefined || priced.cost > BigInt(chain.terms.costCap))
    return { declined: declinedAnswer(attempt, 'too_expensive') }
  if (waitMs > 0) throw limited(`no more orders are opened on ${chainId} today`, waitMs)
  const reason = await whyNotOpened(parts, attempt, priced).catch((error: unknown): OpeningReason => {
    parts.log('warn', 'opening_trial_failed', { chainId, orderId: attempt.orderId, error })
    return 'unavailable'
  })
  return reason === undefined ? { priced } : { declined: declinedAnswer(attempt, reason) }
}

/** Tries in the sender's turn, which stays with an opening that may have been signed. */
const tryInTurn = async (parts: Parts, attempt: Attempt): Promise<OpeningAnswer> => {
  const { limits, watch } = parts
  const { sender, key, order } = attempt
  const signer = await signerOf(attempt)
  if (signer === undefined) return declinedAnswer(attempt, 'unavailable')
  if (signer === 'stranger')
    throw invalid('signatures', `the signatures are not of the sender ${order.depositor}`)
  // Everybody can send anything for a contract account: only what it accepts takes its turn.
  const before = signer === 'contract' ? await tryOpening(parts, attempt) : undefined
  if (before !== undefined && 'declined' in before) return before.declined
  if (!limits.take(sender)) throw limited('the sender has another opening under way', TRIES.windowMs)
  try {
    const tried = await tryOpening(parts, attempt)
    return 'declined' in tried ? tried.declined : await submit(parts, attempt, tried.priced)
  } finally {
    if (!watch.follows(key)) limits.release(sender)
  }
}

/**
 * The answer for an opening that was signed. One whose transaction failed has opened the order all the same if a stranger sent
 * the same call first; while that cannot be read, nothing is said of its end.
 */
const answerOf = async (
  { mayTry, log }: Parts,
  attempt: Attempt,
  entry: StoredTransaction,
  client: string,
): Promise<OpeningAnswer> => {
  const answer = signedAnswer(attempt, entry)
  if (answer.state !== 'failed') return answer
  if (!mayTry(client)) throw limited('too many openings are asked for', TRIES.windowMs)
  const { chain, order, orderId } = attempt
  try {
    const isOpened = await wasOpened(chain.evm, order.originSettler, orderId)
    return isOpened ? { ...answer, state: 'opened' } : answer
  } catch (error) {
    log('warn', 'order_read_failed', { chainId: order.originChain, orderId, error })
    return { ...answer, state: 'submitted' }
  }
}

const connectParts = (deps: OpenerDeps): Parts => {
  const { chains, steady } = deps
  const limits = createSenderLimits(steady)
  const caps = new Map(
    [...chains].map(([chainId, { terms }]) => [
      chainId,
      createDailyCap({ orders: terms.dailyOrders, cost: BigInt(terms.dailyCostCap) }, steady),
    ]),
  )
  return {
    ...deps,
    limits,
    mayTry: createFairShare(TRIES, steady),
    capOf: (chainId) => {
      const cap = caps.get(chainId)
      if (cap === undefined) throw new RangeError(`no orders are opened on ${chainId}`)
      return cap
    },
    watch: createOpeningWatch({ ...deps, limits }),
    unfunded: createConditions(),
  }
}

/** Creates the opener of the chains on which the operator pays for openings. */
export const createOpener = (deps: OpenerDeps): Opener => {
  const parts = connectParts(deps)
  const inFlight = shareInFlight<string, OpeningAnswer>()
  return {
    openingsOf: (order, orderId, allowance) => {
      const openable = openableOf(deps, order, orderId)
      const terms = deps.chains.get(order.originChain)?.terms
      if (openable === undefined || terms === undefined) return undefined
      const methods = methodsOf(openable, terms, allowance)
      return methods.length === 0 ? undefined : methods.map((method) => openingBy(method, openable))
    },
    open: async (quote, request, client) => {
      const attempt = attemptOf(deps, quote, request)
      const known = await deps.store.findTransaction(attempt.key)
      if (known !== undefined) return answerOf(parts, attempt, known, client)
      return inFlight(`${attempt.key} ${request.method} ${request.signatures.join()}`, async () => {
        checkAttempt(parts, attempt, client)
        return tryInTurn(parts, attempt)
      })
    },
    start: parts.watch.start,
    stop: parts.watch.stop,
  }
}
