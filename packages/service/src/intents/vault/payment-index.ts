import type { ChainId } from '@openrfq/sdk'
import { createRounds } from '../../chains/rounds.ts'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { IntentTerms } from '../../core/network.ts'
import type { Payment } from '../../core/payment.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import { type DepositSummary, summarizeDeposits } from './deposit-summary.ts'
import { type FillFactOf, fillFactOf, isFillOf } from './fill-facts.ts'
import { createDepositMatcher } from './match-deposit.ts'
import { createPaymentIndexer, type PaymentRecord, type VaultChain } from './payment-indexer.ts'

/** What ledgers say of one order: nothing of a side that is an EVM chain. */
export type OrderPayments = {
  /** `final`: what money may rest on. `seen`: with the payments that may still be taken back. */
  readonly deposits: { readonly final: DepositSummary; readonly seen: DepositSummary } | undefined
  readonly fill: (Payment & { readonly final: boolean }) | undefined
}

/** Is told of each payment when it is first seen, and when it is final; of final ones again after a restart. */
type PaymentListener = (record: PaymentRecord) => Promise<void> | void

/** What all ledgers say about orders. */
export type PaymentIndex = {
  /** Rejects when a ledger of the order was not read a moment ago. */
  readonly getOrderPayments: (orderId: OrderId, order: IntentOrder) => Promise<OrderPayments>
  /** What is known whether or not the ledgers can be read now. */
  readonly lastKnown: (orderId: OrderId, order: IntentOrder) => Promise<OrderPayments>
  /**
   * The time of the newest final block of a ledger up to which every payment is known, in seconds, or undefined before
   * the first. Facts that are asked for after it hold all payments up to it.
   */
  readonly finalTime: (chainId: ChainId) => number | undefined
  /** How the fill of an order stands whose destination is a ledger. */
  readonly fillOf: FillFactOf
  /** Returns the unsubscriber. What a listener throws is logged. */
  readonly onEvent: (listener: PaymentListener) => () => void
  /** Reads every ledger once; a failure is logged. */
  readonly round: () => Promise<void>
  /** Starts reading where it ended before; resolves after the first attempt on every ledger. */
  readonly start: () => Promise<void>
  /** Resolves when nothing runs any more. */
  readonly stop: () => Promise<void>
}

type Deps = {
  readonly vaultChains: readonly VaultChain[]
  readonly terms: Pick<IntentTerms, 'quoteLifetimeSeconds' | 'depositGraceSeconds'>
  readonly store: Pick<
    Store,
    'findCursor' | 'savePayments' | 'findPayments' | 'findQuote' | 'listQuotesSince'
  >
  readonly now: () => Instant
  readonly log: Log
  /** Between two reads of a ledger, in milliseconds. */
  readonly pollMs?: number
}

const POLL_MS = 1_000
/** Facts that were read longer ago do not tell how a ledger stands now. */
const CURRENT_MS = 15_000

/** Tells listeners one after the other; a listener that fails is no reason not to tell the next. */
const createListeners = (log: Log) => {
  const listeners = new Set<PaymentListener>()
  const notify = async (record: PaymentRecord): Promise<void> => {
    for (const listener of listeners)
      try {
        await listener(record)
      } catch (error) {
        log('error', 'listener of a ledger failed', { orderId: record.orderId, error })
      }
  }
  const add = (listener: PaymentListener) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }
  return { add, notify }
}

type Reader = ReturnType<typeof createPaymentIndexer>
type Readers = ReadonlyMap<ChainId, Reader>

/** What is stored and remembered of one order. */
const createLookup = ({ vaultChains, terms, store }: Deps, readers: Readers) => {
  const dustOf = new Map(vaultChains.map((vaultChain) => [vaultChain.chain.chainId, vaultChain.dustOf]))

  /** The payments of an order on one ledger; one that has just become final may be in both lists. */
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
    // The clock first: the payments up to it are then all among the facts.
    const finalSeconds = readers.get(order.originChain)?.progress()?.finalSeconds
    const { final, tentative } = await paymentsOf(orderId, order.originChain, 'deposit')
    const account = (payments: readonly Payment[]): DepositSummary =>
      summarizeDeposits(order, payments, finalSeconds, {
        graceSeconds: terms.depositGraceSeconds,
        dustOf: dust,
      })
    return { final: account(final), seen: account([...tentative, ...final]) }
  }

  const findFill = async (orderId: OrderId, order: IntentOrder): Promise<OrderPayments['fill']> => {
    if (!readers.has(order.destinationChain)) return undefined
    const { final, tentative } = await paymentsOf(orderId, order.destinationChain, 'fill')
    const isFill = (payment: Payment): boolean => isFillOf(orderId, order, payment)
    const found = final.find(isFill)
    if (found !== undefined) return { ...found, final: true }
    const seen = tentative.find(isFill)
    return seen && { ...seen, final: false }
  }
  return { findDeposits, findFill }
}

/** Reads the vaults and the fillers' accounts on all ledgers, keeps what is final and remembers what is not. */
export const createPaymentIndex = (deps: Deps): PaymentIndex => {
  const { vaultChains, store, now, log, pollMs = POLL_MS } = deps
  const listeners = createListeners(log)
  const readerDeps = { store, match: createDepositMatcher(deps), now, log, notify: listeners.notify }
  const readers: Readers = new Map(
    vaultChains.map((vaultChain) => [vaultChain.chain.chainId, createPaymentIndexer(vaultChain, readerDeps)]),
  )
  const { findDeposits, findFill } = createLookup(deps, readers)

  const readOne = ({ chainId, round }: Reader): Promise<void> =>
    round().catch((error: unknown) => log('warn', 'payments could not be read', { chainId, error }))
  const reading = [...readers.values()].map(({ chainId, round }) =>
    createRounds({ name: `reading payments of ${chainId}`, periodMs: pollMs, run: round, log }),
  )

  const finalTime = (chainId: ChainId): number | undefined => readers.get(chainId)?.progress()?.finalSeconds
  const isOutdated = (chainId: ChainId): boolean =>
    readers.has(chainId) && now() - (readers.get(chainId)?.progress()?.readAt ?? 0) > CURRENT_MS

  const lastKnown: PaymentIndex['lastKnown'] = async (orderId, order) => {
    const [deposits, fill] = await Promise.all([findDeposits(orderId, order), findFill(orderId, order)])
    return { deposits, fill }
  }

  return {
    lastKnown,
    getOrderPayments: async (orderId, order) => {
      const outdated = [order.originChain, order.destinationChain].find(isOutdated)
      if (outdated !== undefined) throw new Error(`the payments of ${outdated} were not read for a while`)
      return lastKnown(orderId, order)
    },
    finalTime,
    fillOf: async (orderId, order) => {
      // The clock first, as above.
      const finalSeconds = finalTime(order.destinationChain)
      const fill = await findFill(orderId, order)
      return fillFactOf(order, fill?.final === true, finalSeconds)
    },
    onEvent: listeners.add,
    round: async () => {
      await Promise.all([...readers.values()].map(readOne))
    },
    start: async () => {
      await Promise.all(reading.map((rounds) => rounds.start()))
    },
    stop: async () => {
      await Promise.all(reading.map((rounds) => rounds.stop()))
    },
  }
}
