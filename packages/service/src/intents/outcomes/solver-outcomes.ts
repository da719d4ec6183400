import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { EndedSolverOrder, SolverOrder, SolverOrderEnd } from '../../core/solver-order.ts'
import { tokenKey } from '../../core/token-key.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import { createPoller } from '../../lib/poller.ts'
import type { Store } from '../../store/store.ts'
import { orderIdOfQuote, orderOfQuote } from '../settlers/quoted-order.ts'
import type { Book } from '../solver-api/book.ts'
import type { SolverDirectory } from '../solver-api/solver-directory.ts'
import type { PaymentIndex } from '../vault/payment-index.ts'
import { judgeOrder } from './judge-order.ts'
import { createRecipientCheck, type RecipientCheck, type RecipientCheckDeps } from './recipient-check.ts'
import type { SolverNews } from './solver-news.ts'
import type { SolverRecords } from './solver-records.ts'

/** Records how the orders of solvers end. */
export type SolverOutcomes = Lifecycle & {
  /** Stores the order of a quote whose whole input was seen deposited. Rejects if the store fails. */
  readonly deposited: (quote: QuoteRecord) => Promise<void>
  /** Looks at every open order once. Rejects if the store fails. */
  readonly round: () => Promise<void>
}

type Deps = RecipientCheckDeps & {
  readonly store: Pick<
    Store,
    | 'addSolverOrder'
    | 'endSolverOrder'
    | 'listOpenSolverOrders'
    | 'listEndedSolverOrders'
    | 'findQuote'
    | 'findTransfer'
    | 'findDeclinedOrder'
  >
  readonly records: SolverRecords
  readonly directory: Pick<SolverDirectory, 'ownerOf'>
  readonly book: Pick<Book, 'wasReserved'>
  readonly paymentIndex: Pick<PaymentIndex, 'lastKnown'>
  readonly news: Pick<SolverNews, 'blocked'>
  readonly now: () => Instant
  readonly log: Log
}

const ROUND_MS = 2_000
const PAGE = 500
const AT_ONCE = 8
/** Orders older than this say nothing about a solver any more. */
const REMEMBERED_MS = 30 * 86_400_000
/** Another process may store an end late. */
const OVERLAP_MS = 60_000
/** An order without a deposit this long after its fill deadline never had one. */
const VANISHED_MS = 86_400_000
const REMEMBERED_DEPOSITS = 20_000

const UNCOUNTED = { outcome: 'uncounted', fillSeconds: undefined } as const

const pairOf = ({ fromChain, fromToken, toChain, toToken }: QuoteRecord): string =>
  `${tokenKey({ chainId: fromChain, address: fromToken })} ${tokenKey({ chainId: toChain, address: toToken })}`

/** Reads how an order ended; undefined while it has not. */
const readEnd = async (
  { store, book, paymentIndex, now }: Deps,
  isPayable: RecipientCheck,
  { orderId, quoteId }: SolverOrder,
): Promise<Omit<SolverOrderEnd, 'endedAt'> | undefined> => {
  const quote = await store.findQuote(quoteId)
  if (quote === undefined) return UNCOUNTED
  const order = orderOfQuote(quote)
  const transfer = await store.findTransfer(quoteId, '')
  const isDelivered = transfer?.state === 'DONE'
  if (!isDelivered && !(await isPayable(order))) return UNCOUNTED
  if (transfer === undefined || transfer.state === 'AWAITING_DEPOSIT')
    return now() > order.fillDeadline * 1000 + VANISHED_MS ? UNCOUNTED : undefined
  const { deposits } = await paymentIndex.lastKnown(orderId, order)
  const completedBy = deposits?.final.completedBy ?? deposits?.seen.completedBy
  const end = judgeOrder(quote, transfer, completedBy?.timestampSeconds)
  const isDeclined =
    end?.outcome === 'declined' ||
    (end?.outcome === 'faded' && (await store.findDeclinedOrder(orderId)) !== undefined)
  if (end === undefined || !isDeclined) return end
  return book.wasReserved(orderId) ? { ...end, outcome: 'declined' } : UNCOUNTED
}

/**
 * Creates the recorder. It judges each order by its transfer, which the service follows to its end, and counts none whose
 * recipient could not be paid at some look, nor a decline of one whose inventory was not reserved at its deposit. Several processes may share the store: the first end of an order is kept.
 */
export const createSolverOutcomes = (deps: Deps): SolverOutcomes => {
  const { store, directory, records, news, now, log } = deps
  const isPayable = createRecipientCheck(deps)
  const stored = createLru<OrderId, true>(REMEMBERED_DEPOSITS)
  let readUpTo: Instant | undefined

  const take = (ended: EndedSolverOrder): void => {
    const { solver, pair } = ended
    const before = records.of(solver, pair)?.block
    records.add(ended)
    const after = records.of(solver, pair)?.block
    // What the store remembers is no news.
    if (readUpTo === undefined) return
    if (after !== undefined && after.until !== before?.until && after.until > now()) {
      log('warn', 'solver_blocked', { solver, pair, until: new Date(after.until).toISOString() })
      news.blocked(solver, pair, after.until)
    }
    if (after === undefined && before !== undefined) log('info', 'solver_unblocked', { solver, pair })
  }
  /** Reads the ends that this or another process stored since the last call. */
  const readEnded = async (): Promise<void> => {
    const at = now()
    const since = readUpTo === undefined ? at - REMEMBERED_MS : readUpTo - OVERLAP_MS
    let after: EndedSolverOrder | undefined
    do {
      const page = await store.listEndedSolverOrders(since, PAGE, after)
      page.forEach(take)
      after = page.length < PAGE ? undefined : page.at(-1)
    } while (after !== undefined)
    readUpTo = at
  }
  const look = async (order: SolverOrder): Promise<void> => {
    records.open(order)
    const { orderId, solver } = order
    try {
      const end = await readEnd(deps, isPayable, order)
      if (end === undefined) return
      if (await store.endSolverOrder(orderId, { ...end, endedAt: now() }))
        log('info', 'solver_order_ended', { orderId, solver, outcome: end.outcome })
    } catch (error) {
      log('warn', 'solver_order_unreadable', { orderId, error })
    }
  }
  const round = async (): Promise<void> => {
    let after: SolverOrder | undefined
    do {
      const page = await store.listOpenSolverOrders(PAGE, after?.orderId)
      await mapAtMost(AT_ONCE, page, look)
      after = page.length < PAGE ? undefined : page.at(-1)
    } while (after !== undefined)
    await readEnded()
  }
  const poller = createPoller({ name: 'solver_outcomes', periodMs: ROUND_MS, run: round, log })
  return {
    deposited: async (quote) => {
      const orderId = orderIdOfQuote(quote)
      const solver = directory.ownerOf(orderOfQuote(quote).solver)?.address
      if (solver === undefined || stored.get(orderId) === true) return
      const { quoteId, sender: depositor, input, createdAt: quotedAt } = quote
      const order = { orderId, quoteId, solver, pair: pairOf(quote), depositor, input, quotedAt }
      // An order that is read again may have ended; a round reads those of other processes.
      if (await store.addSolverOrder(order)) records.open(order)
      stored.set(orderId, true)
    },
    round,
    start: poller.start,
    stop: poller.stop,
  }
}
