import type { ChainId } from '@openrfq/sdk'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { HistoryFault } from '../../chains/rpc/history-fault.ts'
import { RpcError, rpcErrorCode } from '../../chains/rpc/rpc-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { IntentTerms } from '../../core/network.ts'
import type { Payment } from '../../core/payment.ts'
import { createEmitter } from '../../lib/emitter.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import type { Store, StoredPayment } from '../../store/store.ts'
import { type DepositSummary, summarizeDeposits } from './deposit-summary.ts'
import { type FillFactOf, fillFactOf, isFillOf, payeeOf } from './fill-facts.ts'
import type { HistoryUsed } from './history-watch.ts'
import { createDepositMatcher } from './match-deposit.ts'
import { createPaymentIndexer, type PaymentRecord, storedOf, type VaultChain } from './payment-indexer.ts'
import { createPaymentReview } from './payment-review.ts'

/** The payments of one order on payment chains. `deposits`: undefined where no vault receives them. */
export type OrderPayments = {
  /** `final`: reliable for moving money. `seen`: including payments that may still be reverted. */
  readonly deposits: { readonly final: DepositSummary; readonly seen: DepositSummary } | undefined
  readonly fill: (Payment & { readonly final: boolean }) | undefined
}

/**
 * What a transaction that a solver named shows. `filled`: it is the fill, now or before; `not_final`: too few endpoints know it
 * as final; `other`: it is not the fill.
 */
type NamedFill = 'filled' | 'not_final' | 'other'

/**
 * Called for each payment when it is first seen, and again when it is final; final ones are repeated after a restart.
 */
type PaymentListener = (record: PaymentRecord) => Promise<void> | void

/** All payments of orders on payment chains: deposits and payouts from the vaults' history, fills as solvers name them. */
export type PaymentIndex = {
  /**
   * Reads the transaction that filled an order, and this transaction alone, by a quorum of endpoints; stores the fill and
   * tells the listeners. Rejects if the chain cannot be read or the store fails.
   */
  readonly nameFill: (orderId: OrderId, order: IntentOrder, txHash: string) => Promise<NamedFill>
  /** Rejects if the vault's chain of the order was not read a moment ago. */
  readonly getOrderPayments: (orderId: OrderId, order: IntentOrder) => Promise<OrderPayments>
  /** The known payments, whether or not the chains can be read now. */
  readonly lastKnown: (orderId: OrderId, order: IntentOrder) => Promise<OrderPayments>
  /**
   * The time in seconds of the newest final block of a chain up to which every payment is indexed, or undefined before
   * the first. Payments read after this call include all up to it.
   */
  readonly finalTime: (chainId: ChainId) => number | undefined
  /** The number of that block. */
  readonly finalNumber: (chainId: ChainId) => bigint | undefined
  /**
   * Whether all payments up to the newest final block of a vault's chain are known, which quotes require; on a chain without
   * vault, whether it is read at all.
   */
  readonly isCurrent: (chainId: ChainId) => boolean
  /** Why payments of a chain cannot be read on until the operator acts; undefined while they can. */
  readonly historyFault: (chainId: ChainId) => HistoryFault | undefined
  /** How far reading is behind on each chain that was read, as a part of its endpoints' history: at 1 the history is used up. */
  readonly historiesUsed: () => readonly HistoryUsed[]
  /** The status of an order's fill if its destination is a payment chain. */
  readonly fillOf: FillFactOf
  /** Returns the unsubscriber. Errors of a listener are logged. */
  readonly onEvent: (listener: PaymentListener) => () => void
  /** Reads every chain once, and reviews what is stored; a failure to read a chain is logged. */
  readonly round: () => Promise<void>
  /** Resumes reading at the stored cursors; resolves after the first attempt on every chain. */
  readonly start: () => Promise<void>
  /** Resolves when all work has ended. */
  readonly stop: () => Promise<void>
}

type Deps = {
  readonly vaults: readonly VaultChain[]
  /** The chains on which orders are filled by payments, those of the vaults included. */
  readonly paymentChains: ReadonlyMap<ChainId, PaymentChain>
  readonly terms: Pick<IntentTerms, 'depositGraceSeconds'>
  readonly store: Pick<
    Store,
    | 'findCursor'
    | 'savePayments'
    | 'addPayment'
    | 'findPayments'
    | 'findQuote'
    | 'listQuotesSince'
    | 'newestConfirmedPayment'
    | 'listUnconfirmedPayments'
    | 'confirmPayment'
    | 'voidPayment'
  >
  readonly now: () => Instant
  readonly log: Log
  /** Between two reads of a chain, in milliseconds. */
  readonly pollMs?: number
}

const POLL_MS = 1_000

type Reader = ReturnType<typeof createPaymentIndexer>
type Readers = ReadonlyMap<ChainId, Reader>

/** The stored and the tentative payments of one order. */
const createLookup = ({ vaults, terms, store }: Deps, readers: Readers) => {
  const dustOf = new Map(vaults.map((one) => [one.chain.chainId, one.dustOf]))

  /** The payments of an order on one chain; one that has just become final may be in both lists. */
  const paymentsOf = async (orderId: OrderId, chainId: ChainId, role: PaymentRecord['role']) => {
    const records = readers.get(chainId)?.progress()?.tentative ?? []
    const stored = await store.findPayments(orderId)
    const tentative = records.filter((one) => one.orderId === orderId && one.role === role)
    return {
      final: stored.filter((one) => one.chainId === chainId && one.role === role),
      tentative: tentative.map(({ payment }) => payment),
    }
  }

  const findDeposits = async (orderId: OrderId, order: IntentOrder): Promise<OrderPayments['deposits']> => {
    const dust = dustOf.get(order.originChain)
    if (dust === undefined) return undefined
    // Read the clock first: then the payments include all up to it.
    const finalSeconds = readers.get(order.originChain)?.progress()?.finalSeconds
    const { final, tentative } = await paymentsOf(orderId, order.originChain, 'deposit')
    const depositTerms = { graceSeconds: terms.depositGraceSeconds, dustOf: dust }
    const summarize = (deposits: readonly Payment[]): DepositSummary =>
      summarizeDeposits({ order, deposits, finalSeconds, terms: depositTerms })
    return { final: summarize(final), seen: summarize([...tentative, ...final]) }
  }

  const findFill = async (orderId: OrderId, order: IntentOrder): Promise<OrderPayments['fill']> => {
    const stored = await store.findPayments(orderId)
    const found = stored.find((one) => one.role === 'fill' && isFillOf(orderId, order, one))
    return found && { ...found, final: true }
  }
  const lastKnown: PaymentIndex['lastKnown'] = async (orderId, order) => {
    const [deposits, fill] = await Promise.all([findDeposits(orderId, order), findFill(orderId, order)])
    return { deposits, fill }
  }
  return { lastKnown, findFill }
}

const historiesOf = (readers: Readers): readonly HistoryUsed[] =>
  [...readers].flatMap(([chainId, { historyUsed }]) => {
    const used = historyUsed()
    return used === undefined ? [] : [{ chainId, used }]
  })

/** Stores the fills that solvers name, from the named transactions alone. */
const createNaming =
  (
    { paymentChains, store }: Deps,
    findFill: ReturnType<typeof createLookup>['findFill'],
    notify: (record: PaymentRecord) => Promise<void>,
  ): PaymentIndex['nameFill'] =>
  async (orderId, order, txHash) => {
    const read = async (): Promise<Payment | NamedFill> => {
      const chain = paymentChains.get(order.destinationChain)
      if (chain === undefined) return 'other'
      try {
        const to = payeeOf(order.recipient).account
        const payments = await chain.paymentsIn({ txHash, from: order.filler, to })
        return payments.find((one) => isFillOf(orderId, order, one)) ?? 'other'
      } catch (error) {
        if (rpcErrorCode(error) === 'NODE_BEHIND') return 'not_final'
        throw error
      }
    }
    const known = await findFill(orderId, order)
    const payment = known ?? (await read())
    if (typeof payment === 'string') return payment
    const record: PaymentRecord = { payment, final: true, role: 'fill', orderId, quote: undefined }
    if (known === undefined) await store.addPayment(storedOf(record))
    // Known ones too: listeners may not have been told before a crash.
    await notify(record)
    return 'filled'
  }

/** Asks every endpoint once more about each stored payment. */
const createReviews = ({ paymentChains, store, now, log }: Deps, readers: Readers) => {
  const voidPayment = async (payment: StoredPayment): Promise<boolean> => {
    const reader = readers.get(payment.chainId)
    // Nothing is hidden behind a fill that was made up where no history is read.
    if (reader === undefined) await store.voidPayment(payment)
    return reader === undefined || reader.voidPayment(payment)
  }
  return [...paymentChains.values()].map((chain) => ({
    chainId: chain.chainId,
    ...createPaymentReview({ chain, store, voidPayment, now, log }),
  }))
}

/**
 * Indexes the vaults' accounts, and the fills that solvers name, on all payment chains; stores final payments and keeps the
 * others in memory. No account of a solver is read, whose history strangers write.
 */
export const createPaymentIndex = (deps: Deps): PaymentIndex => {
  const { vaults, paymentChains, store, now, log, pollMs = POLL_MS } = deps
  const events = createEmitter<PaymentRecord>((error, { orderId }) =>
    log('error', 'listener_failed', { listener: 'payments', orderId, error }),
  )
  const readerDeps = { store, match: createDepositMatcher(deps), now, log, notify: events.emitInTurn }
  const readers: Readers = new Map(
    vaults.map((vault) => [vault.chain.chainId, createPaymentIndexer(vault, readerDeps)]),
  )
  const reviews = createReviews(deps, readers)
  const { lastKnown, findFill } = createLookup(deps, readers)

  const readOne = ({ chainId, round }: Reader): Promise<void> =>
    round().catch((error: unknown) => log('warn', 'payment_read_failed', { chainId, error }))
  const reading = [
    ...[...readers.values()].map(({ chainId, round }) =>
      createPoller({ name: 'payment_read', fields: { chainId }, periodMs: pollMs, run: round, log }),
    ),
    ...reviews.map(({ chainId, round }) =>
      createPoller({ name: 'payment_review', fields: { chainId }, periodMs: pollMs, run: round, log }),
    ),
  ]

  const finalTime = (chainId: ChainId): number | undefined => readers.get(chainId)?.progress()?.finalSeconds
  const isOutdated = (chainId: ChainId): boolean => readers.get(chainId)?.isCurrent() === false

  return {
    lastKnown,
    nameFill: createNaming(deps, findFill, events.emitInTurn),
    getOrderPayments: async (orderId, order) => {
      const { originChain } = order
      if (isOutdated(originChain))
        throw new RpcError('NODE_BEHIND', `the payments of ${originChain} were not read for a while`)
      return lastKnown(orderId, order)
    },
    finalTime,
    finalNumber: (chainId) => readers.get(chainId)?.progress()?.finalNumber,
    isCurrent: (chainId) =>
      readers.get(chainId)?.isCurrent() ?? paymentChains.get(chainId)?.head() !== undefined,
    historyFault: (chainId) => readers.get(chainId)?.historyFault(),
    historiesUsed: () => historiesOf(readers),
    fillOf: async (orderId, order) => {
      // Whether it is too late for a fill is agreed before anything is paid for it.
      const finalSeconds = paymentChains.get(order.destinationChain)?.head()?.finalTimestampSeconds
      const fill = await findFill(orderId, order)
      return fillFactOf(order, fill !== undefined, finalSeconds)
    },
    onEvent: events.on,
    round: async () => {
      await Promise.all([...readers.values()].map(readOne))
      await Promise.all(reviews.map((review) => review.round()))
    },
    start: async () => {
      await Promise.all(reading.map((rounds) => rounds.start()))
    },
    stop: async () => {
      await Promise.all(reading.map((rounds) => rounds.stop()))
    },
  }
}
