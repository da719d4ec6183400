import { boundedMap } from '../../chains/bounded-map.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { Instant } from '../../core/instant.ts'
import { OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Log } from '../../lib/log.ts'
import type { Store, StoredPayment } from '../../store/store.ts'
import { orderIdOfQuote } from '../settlers/quoted-order.ts'
import type { DepositTerms } from './deposit-summary.ts'
import type { DepositMatcher } from './match-deposit.ts'

/** A ledger, the operator's account on it and who pays there. */
export type VaultChain = Pick<DepositTerms, 'dustOf'> & {
  readonly chain: PaymentChain
  /** The operator's account that deposits go to. */
  readonly vault: string
  /** The accounts that solvers fill from. */
  readonly fillers: readonly string[]
  /** Accounts of the operator's own, which fund the vault: what they pay is no deposit. */
  readonly treasury: readonly string[]
}

/** A payment into a vault or by a filler, and what it was made for. */
export type PaymentRecord = {
  readonly payment: Payment
  readonly final: boolean
  readonly role: StoredPayment['role']
  /** Undefined for a deposit that belongs to no order. */
  readonly orderId: OrderId | undefined
  /** Of a deposit's order. */
  readonly quote: QuoteRecord | undefined
}

/** What was read of a ledger. */
type IndexProgress = {
  /** The time of the newest final block whose payments are all stored. */
  readonly finalSeconds: number
  readonly readAt: Instant
  /** What may still be taken back. */
  readonly tentative: readonly PaymentRecord[]
}

export type PaymentIndexerDeps = {
  readonly store: Pick<Store, 'findCursor' | 'savePayments' | 'findPayments'>
  readonly match: DepositMatcher
  readonly now: () => Instant
  readonly log: Log
  /** Is told of each payment when it is first seen, and when it is final; of final ones again after a restart. */
  readonly notify: (record: PaymentRecord) => Promise<void>
}

const REMEMBERED_MATCHES = 20_000
/** More payments than this are not remembered before they are final. */
const MOST_TENTATIVE = 10_000
const SAVE_CURSOR_MS = 10_000

const keyOf = ({ txHash, position }: Payment): string => `${txHash} ${position}`

const storedOf = ({ payment, role, orderId, quote }: PaymentRecord): StoredPayment => ({
  ...payment,
  role,
  orderId,
  quoteId: quote?.quoteId,
  settled: false,
})

/** Tells what payments are for; a match once made is not made differently while it is remembered. */
const createClassifier = ({ vault, fillers, treasury }: VaultChain, { store, match }: PaymentIndexerDeps) => {
  const matches = boundedMap<string, { readonly quote: QuoteRecord | undefined }>(REMEMBERED_MATCHES)
  const matchOf = async (payment: Payment, taken: ReadonlySet<OrderId>): Promise<QuoteRecord | undefined> => {
    const known = matches.get(keyOf(payment))
    if (known !== undefined) return known.quote
    // A payment that is read again after a restart is stored already, and does not stand in its own way.
    const isTaken = async (orderId: OrderId): Promise<boolean> =>
      taken.has(orderId) ||
      (await store.findPayments(orderId)).some(
        (stored) => stored.role === 'deposit' && keyOf(stored) !== keyOf(payment),
      )
    const quote = await match(payment, isTaken)
    matches.set(keyOf(payment), { quote })
    return quote
  }
  const classify = async (
    payment: Payment,
    final: boolean,
    taken: ReadonlySet<OrderId>,
  ): Promise<PaymentRecord | undefined> => {
    const { from, to, memo } = payment
    if (to === vault && from !== vault && !treasury.includes(from)) {
      const quote = await matchOf(payment, taken)
      return { payment, final, role: 'deposit', orderId: quote && orderIdOfQuote(quote), quote }
    }
    const named = OrderId.safeParse(memo)
    if (to === vault || !fillers.includes(from) || !named.success) return undefined
    return { payment, final, role: 'fill', orderId: named.data, quote: undefined }
  }
  return async (
    payments: readonly Payment[],
    final: boolean,
    before: readonly PaymentRecord[] = [],
  ): Promise<readonly PaymentRecord[]> => {
    const deposits = before.filter(({ role }) => role === 'deposit')
    const taken = new Set(deposits.flatMap(({ orderId }) => (orderId === undefined ? [] : [orderId])))
    const records: PaymentRecord[] = []
    for (const payment of payments) {
      const record = await classify(payment, final, taken)
      if (record === undefined) continue
      records.push(record)
      if (record.role === 'deposit' && record.orderId !== undefined) taken.add(record.orderId)
    }
    return records
  }
}

/**
 * Reads one ledger's payments, keeps what is final with the cursor, and remembers what is not. Only when listeners have
 * been told does the stored cursor pass a payment, so that after a crash they are told again.
 */
export const createPaymentIndexer = (vaultChain: VaultChain, deps: PaymentIndexerDeps) => {
  const { chain, vault, fillers } = vaultChain
  const { store, now, notify } = deps
  const { chainId } = chain
  const accounts = [...new Set([vault, ...fillers])]
  const classify = createClassifier(vaultChain, deps)
  let notifiedUpTo: bigint | undefined
  let savedAt = Number.NEGATIVE_INFINITY
  let notifiedTentative: ReadonlySet<string> = new Set()
  let progress: IndexProgress | undefined

  const save = async (cursor: bigint, records: readonly PaymentRecord[]): Promise<void> => {
    if (records.length === 0 && now() - savedAt < SAVE_CURSOR_MS) return
    await store.savePayments(chainId, { blockNumber: cursor, blockHash: '' }, records.map(storedOf))
    savedAt = now()
  }

  /** Where to read on; at the very first, the newest final block, which is kept before anything is read. */
  const startOf = async (): Promise<bigint> => {
    const cursor = await store.findCursor(chainId)
    if (cursor !== undefined) return cursor.blockNumber
    const head = chain.head()
    if (head === undefined) throw new Error(`${chainId} cannot be read`)
    await save(head.finalNumber, [])
    return head.finalNumber
  }

  const round = async (): Promise<void> => {
    notifiedUpTo ??= await startOf()
    const read = await chain.readPayments(accounts, notifiedUpTo)
    if (read.upTo < notifiedUpTo)
      throw new Error(`${chainId} was read up to ${read.upTo} only, after ${notifiedUpTo}`)
    const final = await classify(read.final, true)
    const tentative = await classify(read.tentative.slice(0, MOST_TENTATIVE), false, final)
    await save(notifiedUpTo, final)
    progress = { finalSeconds: read.upToTimestampSeconds, readAt: now(), tentative }
    for (const record of final) await notify(record)
    notifiedUpTo = read.upTo
    const fresh = tentative.filter(({ payment }) => !notifiedTentative.has(keyOf(payment)))
    notifiedTentative = new Set(tentative.map(({ payment }) => keyOf(payment)))
    for (const record of fresh) await notify(record)
  }

  return { chainId, round, progress: () => progress }
}
