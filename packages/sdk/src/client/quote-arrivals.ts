import type { Quote } from '../wire/quote.ts'

const arrivals = new WeakMap<object, number>()

/** Notes that a client has just received these quotes, by the device's clock; returns them. */
export const noteArrival = (quotes: readonly Quote[]): readonly Quote[] => {
  const now = Date.now()
  for (const quote of quotes) arrivals.set(quote, now)
  return quotes
}

/** When a client received a quote, in milliseconds since 1970; undefined for one that was copied or made otherwise. */
export const arrivalOf = (quote: object): number | undefined => arrivals.get(quote)
