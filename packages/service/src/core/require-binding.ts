import assert from 'node:assert/strict'
import type { QuoteRecord } from './quote-record.ts'

/** A text that the quote's backend stored with it. Its absence is our own fault. */
export const requireBinding = (quote: QuoteRecord, name: string): string => {
  const value = quote.binding[name]
  assert(typeof value === 'string', `quote ${quote.quoteId} is bound to no ${name}`)
  return value
}
