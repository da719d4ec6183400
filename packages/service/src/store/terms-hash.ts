import type { QuoteRecord } from '../core/quote-record.ts'

/** What all quotes of an answer share and an event on the source chain may show. */
export type QuoteTerms = Pick<
  QuoteRecord,
  'fromChain' | 'fromToken' | 'toChain' | 'toToken' | 'sender' | 'recipient'
>

/** A hash of the terms in 32 bits (FNV-1a); few answers of other terms have the same. */
export const termsHash = (terms: QuoteTerms): number => {
  const { fromChain, fromToken, toChain, toToken, sender, recipient } = terms
  const text = `${sender} ${recipient} ${fromToken} ${toToken} ${fromChain} ${toChain}`
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
