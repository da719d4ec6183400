import type { Instant } from '../../core/instant.ts'
import { createLru } from '../../lib/lru.ts'
import type { PaymentKey, Store, StoredPayment, UnmatchedDeposit } from '../../store/store.ts'

/** Unsettled deposits, grouped by order, each unmatched one on its own, in the order in which they are paid. */
export type DepositTurn = {
  /** Of all orders, oldest deposit first. */
  readonly orders: readonly (readonly StoredPayment[])[]
  /** Of unmatched deposits, those that are due, the longest due and then the oldest first; at most 64. */
  readonly unmatched: readonly (readonly StoredPayment[])[]
}

/**
 * How a try to return an unmatched deposit went: it waits for its payout or for room, it `failed`, or its payer is `unpayable`,
 * with the reason.
 */
export type Try = 'waits' | 'failed' | { readonly unpayable: string }

type Deps = {
  readonly store: Pick<Store, 'listUnsettledDeposits' | 'listUnmatchedDeposits' | 'postponeDeposit'>
  /** Keeps a deposit for the operator. */
  readonly hold: (deposit: StoredPayment, why: string) => Promise<void>
  readonly now: () => Instant
}

const PAGE = 64
/** Of unmatched deposits in one turn: of those never tried and of those tried before, so that neither holds up the others. */
const MOST_NEW = 32
const MOST_TRIED = 32
const WAITING_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 3_600_000
const UNPAYABLE_PAUSE_MS = 60_000
const LONGEST_UNPAYABLE_PAUSE_MS = 6 * 3_600_000
/** Twelve tries take 20 hours. */
const MOST_UNPAYABLE = 12
const REMEMBERED = 10_000

/** What groups a deposit with the others of its order. */
export const groupKeyOf = ({ chainId, txHash, position, orderId }: StoredPayment): string =>
  orderId === undefined ? `${chainId} ${txHash} ${position}` : `${chainId} ${orderId}`

const oldestOf = (deposits: readonly StoredPayment[]): bigint =>
  deposits.reduce(
    (oldest, { blockNumber }) => (blockNumber < oldest ? blockNumber : oldest),
    deposits[0]?.blockNumber ?? 0n,
  )

const byAge = (one: readonly StoredPayment[], other: readonly StoredPayment[]): number =>
  Number(oldestOf(one) - oldestOf(other))

/** A pause that doubles with each failure in a row. */
const doubled = (firstMs: number, failures: number, longestMs: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20))

/** What is noted of an unmatched deposit after a try, with the pause; undefined if it is to be held. */
const afterTry = ({ failures, unpayable }: Pick<UnmatchedDeposit, 'failures' | 'unpayable'>, tried: Try) => {
  if (tried === 'waits') return { failures: 0, unpayable: 0, pauseMs: WAITING_PAUSE_MS }
  const failed = failures + 1
  if (tried === 'failed')
    return { failures: failed, unpayable, pauseMs: doubled(WAITING_PAUSE_MS, failed, LONGEST_PAUSE_MS) }
  const refused = unpayable + 1
  if (refused >= MOST_UNPAYABLE) return undefined
  const pauseMs = doubled(UNPAYABLE_PAUSE_MS, refused, LONGEST_UNPAYABLE_PAUSE_MS)
  return { failures: failed, unpayable: refused, pauseMs }
}

/**
 * Creates the queue of unsettled deposits. Anybody can make unmatched ones, as many as they like: orders come first, an unmatched
 * deposit that could not be returned waits longer each time, and is held after twelve tries at a payer that cannot be paid.
 */
export const createDepositQueue = ({ store, hold, now }: Deps) => {
  const servedAt = createLru<string, Instant>(REMEMBERED)
  /** The unmatched deposits of the last turn. */
  let listed: ReadonlyMap<string, UnmatchedDeposit> = new Map()
  const lastServed = ([first]: readonly StoredPayment[]): Instant =>
    (first && servedAt.get(groupKeyOf(first))) ?? 0

  const listOrders = async (): Promise<readonly StoredPayment[]> => {
    const deposits: StoredPayment[] = []
    let after: PaymentKey | undefined
    do {
      const page = await store.listUnsettledDeposits(PAGE, after)
      deposits.push(...page)
      after = page.length < PAGE ? undefined : page.at(-1)
    } while (after !== undefined)
    return deposits
  }

  return {
    /** Reads the deposits to work on next; rejects if the store cannot be read. */
    next: async (): Promise<DepositTurn> => {
      const orders = await listOrders()
      const tried = await store.listUnmatchedDeposits(0, now(), MOST_TRIED)
      const unmatched = [...tried, ...(await store.listUnmatchedDeposits(-1, 0, MOST_NEW))]
      listed = new Map(unmatched.map((deposit) => [groupKeyOf(deposit), deposit]))
      return {
        orders: [...Map.groupBy(orders, groupKeyOf).values()].sort(byAge),
        unmatched: unmatched.map((deposit) => [deposit]),
      }
    },
    /** Notes that a return of the deposits is under way. */
    served: ([first]: readonly StoredPayment[]): void => {
      if (first !== undefined) servedAt.set(groupKeyOf(first), now())
    },
    /** Those first whose last return is longest ago: an order with many returns takes turns with others. */
    leastServed: <Turn extends { readonly deposits: readonly StoredPayment[] }>(
      turns: readonly Turn[],
    ): readonly Turn[] =>
      turns.toSorted((one, other) => lastServed(one.deposits) - lastServed(other.deposits)),
    /** Notes how a try at an unmatched deposit of the last turn went; rejects if the store cannot be written. */
    tried: async ([first]: readonly StoredPayment[], how: Try): Promise<void> => {
      const known = first === undefined ? undefined : listed.get(groupKeyOf(first))
      if (known === undefined) return
      const next = afterTry(known, how)
      if (next === undefined) return hold(known, typeof how === 'string' ? how : how.unpayable)
      const { failures, unpayable, pauseMs } = next
      await store.postponeDeposit(known, { failures, unpayable, tryAt: now() + pauseMs })
    },
  }
}
