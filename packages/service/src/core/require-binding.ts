import assert from 'node:assert/strict'
import type { QuoteRecord } from './quote-record.ts'

/** Reads a text that the quote's backend stored with it. A missing one is a bug and throws. */
export const requireBinding = (quote: QuoteRecord, name: string): string => {
  const value = quote.binding[name]
  assert(typeof value === 'string', `quote ${quote.quoteId} is bound to no ${name}`)
  return value
}
