import { attemptsOf } from '../../intents/vault/payout-attempts.ts'
import type { Store } from '../../store/store.ts'

/** Progress of a payout that the operator owes: not signed, sent, or finally landed. */
export type PayoutStanding =
  | { readonly kind: 'none' }
  | { readonly kind: 'sent' }
  | { readonly kind: 'paid'; readonly txHash: string }

/**
 * The progress of the payout with a key, as its recipient sees it: after a failed attempt it still counts as sent until
 * a retry lands.
 */
export const findPayout = async (
  store: Pick<Store, 'findOutboxEntry'>,
  key: string,
): Promise<PayoutStanding> => {
  const attempts = await attemptsOf(store, key)
  if (attempts.kind === 'paid') return attempts
  return { kind: attempts.kind === 'unsigned' && !attempts.wasTried ? 'none' : 'sent' }
}
