import type { Quote } from '../wire/quote.ts'
import type { Client } from './create-client.ts'
import { arrivalOf } from './quote-arrivals.ts'

/** The service dates quotes in whole seconds; a smaller difference is none. */
const IGNORED_OFFSET_MS = 2_500

/**
 * The service's time in milliseconds since 1970, by when it dates a quote and when a client received it: to be compared with
 * expiries, which are times of the service. The device's time where the two differ by less than 2.5 seconds, where the service
 * does not say, and for a copy of a quote, because nothing tells when a copy arrived.
 * @example
 * const secondsLeft = async (client: Client, quote: Quote): Promise<number> => {
 *   const now = await serviceClock(client, quote)
 *   return (Date.parse(quote.validity.quoteExpiresAt) - now()) / 1000
 * }
 */
export const serviceClock = async (
  client: Client,
  received: Pick<Quote, 'quoteId'>,
  signal?: AbortSignal,
): Promise<() => number> => {
  const arrivedAt = arrivalOf(received)
  if (arrivedAt === undefined) return () => Date.now()
  const { quote } = await client.getTransfer({ quoteId: received.quoteId }, { signal })
  const offset = quote === null ? 0 : Date.parse(quote.createdAt) - arrivedAt
  return Math.abs(offset) < IGNORED_OFFSET_MS ? () => Date.now() : () => Date.now() + offset
}
