import type { Store } from '../../store/store.ts'

/** What became of a payment that the operator owes: nothing was signed, it is under way, or it landed for good. */
export type PayoutStanding =
  | { readonly kind: 'none' }
  | { readonly kind: 'sent' }
  | { readonly kind: 'paid'; readonly txHash: string }

/** The operator tries a payment again, under keys of its own, at most this often. Source: vault/pay-obligation. */
const MOST_ATTEMPTS = 6

/** Where the payment of a key stands, its later attempts included. */
export const findPayout = async (
  store: Pick<Store, 'findOutboxEntry'>,
  key: string,
): Promise<PayoutStanding> => {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const entry = await store.findOutboxEntry(attempt === 1 ? key : `${key}:${attempt}`)
    if (entry === undefined) return { kind: attempt === 1 ? 'none' : 'sent' }
    if (entry.outcome === 'open') return { kind: 'sent' }
    if (entry.outcome === 'succeeded') return { kind: 'paid', txHash: entry.txHash }
  }
  return { kind: 'sent' }
}
