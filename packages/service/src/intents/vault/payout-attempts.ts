import type { Store } from '../../store/store.ts'

/**
 * The state of the payout with a key: what to sign next, in flight, finally landed, or failed too often. `wasTried`: an
 * earlier attempt was signed and moved nothing.
 */
type PayoutAttempts =
  | { readonly kind: 'unsigned'; readonly nextKey: string; readonly wasTried: boolean }
  | { readonly kind: 'under_way' }
  | { readonly kind: 'paid'; readonly txHash: string }
  | { readonly kind: 'exhausted' }

/** Retries of a failed payout, each under its own key, before an operator has to intervene. */
const MOST_RETRIES = 5

const attemptKey = (key: string, attempt: number): string => (attempt === 0 ? key : `${key}:${attempt + 1}`)

/** The state of the payout with a key, including later attempts. Rejects if the store cannot be read. */
export const attemptsOf = async (
  store: Pick<Store, 'findOutboxEntry'>,
  key: string,
): Promise<PayoutAttempts> => {
  for (let attempt = 0; attempt <= MOST_RETRIES; attempt += 1) {
    const nextKey = attemptKey(key, attempt)
    const entry = await store.findOutboxEntry(nextKey)
    if (entry === undefined) return { kind: 'unsigned', nextKey, wasTried: attempt > 0 }
    if (entry.outcome === 'open') return { kind: 'under_way' }
    if (entry.outcome === 'succeeded') return { kind: 'paid', txHash: entry.txHash }
  }
  return { kind: 'exhausted' }
}
