import type { PaymentChain, PaymentChainHead, SigningMarks } from '../../chains/payment-chain.ts'
import { createHistoryFaults } from '../../chains/rpc/history-fault.ts'
import { RpcError } from '../../chains/rpc/rpc-error.ts'
import type { Instant } from '../../core/instant.ts'
import { OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { VaultSigners } from '../../core/vault-signers.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import { createMutex } from '../../lib/mutex.ts'
import type { Store, StoredPayment } from '../../store/store.ts'
import { cursorOf, findPlaceBefore, findStart, isBeyondChain, type Reached } from '../payment-cursor.ts'
import { orderIdOfQuote } from '../settlers/quoted-order.ts'
import { createBalanceFinder } from './balance-deposit.ts'
import type { DepositTerms } from './deposit-summary.ts'
import { createHistoryWatch } from './history-watch.ts'
import type { DepositMatcher } from './match-deposit.ts'
import type { UnmatchedTerms } from './obligations.ts'
import { createTentativePayments } from './tentative-payments.ts'

/** A payment chain on which the operator's vault receives deposits. */
export type VaultChain = Pick<DepositTerms, 'dustOf'> & {
  readonly chain: PaymentChain
  /** What returning an unmatched deposit of a token takes; undefined for a token that the operator cannot send. */
  readonly unmatchedTermsOf: (token: string) => UnmatchedTerms | undefined
  /** Where reading continues by the operator's decision although history is lost; undefined otherwise. */
  readonly readAfter: bigint | undefined
  readonly signingMarks: SigningMarks
  /** The operator's account that receives deposits. */
  readonly vault: string
  /** The keys of the vault; undefined where the network file names none. */
  readonly signers?: VaultSigners | undefined
  /** The accounts whose sequence numbers its payouts use beside its own. */
  readonly channels?: readonly string[]
  /** The operator's accounts that fund the vault; payments between them and the vault are not in its books. */
  readonly treasury: readonly string[]
  /** The tokens that the vault can hold. */
  readonly tokens: readonly string[]
  /** The most that the vault pays in a token per day, in base units; undefined for no limit. */
  readonly dailyLimitOf: (token: string) => bigint | undefined
}

/** A payment into or out of a vault, or a fill that its solver named, and the order it belongs to. */
export type PaymentRecord = {
  readonly payment: Payment
  readonly final: boolean
  readonly role: StoredPayment['role']
  /** Undefined for an unmatched deposit. */
  readonly orderId: OrderId | undefined
  /** The quote of a deposit's order. */
  readonly quote: QuoteRecord | undefined
}

/** The progress of indexing one chain. */
type IndexProgress = {
  /** The newest final block whose payments are all stored. */
  readonly finalNumber: bigint
  /** Its time. */
  readonly finalSeconds: number
  readonly readAt: Instant
  /** Payments that may still be reverted. */
  readonly tentative: readonly PaymentRecord[]
}

export type PaymentIndexerDeps = {
  readonly store: Pick<Store, 'findCursor' | 'savePayments' | 'newestConfirmedPayment' | 'voidPayment'>
  readonly match: DepositMatcher
  readonly now: () => Instant
  readonly log: Log
  /**
   * Called for each payment when it is first seen, and again when it is final; final ones are repeated after a restart.
   */
  readonly notify: (record: PaymentRecord) => Promise<void>
}

const REMEMBERED_MATCHES = 20_000
/** Limit of payments of one reading that are not final. */
const MOST_TENTATIVE = 10_000
const SAVE_CURSOR_MS = 10_000
/** Age at which an index is outdated. */
const CURRENT_MS = 15_000
/** Longer than sound endpoints take to agree on the newest final blocks. */
const MOST_BEHIND_SECONDS = 30

const keyOf = ({ txHash, position }: Payment): string => `${txHash} ${position}`

/** Endpoints may tell another payment with the same key first. */
const contentOf = (payment: Payment): string => {
  const { from, to, muxedId, token, amount, memo, timestampSeconds } = payment
  return [keyOf(payment), from, to, muxedId, token, amount, memo, timestampSeconds].join(' ')
}

/** A payment as it is stored first. */
export const storedOf = ({ payment, role, orderId, quote }: PaymentRecord): StoredPayment => ({
  ...payment,
  role,
  orderId,
  quoteId: quote?.quoteId,
  settled: false,
  confirmed: false,
})

/** Whether a payment goes into the vault, out of it, or moves the operator's own funds; undefined if it touches none. */
const vaultRoleOf = (
  { vault, treasury }: VaultChain,
  { from, to }: Payment,
): 'deposit' | 'payout' | 'own' | undefined => {
  if (from === vault) return to === vault || treasury.includes(to) ? 'own' : 'payout'
  if (to === vault) return treasury.includes(from) ? 'own' : 'deposit'
  return undefined
}

/**
 * Creates a function that gives payments of a vault their roles and orders; a cached match does not change. It rejects if the
 * store cannot be read.
 */
export const createPaymentClassifier = (
  vaultChain: VaultChain,
  { match }: Pick<PaymentIndexerDeps, 'match'>,
) => {
  const matches = createLru<string, { readonly quote: QuoteRecord | undefined }>(REMEMBERED_MATCHES)
  const matchOf = async (payment: Payment): Promise<QuoteRecord | undefined> => {
    const known = matches.get(contentOf(payment))
    if (known !== undefined) return known.quote
    const quote = await match(payment)
    matches.set(contentOf(payment), { quote })
    return quote
  }
  const findBalances = createBalanceFinder(vaultChain.chain.balancesToClaim)
  const recordDeposit = async (payment: Payment, final: boolean): Promise<readonly PaymentRecord[]> => {
    const quote = await matchOf(payment)
    const role = 'deposit'
    if (quote === undefined) return [{ payment, final, role, orderId: undefined, quote }]
    const orderId = orderIdOfQuote(quote)
    const balances = final ? await findBalances(payment, quote) : []
    return [payment, ...balances].map((one) => ({ payment: one, final, role, orderId, quote }))
  }
  const classify = async (payment: Payment, final: boolean): Promise<readonly PaymentRecord[]> => {
    const orderId = OrderId.safeParse(payment.memo).data
    const role = vaultRoleOf(vaultChain, payment)
    if (role === 'payout') return [{ payment, final, role, orderId, quote: undefined }]
    return role === 'deposit' ? recordDeposit(payment, final) : []
  }
  return async (payments: readonly Payment[], final: boolean): Promise<readonly PaymentRecord[]> => {
    const records: PaymentRecord[] = []
    for (const payment of payments) records.push(...(await classify(payment, final)))
    return records
  }
}

/** How far a chain is read and its listeners are notified; work on it is done in turn. */
const createPlace = (vaultChain: VaultChain, { store, now, log }: PaymentIndexerDeps) => {
  const { chain } = vaultChain
  const inTurn = createMutex()
  let notified: Reached | undefined
  let savedAt = Number.NEGATIVE_INFINITY
  return {
    inTurn,
    get: async (): Promise<Reached> =>
      notified ?? findStart({ ...vaultChain, startAfter: undefined, store, log }),
    set: (reached: Reached): void => {
      notified = reached
    },
    leaveIfBeyondChain: (): void => {
      if (notified !== undefined && isBeyondChain(chain.head(), notified)) notified = undefined
    },
    save: async (reached: Reached, records: readonly PaymentRecord[]): Promise<void> => {
      if (records.length === 0 && now() - savedAt < SAVE_CURSOR_MS) return
      await store.savePayments(chain.chainId, cursorOf(reached), records.map(storedOf))
      savedAt = now()
    },
    /**
     * Voids a stored payment and reads its place again, durably. Does nothing and returns false while it is not known
     * that the chain has the blocks read. Rejects if the store fails.
     */
    voidPayment: (payment: StoredPayment): Promise<boolean> =>
      inTurn(async () => {
        if (notified === undefined || (chain.head()?.finalNumber ?? -1n) < notified.number) return false
        const before = await findPlaceBefore({ chain, store }, payment)
        const isPassed = notified.number > before.number
        // First the cursor: what a void payment hid must not stay unread.
        if (isPassed) await store.savePayments(chain.chainId, cursorOf(before), [])
        await store.voidPayment(payment)
        if (isPassed) notified = before
        return true
      }),
  }
}

const secondsBehind = (head: PaymentChainHead | undefined, progress: IndexProgress | undefined): number => {
  const finalSeconds = progress?.finalSeconds ?? 0
  return (head?.finalTimestampSeconds ?? finalSeconds) - finalSeconds
}

/**
 * Indexes one chain's payments: stores final ones with the cursor and keeps the others in memory. The stored cursor
 * passes a payment only after listeners have been notified, so that after a crash they are notified again.
 */
export const createPaymentIndexer = (vaultChain: VaultChain, deps: PaymentIndexerDeps) => {
  const { chain, vault } = vaultChain
  const { now, log, notify } = deps
  const { chainId } = chain
  const classify = createPaymentClassifier(vaultChain, deps)
  const place = createPlace(vaultChain, deps)
  const history = createHistoryWatch({ chain, now, log })
  const keepTentative = createTentativePayments<PaymentRecord>(now)
  let notifiedTentative: ReadonlySet<string> = new Set()
  let progress: IndexProgress | undefined
  const faults = createHistoryFaults(now)

  const readFrom = async (after: Reached): Promise<void> => {
    const read = await chain.readPayments([vault], after.number)
    if (read.upTo < after.number)
      throw new RpcError('NODE_BEHIND', `${chainId} was read up to ${read.upTo} only, after ${after.number}`)
    const final = await classify(read.final, true)
    const seen = await classify(read.tentative.slice(0, MOST_TENTATIVE), false)
    const tentative = keepTentative({ seen, final, upTo: read.upTo })
    await place.save(after, final)
    progress = { finalNumber: read.upTo, finalSeconds: read.upToTimestampSeconds, readAt: now(), tentative }
    for (const record of final) await notify(record)
    place.set({ number: read.upTo, seconds: read.upToTimestampSeconds })
    const fresh = tentative.filter(({ payment }) => !notifiedTentative.has(keyOf(payment)))
    notifiedTentative = new Set(tentative.map(({ payment }) => keyOf(payment)))
    for (const record of fresh) await notify(record)
  }

  const behindSeconds = (): number => secondsBehind(chain.head(), progress)

  const round = async (): Promise<void> => {
    try {
      await place.inTurn(async () => {
        const after = await place.get()
        await readFrom(after).finally(() => history.look(progress?.finalNumber ?? after.number))
      })
      faults.note()
    } catch (error) {
      place.leaveIfBeyondChain()
      const fault = faults.note(error)
      if (fault !== undefined) log('error', 'payment_history_lost', { chainId, fault, error })
      throw error
    }
    if (behindSeconds() > MOST_BEHIND_SECONDS)
      throw new RpcError(
        'NODE_BEHIND',
        `the payments of ${chainId} are read to ${behindSeconds()} seconds before its head only`,
      )
  }

  /** Whether the payments were read recently and up to the chain's head. */
  const isCurrent = (): boolean =>
    progress !== undefined &&
    chain.head() !== undefined &&
    now() - progress.readAt <= CURRENT_MS &&
    behindSeconds() <= MOST_BEHIND_SECONDS

  return {
    ...{ chainId, round, isCurrent, voidPayment: place.voidPayment, historyUsed: history.used },
    historyFault: faults.known,
    progress: () => progress,
  }
}
