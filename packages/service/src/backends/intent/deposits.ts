import { setTimeout } from 'node:timers/promises'
import type { ChainId } from '@openrfq/sdk'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { IntentTerms } from '../../core/network.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Transfer } from '../../core/transfer.ts'
import type { ChangedOrder, EscrowOrigins } from '../../intents/settlers/escrow-origins.ts'
import type { SettlerEventRecord } from '../../intents/settlers/order-events.ts'
import { orderIdOfQuote, orderOfQuote } from '../../intents/settlers/quoted-order.ts'
import type { Solver } from '../../intents/solver-api/best-offers.ts'
import type { Book } from '../../intents/solver-api/book.ts'
import type { SolverDirectory } from '../../intents/solver-api/solver-directory.ts'
import type { PaymentIndex } from '../../intents/vault/payment-index.ts'
import type { PaymentRecord } from '../../intents/vault/payment-indexer.ts'
import { backoffMs } from '../../lib/backoff.ts'
import { createEmitter } from '../../lib/emitter.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import type { Store } from '../../store/store.ts'
import { createDepositCheck, type DepositCheckDeps } from './deposit-check.ts'
import { quoteOfOrder } from './quote-of-order.ts'

type SeenEvent = Pick<SettlerEventRecord, 'chainId' | 'event' | 'final' | 'blockNumber'>

/** Tracks quoted orders that have a deposit and are neither filled nor refunded. */
export type Deposits = {
  /** Restores the reservations for quotes and deposits from before a restart. */
  readonly restore: () => Promise<void>
  /**
   * Processes a settler event. A deposit is matched to its quote by the salt; one without a quote is ignored. An order
   * ends by a final event of its own chain only. Rejects after five failed store reads.
   */
  readonly onSettlerEvent: (record: SeenEvent) => Promise<void>
  /** Processes a change of an order of an escrow program. Rejects after five failed store reads. */
  readonly onEscrowChange: (changed: ChangedOrder) => Promise<void>
  /** Processes a payment on a payment chain. Rejects after five failed reads of the chain or the store. */
  readonly onPayment: (record: PaymentRecord) => Promise<void>
  /** Asks again about deposits on payment chains that an endpoint denied, and notifies their solvers when none does. */
  readonly round: () => Promise<void>
  /**
   * Adds a listener for quotes with a deposit, which is called again each time the deposit changes. One that rejects is
   * called up to five times.
   */
  readonly onDeposit: (listener: (quote: QuoteRecord) => Promise<void>) => () => void
  /** As `onDeposit`, for quotes whose whole input is deposited: an order on a payment chain may be paid in parts. */
  readonly onComplete: Deposits['onDeposit']
  /** The orders with a deposit that are not known to be over. */
  readonly open: () => readonly OpenOrder[]
  /** Notifies a solver of all its open orders. */
  readonly resendOpenOrders: (solver: Solver) => void
}

export type DepositsDeps = DepositCheckDeps & {
  readonly store: Pick<Store, 'findQuote' | 'listQuotesSince' | 'listOpen'>
  readonly book: Pick<Book, 'restore' | 'commit' | 'seenFilled' | 'filled' | 'release'>
  readonly paymentIndex: Pick<PaymentIndex, 'lastKnown'>
  readonly terms: Pick<IntentTerms, 'quoteLifetimeSeconds'>
  readonly directory: Pick<SolverDirectory, 'ownerOf'>
  readonly notify: (orderId: OrderId, order: IntentOrder, final: boolean) => void
  /** Follows a quoted order whose origin has an escrow program. */
  readonly follow: EscrowOrigins['follow']
  readonly log: Log
}

/** An order with its deposit; `final`: in a final block. */
type Deposit = { readonly order: IntentOrder; readonly final: boolean }
type OpenOrder = Deposit & { readonly orderId: OrderId }

/** A final end of an order, on the chain that told it. */
type End = { readonly chainId: ChainId; readonly kind: 'filled' | 'refunded' }

/** Whether the end is told by the chain of the order on which orders end so. */
const isEndOf = ({ originChain, destinationChain }: IntentOrder, { chainId, kind }: End): boolean =>
  chainId === (kind === 'filled' ? destinationChain : originChain)

/** Limit of open orders kept for solvers that log in later; beyond it they rely on the chain. */
const MAX_OPEN = 100_000
/** Ended orders that are remembered, because their deposit is reported again when it becomes final. */
const MAX_OVER = 100_000
/** How long after its fill deadline an order is still sent, so that its solver can decline it. */
const KEPT_SECONDS = 3_600
/** An attested order is sent for longer: only its solver can name its fill to the service. */
const ATTESTED_KEPT_SECONDS = 604_800
const PAGE = 1_000
const ATTEMPTS = 5
const RETRY = { firstMs: 100, maximumMs: 1_000 }

/** Runs the work up to five times with exponential back-off. */
const retrying = async (work: () => Promise<void>): Promise<void> => {
  for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
    const done = await work().then(
      () => true,
      () => false,
    )
    if (done) return
    await setTimeout(backoffMs(RETRY, attempt))
  }
  await work()
}

/** Iterates over all pages of a list; `next` returns the page after the given item. */
const eachPage = async <Item>(
  next: (after: Item | undefined) => Promise<readonly Item[]>,
  use: (item: Item) => Promise<void> | void,
): Promise<void> => {
  let after: Item | undefined
  do {
    const page = await next(after)
    for (const item of page) await use(item)
    after = page.length < PAGE ? undefined : page.at(-1)
  } while (after !== undefined)
}

type Keep = (orderId: OrderId, deposit: Deposit) => void

/** Whether the known payments are the whole input; a settler or escrow program takes no other deposit. */
const isComplete = async (
  { paymentIndex }: Pick<DepositsDeps, 'paymentIndex'>,
  quote: QuoteRecord,
): Promise<boolean> => {
  const { deposits } = await paymentIndex.lastKnown(orderIdOfQuote(quote), orderOfQuote(quote))
  return deposits === undefined || deposits.seen.state === 'complete'
}

/** Restores the reservations for quotes and deposits from before a restart. */
const restorer = (deps: DepositsDeps, keep: Keep): Deposits['restore'] => {
  const { store, book, terms, now, follow } = deps
  const restoreQuotes = (): Promise<void> => {
    const since = now() - terms.quoteLifetimeSeconds * 1000
    return eachPage(
      (after: QuoteRecord | undefined) => store.listQuotesSince(since, PAGE, after?.quoteId),
      (quote) => {
        if (quote.backend !== 'intent') return
        const followed = { orderId: orderIdOfQuote(quote), order: orderOfQuote(quote) }
        book.restore(followed.orderId, followed.order)
        follow(followed, false)
      },
    )
  }
  const restoreDeposits = (): Promise<void> =>
    eachPage(
      (after: Transfer | undefined) => store.listOpen(PAGE, after),
      async ({ quoteId, state }) => {
        const quote = state === 'PENDING' ? await store.findQuote(quoteId) : undefined
        if (quote?.backend !== 'intent') return
        const followed = { orderId: orderIdOfQuote(quote), order: orderOfQuote(quote) }
        follow(followed, true)
        if (await isComplete(deps, quote)) keep(followed.orderId, { order: followed.order, final: false })
      },
    )
  return async () => {
    await restoreQuotes()
    await restoreDeposits()
  }
}

/** Ends open orders, and remembers which have ended. */
const createEnds = (open: Map<OrderId, Deposit>) => {
  const over = createLru<OrderId, End>(MAX_OVER)
  return {
    isOver: (orderId: OrderId, order: IntentOrder): boolean => {
      const end = over.get(orderId)
      return end !== undefined && isEndOf(order, end)
    },
    /** Ends an order. False, without effect, for an end on a chain that is not the order's. */
    close: (orderId: OrderId, end: End): boolean => {
      const known = open.get(orderId)
      if (known !== undefined && !isEndOf(known.order, end)) return false
      open.delete(orderId)
      over.set(orderId, end)
      return true
    },
  }
}

/** Listeners for quotes; one that rejects is called up to five times. */
const createListeners = (listener: string, log: Log) => {
  const { on, emitInTurn } = createEmitter<QuoteRecord>((error, { quoteId }) =>
    log('error', 'listener_failed', { listener, quoteId, error }),
  )
  return {
    emitInTurn,
    on: (called: (quote: QuoteRecord) => Promise<void>) => on((quote) => retrying(() => called(quote))),
  }
}

/** Ends orders in the book too: with a fill, which a chain may show before it is final, or a final refund. */
const createClosings = (
  { book }: Pick<DepositsDeps, 'book'>,
  open: ReadonlyMap<OrderId, Deposit>,
  close: ReturnType<typeof createEnds>['close'],
) => {
  const filled = (orderId: OrderId, chainId: ChainId, blockNumber: bigint): void => {
    if (close(orderId, { chainId, kind: 'filled' })) book.filled(orderId, Number(blockNumber))
  }
  const seenFilled = (orderId: OrderId, chainId: ChainId, blockNumber: bigint): void => {
    const known = open.get(orderId)
    if (known !== undefined && isEndOf(known.order, { chainId, kind: 'filled' }))
      book.seenFilled(orderId, Number(blockNumber))
  }
  return {
    filled,
    seenFilled,
    /** A final fill by another account than the order's filler frees the solver's inventory. */
    filledAtSettler: (filler: string, { event, chainId, final, blockNumber }: SeenEvent): void => {
      const { orderId } = event
      const named = open.get(orderId)?.order.filler
      if (named === undefined || named === filler)
        (final ? filled : seenFilled)(orderId, chainId, blockNumber)
      else if (final && close(orderId, { chainId, kind: 'filled' })) book.release(orderId)
    },
    refunded: (orderId: OrderId, chainId: ChainId): void => {
      if (close(orderId, { chainId, kind: 'refunded' })) book.release(orderId)
    },
  }
}

/** Tracks deposits for the book, the solvers and the transfers. */
export const createDeposits = (deps: DepositsDeps): Deposits => {
  const { store, book, paymentIndex, directory, notify, now, log } = deps
  const deposited = createListeners('deposits', log)
  const completed = createListeners('complete_deposits', log)
  const check = createDepositCheck(deps)
  const open = new Map<OrderId, Deposit>()
  const { isOver, close } = createEnds(open)

  const keep = (orderId: OrderId, deposit: Deposit): void => {
    if (open.has(orderId) || open.size < MAX_OPEN) open.set(orderId, deposit)
    book.commit(orderId, deposit.order)
  }
  const { filled, seenFilled, filledAtSettler, refunded } = createClosings(deps, open, close)
  const opened = async (quote: QuoteRecord, deposit: Deposit): Promise<void> => {
    const orderId = orderIdOfQuote(quote)
    if (!isOver(orderId, deposit.order)) {
      keep(orderId, deposit)
      notify(orderId, deposit.order, deposit.final)
    }
    await deposited.emitInTurn(quote)
    await completed.emitInTurn(quote)
  }
  const openedAtSettler = async (orderId: OrderId, deposit: Deposit): Promise<void> => {
    if (open.get(orderId)?.final === true) return
    const quote = await quoteOfOrder(store, orderId, deposit.order.salt)
    if (quote !== undefined) await opened(quote, deposit)
  }
  /** A deposit on a payment chain counts for the solver once its payments add up to the whole input. */
  const depositedAtVault = async (orderId: OrderId, quote: QuoteRecord): Promise<void> => {
    const order = orderOfQuote(quote)
    const { deposits } = await paymentIndex.lastKnown(orderId, order)
    if (deposits?.seen.state !== 'complete') return deposited.emitInTurn(quote)
    if (open.get(orderId)?.final === true) return
    const final = deposits.final.state === 'complete' && (await check.isClear(quote))
    await opened(quote, { order, final })
  }
  return {
    restore: restorer(deps, keep),
    onSettlerEvent: async (seen) => {
      const { chainId, event, final } = seen
      const { kind, orderId } = event
      if (kind === 'open') {
        const { order } = event
        await retrying(() => openedAtSettler(orderId, { order, final }))
      }
      if (kind === 'filled' || kind === 'attestedFilled') filledAtSettler(event.filler, seen)
      if (kind === 'refunded' && final) refunded(orderId, chainId)
    },
    onEscrowChange: async ({ orderId, order, change }) => {
      if (change === 'seen' || change === 'open')
        await retrying(() => openedAtSettler(orderId, { order, final: change === 'open' }))
      else if (change !== 'released') refunded(orderId, order.originChain)
    },
    onPayment: async ({ payment, role, final, orderId, quote }) => {
      if (orderId === undefined) return
      if (role === 'deposit' && quote !== undefined) await retrying(() => depositedAtVault(orderId, quote))
      if (role === 'fill') (final ? filled : seenFilled)(orderId, payment.chainId, payment.blockNumber)
    },
    round: () => check.round((quote) => depositedAtVault(orderIdOfQuote(quote), quote)),
    onDeposit: deposited.on,
    onComplete: completed.on,
    open: () => [...open].map(([orderId, deposit]) => ({ orderId, ...deposit })),
    resendOpenOrders: ({ address }) => {
      const solver = directory.ownerOf(address)?.address
      if (solver === undefined) return
      for (const [orderId, { order }] of open) {
        const keptSeconds = order.attester === undefined ? KEPT_SECONDS : ATTESTED_KEPT_SECONDS
        if ((order.fillDeadline + keptSeconds) * 1000 < now()) open.delete(orderId)
      }
      for (const [orderId, { order, final }] of open)
        if (directory.ownerOf(order.solver)?.address === solver) notify(orderId, order, final)
    },
  }
}
