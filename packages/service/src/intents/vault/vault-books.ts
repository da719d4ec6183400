import type { ChainId } from '@openrfq/sdk'
import type { PaymentPlace, Store, StoredPayment } from '../../store/store.ts'
import type { VaultChain } from './payment-indexer.ts'

/** A vault's deposits and payouts of one token according to the stored payments, in base units. */
type VaultEntry = { readonly received: bigint; readonly paid: bigint }

/**
 * The books of one vault: the sums of its final deposits and payouts, without payments from and to the operator's
 * treasury.
 */
export type VaultBooks = {
  /** Adds newly stored payments; rejects if the store cannot be read. */
  readonly refresh: () => Promise<void>
  readonly entryOf: (token: string) => VaultEntry
  /** The payouts in a token since a second of the chain's clock, at most a day back. */
  readonly paidSince: (token: string, second: number) => bigint
}

type Deps = Pick<VaultChain, 'vault'> & {
  readonly chainId: ChainId
  readonly store: Pick<Store, 'listPayments'>
}

const PAGE = 500
const DAY_SECONDS = 86_400
const EMPTY: VaultEntry = { received: 0n, paid: 0n }

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** Creates books that are empty until refreshed. */
export const createVaultBooks = ({ chainId, vault, store }: Deps): VaultBooks => {
  const entries = new Map<string, VaultEntry>()
  let recent: StoredPayment[] = []
  let place: PaymentPlace | undefined

  const enter = (payment: StoredPayment): void => {
    const { role, from, to, token, amount } = payment
    const { received, paid } = entries.get(token) ?? EMPTY
    if (role === 'deposit' && to === vault) entries.set(token, { received: received + amount, paid })
    if (role === 'payout' && from === vault) {
      entries.set(token, { received, paid: paid + amount })
      recent.push(payment)
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
