import { attemptsOf } from '../../intents/vault/payout-attempts.ts'
import type { Store } from '../../store/store.ts'

/** What became of a payment that the operator owes: nothing was signed, it is under way, or it landed for good. */
export type PayoutStanding =
  | { readonly kind: 'none' }
  | { readonly kind: 'sent' }
  | { readonly kind: 'paid'; readonly txHash: string }

/** Where the payment of a key stands for whoever waits for it: one that failed is on its way until it has landed. */
export const findPayout = async (
  store: Pick<Store, 'findOutboxEntry'>,
  key: string,
): Promise<PayoutStanding> => {
  const attempts = await attemptsOf(store, key)
  if (attempts.kind === 'paid') return attempts
  return { kind: attempts.kind === 'unsigned' && !attempts.wasTried ? 'none' : 'sent' }
}
