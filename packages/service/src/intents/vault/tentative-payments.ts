import type { Instant } from '../../core/instant.ts'
import type { Payment } from '../../core/payment.ts'

/** One reading of a chain, and the newest block up to which a quorum tells its final payments. */
type Reading<Seen> = {
  readonly seen: readonly Seen[]
  readonly final: readonly Seen[]
  readonly upTo: bigint
}

type Shown<Seen> = { readonly record: Seen; readonly at: Instant }

/** Longer than a sound chain takes to make a block final. */
const KEPT_MS = 30_000
const MOST_TENTATIVE = 10_000

const keyOf = ({ txHash, position }: Payment): string => `${txHash} ${position}`

/**
 * Remembers the payments that endpoints have shown and that are not final. The next endpoint may be behind, so a payment
 * that it does not show is dropped once final blocks have passed its own, or 30 seconds after it was shown last.
 */
export const createTentativePayments = <Seen extends { readonly payment: Payment }>(now: () => Instant) => {
  let shown: ReadonlyMap<string, Shown<Seen>> = new Map()
  return ({ seen, final, upTo }: Reading<Seen>): readonly Seen[] => {
    const at = now()
    const finalKeys = new Set(final.map(({ payment }) => keyOf(payment)))
    const isKept = ([key, { record, at: shownAt }]: readonly [string, Shown<Seen>]): boolean =>
      !finalKeys.has(key) && record.payment.blockNumber > upTo && at - shownAt < KEPT_MS
    const fresh = seen.map((record) => [keyOf(record.payment), { record, at }] as const)
    // An entry of the present reading replaces an earlier one.
    const all = new Map([...[...shown].filter(isKept), ...fresh])
    shown = new Map([...all].slice(-MOST_TENTATIVE))
    return [...shown.values()].map(({ record }) => record)
  }
}
