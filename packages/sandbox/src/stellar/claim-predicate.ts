import { xdr } from '@stellar/stellar-sdk/base'

const MAX_DEPTH = 4

/** Whether a predicate is complete, at most four levels deep, and without negative times. Source: CAP-23. */
export const isWellFormed = (predicate: xdr.ClaimPredicate, depth = 1): boolean => {
  if (depth > MAX_DEPTH) return false
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
      return true
    case 'claimPredicateAnd':
      return isPair(predicate.andPredicates, depth)
    case 'claimPredicateOr':
      return isPair(predicate.orPredicates, depth)
    case 'claimPredicateNot':
      return predicate.notPredicate !== null && isWellFormed(predicate.notPredicate, depth + 1)
    case 'claimPredicateBeforeAbsoluteTime':
      return predicate.absBefore >= 0n
    case 'claimPredicateBeforeRelativeTime':
      return predicate.relBefore >= 0n
  }
}

const isPair = (parts: readonly xdr.ClaimPredicate[], depth: number): boolean =>
  parts.length === 2 && parts.every((part) => isWellFormed(part, depth + 1))

/** The predicate with relative times added to the close time, in seconds, of the ledger that creates the balance. */
export const madeAbsolute = (predicate: xdr.ClaimPredicate, closeTime: bigint): xdr.ClaimPredicate => {
  const convert = (part: xdr.ClaimPredicate): xdr.ClaimPredicate => madeAbsolute(part, closeTime)
  switch (predicate.type) {
    case 'claimPredicateAnd':
      return xdr.ClaimPredicate.claimPredicateAnd(predicate.andPredicates.map(convert))
    case 'claimPredicateOr':
      return xdr.ClaimPredicate.claimPredicateOr(predicate.orPredicates.map(convert))
    case 'claimPredicateNot':
      return xdr.ClaimPredicate.claimPredicateNot(
        predicate.notPredicate === null ? null : convert(predicate.notPredicate),
      )
    case 'claimPredicateBeforeRelativeTime':
      return xdr.ClaimPredicate.claimPredicateBeforeAbsoluteTime(closeTime + predicate.relBefore)
    default:
      return predicate
  }
}

/** Whether a predicate holds in a ledger that closes at the time, in seconds. */
export const isFulfilled = (predicate: xdr.ClaimPredicate, closeTime: bigint): boolean => {
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
      return true
    case 'claimPredicateAnd':
      return predicate.andPredicates.every((part) => isFulfilled(part, closeTime))
    case 'claimPredicateOr':
      return predicate.orPredicates.some((part) => isFulfilled(part, closeTime))
    case 'claimPredicateNot':
      return predicate.notPredicate !== null && !isFulfilled(predicate.notPredicate, closeTime)
    case 'claimPredicateBeforeAbsoluteTime':
      return closeTime < predicate.absBefore
    case 'claimPredicateBeforeRelativeTime':
      return false
  }
}
