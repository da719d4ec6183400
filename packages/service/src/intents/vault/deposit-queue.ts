import type { Instant } from '../../core/instant.ts'
import { createLru } from '../../lib/lru.ts'
import type { PaymentKey, Store, StoredPayment } from '../../store/store.ts'

/** Unsettled deposits, grouped by order, each unmatched one on its own, in the order in which they are paid. */
export type DepositTurn = {
  /** Of all orders, oldest deposit first. */
  readonly orders: readonly (readonly StoredPayment[])[]
  /** Of unmatched deposits, those that were tried least recently, oldest first; at most 64. */
  readonly unmatched: readonly (readonly StoredPayment[])[]
}

type Deps = {
  readonly store: Pick<Store, 'listUnsettledDeposits'>
  readonly now: () => Instant
}

/** When an unmatched deposit was tried last, and how often in a row that failed. */
type Tries = { readonly triedAt: Instant; readonly failures: number }

const PAGE = 64
const MOST_UNMATCHED = 64
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 3_600_000
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

/** The pause after a number of failures in a row: it doubles from two seconds to an hour. */
const pauseAfter = (failures: number): number =>
  failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20))

/**
 * Creates the queue of unsettled deposits. Anybody can make unmatched ones, as many as they like: orders come first, and an
 * unmatched deposit that could not be returned waits longer each time.
 */
export const createDepositQueue = ({ store, now }: Deps) => {
  const tries = createLru<string, Tries>(REMEMBERED)
  const servedAt = createLru<string, Instant>(REMEMBERED)
  const lastServed = ([first]: readonly StoredPayment[]): Instant =>
    (first && servedAt.get(groupKeyOf(first))) ?? 0
  const triesOf = (deposits: readonly StoredPayment[]): Tries =>
    (deposits[0] && tries.get(groupKeyOf(deposits[0]))) ?? { triedAt: 0, failures: 0 }
  const isDue = (deposits: readonly StoredPayment[]): boolean => {
    const { triedAt, failures } = triesOf(deposits)
    return now() - triedAt >= pauseAfter(failures)
  }

  return {
    /** Reads the deposits to work on next; rejects if the store cannot be read. */
    next: async (): Promise<DepositTurn> => {
      const deposits: StoredPayment[] = []
      let after: PaymentKey | undefined
      do {
        const page = await store.listUnsettledDeposits(PAGE, after)
        deposits.push(...page)
        after = page.length < PAGE ? undefined : page.at(-1)
      } while (after !== undefined)
      const groups = [...Map.groupBy(deposits, groupKeyOf).values()].sort(byAge)
      const unmatched = groups.filter(([first]) => first?.orderId === undefined).filter(isDue)
      return {
        orders: groups.filter(([first]) => first?.orderId !== undefined),
        unmatched: unmatched
          .sort((one, other) => triesOf(one).triedAt - triesOf(other).triedAt)
          .slice(0, MOST_UNMATCHED),
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
    /** Notes that an unmatched deposit was tried. */
    tried: (deposits: readonly StoredPayment[], hasFailed: boolean): void => {
      const [first] = deposits
      if (first === undefined || first.orderId !== undefined) return
      const failures = hasFailed ? triesOf(deposits).failures + 1 : 0
      tries.set(groupKeyOf(first), { triedAt: now(), failures })
    },
  }
}
