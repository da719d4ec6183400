import type { ChainId } from '@openrfq/sdk'
import type { PaymentKey, PaymentPlace, Store, StoredPayment, StoredPayout } from '../../store/store.ts'
import type { VaultChain } from './payment-indexer.ts'
import { isPaymentOf } from './payment-of-payout.ts'

/** A vault's payments of one token according to the stored ones, in base units. */
type VaultEntry = {
  /** Its confirmed deposits. */
  readonly received: bigint
  /** Its deposits that are not confirmed yet. */
  readonly unconfirmed: bigint
  /** Its payouts, confirmed or not. */
  readonly paid: bigint
}

/**
 * The books of one vault: the sums of its final deposits and payouts, without payments from and to the operator's
 * treasury.
 */
export type VaultBooks = {
  /** Adds newly stored payments, and drops void and replaced ones; rejects if the store cannot be read. */
  readonly refresh: () => Promise<void>
  readonly entryOf: (token: string) => VaultEntry
  /** Whether they contain a signed payout, under any hash, of the last day. */
  readonly hasRecent: (payout: StoredPayout) => boolean
  /** The payouts in a token since a second of the chain's clock, at most a day back. */
  readonly paidSince: (token: string, second: number) => bigint
}

type Deps = Pick<VaultChain, 'vault'> & {
  readonly chainId: ChainId
  readonly store: Pick<Store, 'listPayments' | 'listUnconfirmedPayments' | 'findPayment'>
}

const PAGE = 500
const DAY_SECONDS = 86_400
/** Void payments that are looked for again. */
const MOST_GONE = 1_000
const EMPTY: VaultEntry = { received: 0n, unconfirmed: 0n, paid: 0n }

const keyOf = ({ txHash, position }: PaymentKey): string => `${txHash} ${position}`

const sum = (payments: readonly StoredPayment[]): bigint =>
  payments.reduce((total, { amount }) => total + amount, 0n)

/** Sums of payments, and those of them that may still be void. */
type Entered = {
  readonly entries: Map<string, VaultEntry>
  recent: StoredPayment[]
  readonly undecided: Map<string, StoredPayment>
  place: PaymentPlace | undefined
}

const add = ({ entries }: Entered, token: string, part: Partial<VaultEntry>): void => {
  const entry = entries.get(token) ?? EMPTY
  entries.set(token, {
    received: entry.received + (part.received ?? 0n),
    unconfirmed: entry.unconfirmed + (part.unconfirmed ?? 0n),
    paid: entry.paid + (part.paid ?? 0n),
  })
}

const isUnchanged = (one: StoredPayment, other: StoredPayment): boolean =>
  (['role', 'from', 'to', 'token', 'amount', 'blockNumber', 'timestampSeconds'] as const).every(
    (field) => one[field] === other[field],
  )

/** Those of the undecided payments that are not what they were, as the store's list of unconfirmed ones shows. */
const listDecided = async (
  { chainId, store }: Pick<Deps, 'chainId' | 'store'>,
  undecided: Entered['undecided'],
): Promise<readonly StoredPayment[]> => {
  const left = new Map(undecided)
  for (let place: PaymentPlace | undefined; left.size > 0; ) {
    const page = await store.listUnconfirmedPayments(chainId, PAGE, place)
    for (const one of page) {
      const known = left.get(keyOf(one))
      if (known !== undefined && isUnchanged(one, known)) left.delete(keyOf(one))
    }
    place = page.at(-1)
    if (page.length < PAGE) break
  }
  return [...left.values()]
}

/** Creates books that are empty until refreshed. */
export const createVaultBooks = ({ chainId, vault, store }: Deps): VaultBooks => {
  const empty = (): Entered => ({ entries: new Map(), recent: [], undecided: new Map(), place: undefined })
  let entered = empty()
  /** Void payments, whose place others may take. */
  let gone: readonly PaymentKey[] = []

  const enter = (into: Entered, payment: StoredPayment): void => {
    const { role, from, to, token, amount, confirmed } = payment
    const isDeposit = role === 'deposit' && to === vault
    const isPayout = role === 'payout' && from === vault
    if (isDeposit) add(into, token, confirmed ? { received: amount } : { unconfirmed: amount })
    if (isPayout) {
      add(into, token, { paid: amount })
      into.recent.push(payment)
    }
    if (!confirmed) into.undecided.set(keyOf(payment), payment)
  }
  const readOn = async (into: Entered): Promise<void> => {
    for (;;) {
      const page = await store.listPayments(chainId, PAGE, into.place)
      for (const payment of page) enter(into, payment)
      const last = page.at(-1)
      if (last === undefined) return
      into.place = last
      into.recent = into.recent.filter(
        ({ timestampSeconds }) => timestampSeconds > last.timestampSeconds - DAY_SECONDS,
      )
      if (page.length < PAGE) return
    }
  }
  /** Enters what was confirmed; returns the keys of the payments that are void now or were replaced. */
  const decide = async (): Promise<readonly PaymentKey[]> => {
    const changed: PaymentKey[] = []
    for (const payment of await listDecided({ chainId, store }, entered.undecided)) {
      const found = await store.findPayment(payment)
      if (found === undefined || !isUnchanged(found, payment)) changed.push(payment)
      else if (found.confirmed) {
        const { role, to, token, amount } = payment
        entered.undecided.delete(keyOf(payment))
        if (role === 'deposit' && to === vault)
          add(entered, token, { unconfirmed: -amount, received: amount })
      }
    }
    return changed
  }
  const isAnyReplaced = async (): Promise<boolean> => {
    for (const key of gone) if ((await store.findPayment(key)) !== undefined) return true
    return false
  }

  return {
    refresh: async () => {
      const changed = await decide()
      if (changed.length === 0 && !(await isAnyReplaced())) return readOn(entered)
      // Payments before the last place may have come and gone.
      const anew = empty()
      await readOn(anew)
      const stillVoid: PaymentKey[] = []
      for (const key of [...gone, ...changed])
        if ((await store.findPayment(key)) === undefined) stillVoid.push(key)
      gone = stillVoid.slice(-MOST_GONE)
      entered = anew
    },
    entryOf: (token) => entered.entries.get(token) ?? EMPTY,
    hasRecent: (payout) => entered.recent.some((payment) => isPaymentOf(payment, payout)),
    paidSince: (token, second) =>
      sum(entered.recent.filter((one) => one.token === token && one.timestampSeconds >= second)),
  }
}
