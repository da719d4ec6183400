import type { Quote } from '../wire/quote.ts'
import { type Guarded, isSameAddress, unsafe } from './guards.ts'

/** Refuses a quote, by the given fact, to replace the expired one that was accepted. */
const refuse = (fresh: Quote, accepted: Quote, what: string): never => {
  throw unsafe('worse_quote', `quote ${fresh.quoteId}, after ${accepted.quoteId} expired, ${what}`)
}

/** Refuses a later quote that takes more, or guarantees less, than the one that was accepted. Throws ExecutionError `unsafe`. */
export const checkNoWorse = ({ quote, accepted }: Guarded): void => {
  if (accepted === undefined) return
  const isWorse =
    BigInt(quote.input.amount) > BigInt(accepted.input.amount) ||
    BigInt(quote.output.minimumAmount) < BigInt(accepted.output.minimumAmount)
  if (isWorse) refuse(quote, accepted, 'is worse')
}

/** Whom a quote calls or pays, and the native value beside its input. */
type Paid = { readonly target: string | undefined; readonly fee: bigint }

/**
 * Refuses a later quote that calls or pays somebody else, or pays more native value, than the one that was accepted. Throws
 * ExecutionError `unsafe`.
 */
export const checkSameTarget = ({ quote, accepted }: Guarded, paidBy: (quote: Quote) => Paid): void => {
  if (accepted === undefined) return
  const [fresh, known] = [paidBy(quote), paidBy(accepted)]
  if (fresh.fee > known.fee) refuse(quote, accepted, 'costs a higher native fee')
  if (!isSameAddress(fresh.target ?? '', known.target ?? ''))
    refuse(quote, accepted, 'calls or pays another contract or account')
}
