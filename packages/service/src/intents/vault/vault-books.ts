import type { ChainId } from '@openrfq/sdk'
import type { PaymentPlace, Store, StoredPayment } from '../../store/store.ts'
import type { VaultChain } from './payment-indexer.ts'

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
  /** Adds newly stored payments, and drops void ones; rejects if the store cannot be read. */
  readonly refresh: () => Promise<void>
  readonly entryOf: (token: string) => VaultEntry
  /** The payouts in a token since a second of the chain's clock, at most a day back. */
  readonly paidSince: (token: string, second: number) => bigint
}

type Deps = Pick<VaultChain, 'vault'> & {
  readonly chainId: ChainId
  readonly store: Pick<Store, 'listPayments' | 'findPayment'>
}

const PAGE = 500
const DAY_SECONDS = 86_400
const EMPTY: VaultEntry = { received: 0n, unconfirmed: 0n, paid: 0n }

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** Creates books that are empty until refreshed. */
export const createVaultBooks = ({ chainId, vault, store }: Deps): VaultBooks => {
  const entries = new Map<string, VaultEntry>()
  let recent: StoredPayment[] = []
  const undecided = new Set<StoredPayment>()
  let place: PaymentPlace | undefined

  const add = (token: string, part: Partial<VaultEntry>): void => {
    const entry = entries.get(token) ?? EMPTY
    entries.set(token, {
      received: entry.received + (part.received ?? 0n),
      unconfirmed: entry.unconfirmed + (part.unconfirmed ?? 0n),
      paid: entry.paid + (part.paid ?? 0n),
    })
  }
  const enter = (payment: StoredPayment): void => {
    const { role, from, to, token, amount, confirmed } = payment
    const isDeposit = role === 'deposit' && to === vault
    const isPayout = role === 'payout' && from === vault
    if (isDeposit) add(token, confirmed ? { received: amount } : { unconfirmed: amount })
    if (isPayout) {
      add(token, { paid: amount })
      recent.push(payment)
    }
    if (!confirmed && (isDeposit || isPayout)) undecided.add(payment)
  }
  /** Enters what became of a payment that was not confirmed. */
  const decide = async (payment: StoredPayment): Promise<void> => {
    const found = await store.findPayment(payment)
    if (found?.confirmed === false) return
    const { role, token, amount } = payment
    undecided.delete(payment)
    if (role === 'deposit') add(token, { unconfirmed: -amount, received: found === undefined ? 0n : amount })
    else if (found === undefined) {
      add(token, { paid: -amount })
      recent = recent.filter((one) => one !== payment)
    }
  }
  const refreshPage = async (): Promise<number> => {
    const page = await store.listPayments(chainId, PAGE, place)
    for (const payment of page) enter(payment)
    const last = page.at(-1)
    if (last === undefined) return 0
    place = last
    recent = recent.filter(({ timestampSeconds }) => timestampSeconds > last.timestampSeconds - DAY_SECONDS)
    return page.length
  }
  return {
    refresh: async () => {
      for (const payment of undecided) await decide(payment)
      while ((await refreshPage()) === PAGE);
    },
    entryOf: (token) => entries.get(token) ?? EMPTY,
    paidSince: (token, second) =>
      sum(
        recent
          .filter((payment) => payment.token === token && payment.timestampSeconds >= second)
          .map(({ amount }) => amount),
      ),
  }
}
