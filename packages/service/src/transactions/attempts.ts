import type { Store } from '../store/store.ts'

/**
 * The state of the attempts for one purpose: one is to be signed under `key`, one is open, one finally succeeded, or
 * too many failed and an operator has to intervene. `isRetry`: an earlier attempt was signed and finally moved nothing.
 */
export type Attempts =
  | { readonly kind: 'due'; readonly key: string; readonly isRetry: boolean }
  | { readonly kind: 'open'; readonly key: string }
  | { readonly kind: 'succeeded'; readonly key: string; readonly txHash: string }
  | { readonly kind: 'exhausted' }

type Attempt = Pick<Extract<Attempts, { kind: 'succeeded' }>, 'txHash'> & { readonly outcome: string }

const MAXIMUM_TRANSACTIONS = 5
const MAXIMUM_PAYOUTS = 6

const findAttempts = async (
  find: (key: string) => Promise<Attempt | undefined>,
  purpose: string,
  maximum: number,
): Promise<Attempts> => {
  for (let attempt = 1; attempt <= maximum; attempt += 1) {
    const key = attempt === 1 ? purpose : `${purpose}:${attempt}`
    const found = await find(key)
    if (found === undefined) return { kind: 'due', key, isRetry: attempt > 1 }
    if (found.outcome === 'open') return { kind: 'open', key }
    if (found.outcome === 'succeeded') return { kind: 'succeeded', key, txHash: found.txHash }
  }
  return { kind: 'exhausted' }
}

/**
 * The attempts at one call: the next is signed only after the last has finally reverted or can never be mined, at most
 * five in all. Rejects if the store cannot be read.
 */
export const findTransactionAttempts = (
  store: Pick<Store, 'findTransaction'>,
  purpose: string,
): Promise<Attempts> => findAttempts(store.findTransaction, purpose, MAXIMUM_TRANSACTIONS)

/**
 * The attempts at one payment: the next is signed only after the last has finally moved nothing, at most six in all.
 * Rejects if the store cannot be read.
 */
export const findPayoutAttempts = (store: Pick<Store, 'findPayout'>, purpose: string): Promise<Attempts> =>
  findAttempts(store.findPayout, purpose, MAXIMUM_PAYOUTS)
