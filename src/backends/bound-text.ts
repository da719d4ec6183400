import assert from 'node:assert/strict'
import type { QuoteRecord } from '../core/quote-record.ts'

/** A text that this backend stored with the quote. Its absence is our own fault. */
export const boundText = (quote: QuoteRecord, name: string): string => {
  const value = quote.binding[name]
  assert(typeof value === 'string', `quote ${quote.quoteId} is bound to no ${name}`)
  return value
}
