import type { Client, QuoteParams } from '../client/create-client.ts'
import type { WaitOutcome } from '../client/wait-for-transfer.ts'
import { type Guarded, type Guards, unsafe } from '../guard/guards.ts'
import type { MissingGuard } from '../guard/missing-guard.ts'
import { checkNoWorse } from '../guard/no-worse-quote.ts'
import { checkTerms } from '../guard/quote-terms.ts'
import type { OrderType } from '../wire/order-type.ts'
import type { Quote } from '../wire/quote.ts'
import type { Status } from '../wire/status.ts'
import type { ActionProgress, StartedTransfer } from './execution.ts'
import { afterSending, ExecutionError, type ExecutionErrorCode, type SentAction } from './execution-error.ts'
import type { Payer } from './payer.ts'

/**
 * What a swap has just done: chosen a quote among those of the service; found no guard that refuses it, with what the guards do not
 * say; refused it, and gone on to the next; found that it can be paid; sent an action, or seen it in a block; started the transfer;
 * read its status.
 * @example
 * const textOf = (progress: SwapProgress): string =>
 *   progress.step === 'status' ? progress.status.state : progress.step
 */
export type SwapProgress =
  | { readonly step: 'quoted'; readonly quote: Quote; readonly quotes: readonly Quote[] }
  | { readonly step: 'guarded'; readonly quote: Quote; readonly missing: readonly MissingGuard[] }
  | { readonly step: 'refused'; readonly quote: Quote; readonly error: ExecutionError }
  | { readonly step: 'simulated'; readonly quote: Quote }
  | ({ readonly step: 'sent' | 'included' } & Omit<ActionProgress, 'event'>)
  | { readonly step: 'started'; readonly started: StartedTransfer }
  | { readonly step: 'status'; readonly status: Status }

/**
 * A swap: the quote request without its sender, which is the payer. `orderType` is EXACT_INPUT by default. `choose` picks
 * one of the quotes, the first by default, and again among the others when it is refused. An aborted `signal` ends the wait for the transfer and every request; it takes back nothing that was sent.
 * @example
 * const toSolana = (client: Client, payer: Payer, recipient: string): Swap => ({
 *   client, payer, recipient, amount: 25_000_000n,
 *   fromChain: 'eip155:1', fromToken: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
 *   toChain: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', toToken: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
 *   guards: { maximumLossBps: 100 },
 *   onProgress: ({ step }) => console.log(step),
 * })
 */
export type Swap = Omit<QuoteParams, 'sender' | 'orderType'> & {
  readonly client: Client
  readonly payer: Payer
  readonly orderType?: OrderType | undefined
  readonly guards?: Guards | undefined
  /** The quote that a person chose of an answer to the same request: `swap` begins with it, and asks for others only later. */
  readonly quote?: Quote | undefined
  readonly choose?: ((quotes: readonly Quote[]) => Quote | undefined) | undefined
  readonly onProgress?: ((progress: SwapProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** Time for the delivery or refund, in milliseconds; as of `waitForTransfer`. */
  readonly timeoutMs?: number | undefined
}

/**
 * How a swap ended, with the quote that was executed.
 * @example
 * const isPaid = ({ status }: SwapOutcome): boolean => status?.state === 'DONE'
 */
export type SwapOutcome = WaitOutcome & { readonly quote: Quote; readonly started: StartedTransfer }

/** A person who takes minutes for an approval needs a second quote, seldom a third. */
const MOST_QUOTES = 3
const MOST_CLOCK_OFFSET_MS = 24 * 3600 * 1000

/**
 * Requests quotes, refuses a quote that is not as requested and goes on to the next, simulates it, has the payer sign and send it, and
 * follows the transfer until its delivery or refund. When the quote expires before the last action is sent, it goes on with a new
 * one that is not worse. Throws ExecutionError, whose code says what had been sent, RfqError and TransportError; of several
 * refused quotes the error of the first. Once the transfer has started, only `signal` ends the wait early.
 * @example
 * const pay = async (client: Client, payer: Payer, recipient: string) => {
 *   const { status } = await swap({
 *     client, payer, recipient, amount: 25_000_000n,
 *     fromChain: 'eip155:1', fromToken: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
 *     toChain: 'eip155:43114', toToken: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
 *   })
 *   console.log(status?.state)
 * }
 */
export const swap = async (order: Swap): Promise<SwapOutcome> => {
  const { client, onProgress, signal, timeoutMs } = order
  const { quote, started } = await start(order)
  onProgress?.({ step: 'started', started })
  const outcome = await client.waitForTransfer({
    ...started,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(signal === undefined ? {} : { signal }),
    onStatus: (status) => onProgress?.({ step: 'status', status }),
  })
  return { ...outcome, quote, started }
}

type Started = { readonly quote: Quote; readonly started: StartedTransfer }

const start = async (order: Swap): Promise<Started> => {
  const sent: SentAction[] = []
  const onAction = ({ event, ...of }: ActionProgress): void => {
    if (event === 'sent') sent.push({ actionId: of.action.id, txHash: of.txHash })
    order.onProgress?.({ step: event, ...of })
  }
  try {
    return await tryQuotes(order, onAction)
  } catch (error) {
    throw afterSending(error, sent)
  }
}

/** Executes a quote, and after its expiry another one. */
const tryQuotes = async (order: Swap, onAction: (progress: ActionProgress) => void): Promise<Started> => {
  const request = requestOf(order)
  let accepted: Quote | undefined
  for (let attempt = 1; ; attempt += 1) {
    const { quote, now } = await nextQuote(order, request, accepted)
    accepted ??= quote
    order.signal?.throwIfAborted()
    try {
      return { quote, started: await order.payer.execute({ quote, now: now(), onAction }) }
    } catch (error) {
      const isExpired = error instanceof ExecutionError && error.code === 'expired'
      if (!isExpired || attempt === MOST_QUOTES) throw error
    }
  }
}

const requestOf = ({ payer, orderType = 'EXACT_INPUT', ...order }: Swap): QuoteParams => {
  const { fromChain, fromToken, toChain, toToken, amount, recipient, slippageTolerance, options } = order
  const ends = { fromChain, fromToken, toChain, toToken, recipient }
  return { ...ends, amount, orderType, sender: payer.address, slippageTolerance, options }
}

type Approved = { readonly quote: Quote; readonly now: () => number }

/** Why a quote is not executed and another one may be: nothing was signed for it. */
const PASSED_OVER: readonly ExecutionErrorCode[] = ['unsafe', 'refused', 'unsupported', 'expired']

/** The first chosen quote of a new answer that no guard refuses and that the payer can pay. */
const nextQuote = async (
  order: Swap,
  request: QuoteParams,
  accepted: Quote | undefined,
): Promise<Approved> => {
  const { client, choose = ([first]) => first, onProgress, signal } = order
  const isChosen = order.quote !== undefined && accepted === undefined
  const quotes = isChosen ? [order.quote] : await client.getQuotes(request, { signal })
  let left = quotes.filter(({ backend }) => accepted === undefined || backend.type === accepted.backend.type)
  let refusal: ExecutionError | undefined
  for (;;) {
    const quote = choose(left)
    if (quote === undefined) throw refusal ?? noQuote(request, quotes.length === 0)
    onProgress?.({ step: 'quoted', quote, quotes })
    try {
      return await approved(order, request, { quote, accepted })
    } catch (error) {
      if (!(error instanceof ExecutionError) || !PASSED_OVER.includes(error.code)) throw error
      onProgress?.({ step: 'refused', quote, error })
      refusal ??= error
    }
    const others = left.filter((other) => other !== quote)
    if (others.length === left.length) throw refusal
    left = others
  }
}

const noQuote = ({ fromToken, toToken }: QuoteParams, isTransient: boolean): ExecutionError =>
  new ExecutionError('no_quote', `no quote from ${fromToken} to ${toToken} now`, { isTransient })

const approved = async (
  { client, payer, guards = {}, onProgress }: Swap,
  request: QuoteParams,
  { quote, accepted }: { readonly quote: Quote; readonly accepted: Quote | undefined },
): Promise<Approved> => {
  const { now } = client
  // Times of the service are compared with each other; one that is days off would lock a deposit for longer than it seems.
  if (Math.abs(now() - Date.now()) > MOST_CLOCK_OFFSET_MS)
    throw unsafe('service_clock', "the service's clock is a day off")
  const missing = new Set<MissingGuard>()
  const lacks: Guarded['lacks'] = (one) => void missing.add(one)
  const guarded: Guarded = { quote, request, guards, now: now(), accepted, lacks }
  checkTerms(guarded)
  checkNoWorse(guarded)
  await payer.guard(guarded)
  if (guards.strict === true && missing.size > 0)
    throw unsafe('missing_guard', `nothing guards: ${[...missing].join(', ')}`)
  onProgress?.({ step: 'guarded', quote, missing: [...missing] })
  await payer.simulate(quote)
  onProgress?.({ step: 'simulated', quote })
  return { quote, now }
}
