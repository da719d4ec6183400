import assert from 'node:assert/strict'
import { RfqError } from '@openrfq/sdk'
import type { Backend, QuoteResult, Route } from '../backends/backend.ts'
import { taggedActions } from '../chains/evm/quote-tag.ts'
import type { Instant } from '../core/instant.ts'
import type { Decline, Offer, UnpayableReason } from '../core/offer.ts'
import type { Order, QuoteRequest } from '../core/order.ts'
import { firstQuoteId, type QuoteId, quoteIds } from '../core/quote-id.ts'
import { quoteRecordOf } from '../core/quote-record.ts'
import type { RankedQuote } from '../core/ranked-quote.ts'
import { type RankedOffer, rank } from '../core/ranking.ts'
import { inTime } from '../lib/in-time.ts'
import type { Log } from '../lib/log.ts'
import type { PriceSource } from '../pricing/price-source.ts'
import type { Store } from '../store/store.ts'
import type { PricingDeadlines } from './pricing-deadlines.ts'
import { type RangeDecline, rangeError } from './range-error.ts'
import { type ResolveDeps, resolveOrder } from './resolve-order.ts'
import { rankingOrder, usdTexts, withValueWarnings } from './valuation.ts'

/** How a backend answered an order; `fault` and `timeout` exclude it from the answer. */
export type BackendOutcome = 'offer' | 'declined' | 'fault' | 'timeout'

export type RequestQuotesDeps = ResolveDeps & {
  readonly backends: readonly Backend[]
  readonly store: Pick<Store, 'saveQuotes'>
  readonly prices: PriceSource
  /** The offers that may be shown: those whose orders are known wherever they must be before a deposit. */
  readonly offerable: (order: Order, offers: readonly Offer[]) => Promise<readonly Offer[]>
  /** Called with the offers of every answer that has quotes, in their order, once the quotes are stored. */
  readonly quoted: (order: Order, offers: readonly RankedOffer[]) => void
  readonly now: () => Instant
  /** 80 bits from a secure source. */
  readonly randomBits: () => bigint
  readonly log: Log
  readonly backendAnswered: (backend: string, outcome: BackendOutcome, seconds: number) => void
  /** After its deadline the answer goes out without a backend. */
  readonly deadlineMs: PricingDeadlines
}

type BackendRoute = { readonly backend: Backend; readonly route: Route }
type Answer = { readonly backend: string; readonly answer: QuoteResult | undefined }

const offersOf = ({ answer }: Answer): readonly Offer[] =>
  answer === undefined || 'declined' in answer ? [] : answer

/** A backend's result for an order, and how long it took. */
type Ended = {
  readonly outcome: BackendOutcome
  readonly answer: Answer['answer']
  readonly seconds: number
}

/** Asks one backend; logs its faults. */
const askBackend = async (
  deps: RequestQuotesDeps,
  { backend, route }: BackendRoute,
  order: Order,
): Promise<Ended> => {
  const startedAt = deps.now()
  const ended = (outcome: BackendOutcome, answer: Answer['answer']): Ended => ({
    outcome,
    answer,
    seconds: (deps.now() - startedAt) / 1000,
  })
  try {
    const answer = await backend.quote(order, route)
    return ended('declined' in answer ? 'declined' : 'offer', answer)
  } catch (error) {
    deps.log('error', 'backend_pricing_failed', { backend: backend.type, error })
    return ended('fault', undefined)
  }
}

/** Asks one backend under its deadline. */
const askInTime = async (deps: RequestQuotesDeps, asked: BackendRoute, order: Order): Promise<Answer> => {
  const backend = asked.backend.type
  const deadlineMs = deps.deadlineMs(asked.route)
  const end = await inTime(askBackend(deps, asked, order), deadlineMs)
  if (end === undefined) {
    deps.log('warn', 'backend_pricing_timed_out', { backend, deadlineMs })
    deps.backendAnswered(backend, 'timeout', deadlineMs / 1000)
    return { backend, answer: undefined }
  }
  deps.backendAnswered(backend, end.outcome, end.seconds)
  return { backend, answer: end.answer }
}

const findRoutes = (deps: RequestQuotesDeps, order: Order): readonly BackendRoute[] => {
  const { from, to } = order
  const found =
    from.chain.chainId === to.chain.chainId
      ? []
      : deps.backends.flatMap((backend) => backend.routes({ from, to }).map((route) => ({ backend, route })))
  if (found.length > 0) return found
  throw unsupportedRoute(order)
}

const unsupportedRoute = ({ from, to }: Order): RfqError =>
  new RfqError(
    'UNSUPPORTED_ROUTE',
    `no backend serves ${from.token.symbol} on ${from.chain.chainLabel} to ${to.token.symbol} on ${to.chain.chainLabel}`,
    {
      fromChain: from.chain.chainId,
      fromToken: from.token.address,
      toChain: to.chain.chainId,
      toToken: to.token.address,
    },
  )

const withTag = (offer: Offer, quoteId: QuoteId): Offer => ({
  ...offer,
  actions: taggedActions(offer.actions, quoteId),
})

const quotesOf = (order: Order, shown: readonly RankedOffer[]): readonly RankedQuote[] => {
  const ids = quoteIds(order.answerId, shown.length)
  return shown.map((ranked, position) => {
    const quoteId = ids[position]
    assert(quoteId !== undefined, 'an answer has as many ids as quotes')
    const usd = usdTexts(ranked.worth)
    return {
      record: quoteRecordOf(order, ranked.offer, quoteId, usd),
      offer: withTag(withValueWarnings(ranked), quoteId),
      selectionReason: ranked.selectionReason,
      usd,
      integrator: null,
    }
  })
}

const declinesOf = ({ answer }: Answer): readonly Decline[] =>
  answer !== undefined && 'declined' in answer ? [answer] : []

/**
 * Throws the error that the backends agree on. One that never priced the pair is no route; one that cannot price now has
 * no vote on the range.
 */
const throwIfRefused = (order: Order, answers: readonly Answer[]): void => {
  const serving = answers.filter(({ answer }) => answer === undefined || !isUnserved(answer))
  if (serving.length === 0) throw unsupportedRoute(order)
  const declines = serving.flatMap(declinesOf)
  const unpayable = declines.filter((decline) => decline.declined === 'unpayable')
  const [first] = unpayable
  if (first !== undefined && unpayable.length === serving.length) throw unpayableRecipient(order, first)
  const ranges = serving.flatMap(({ backend, answer }): readonly RangeDecline[] =>
    answer !== undefined && 'declined' in answer && answer.declined === 'out_of_range'
      ? [{ backend, minimum: answer.minimum, maximum: answer.maximum }]
      : [],
  )
  if (ranges.length === 0 || first !== undefined) return
  const named = new Set(ranges.map(({ backend }) => backend))
  throw rangeError(
    order,
    ranges,
    serving.map(({ backend }) => backend).filter((backend) => !named.has(backend)),
  )
}

const isUnserved = (answer: QuoteResult): boolean => 'declined' in answer && answer.declined === 'unserved'

const unpayableRecipient = ({ recipient, to }: Order, { reasonCode, reason }: UnpayableReason): RfqError =>
  new RfqError(
    'INVALID_REQUEST',
    `recipient ${recipient} cannot be paid on ${to.chain.chainLabel}: ${reason}`,
    {
      field: 'recipient',
      value: recipient,
      chain: to.chain.chainId,
      reasonCode,
      reason,
    },
  )

/**
 * Answers a request with ranked quotes, saved before they are returned; empty if the route is served but nothing can
 * price it now. Throws UNSUPPORTED_CHAIN, UNSUPPORTED_TOKEN, UNSUPPORTED_ROUTE and INVALID_REQUEST. Throws INVALID_REQUEST
 * too if every backend that serves the route says that the recipient cannot be paid, and AMOUNT_OUT_OF_RANGE if every one
 * that can price now declines the amount. Source: interface "POST /v1/rfq/quote".
 */
export const requestQuotes = async (
  deps: RequestQuotesDeps,
  request: QuoteRequest,
  client: string,
): Promise<readonly RankedQuote[]> => {
  const createdAt = deps.now()
  const answerId = firstQuoteId(createdAt, deps.randomBits())
  const order = resolveOrder(deps, request, { createdAt, answerId, client })
  const routes = findRoutes(deps, order)
  const answers = await Promise.all(routes.map((route) => askInTime(deps, route, order)))
  const offers = answers.flatMap(offersOf)
  if (offers.length === 0) {
    throwIfRefused(order, answers)
    return []
  }
  const offerable = await deps.offerable(order, offers)
  if (offerable.length === 0) return []
  const shown = rank(rankingOrder(order), offerable, deps.prices)
  const quotes = quotesOf(order, shown)
  await deps.store.saveQuotes(quotes.map(({ record }) => record))
  deps.quoted(order, shown)
  return quotes
}
