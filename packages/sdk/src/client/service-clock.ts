import type { Quote } from '../wire/quote.ts'
import type { Client } from './create-client.ts'

/** The service dates quotes in whole seconds; a smaller difference is none. */
const IGNORED_OFFSET_MS = 2_500

/**
 * The service's time in milliseconds since 1970, by when it dates a quote that has just arrived: to be compared with expiries,
 * which are times of the service. The device's time where the two differ by less than 2.5 seconds, and where the service does
 * not say.
 * @example
 * const secondsLeft = async (client: Client, quote: Quote): Promise<number> => {
 *   const now = await serviceClock(client, quote)
 *   return (Date.parse(quote.validity.quoteExpiresAt) - now()) / 1000
 * }
 */
export const serviceClock = async (
  client: Client,
  { quoteId }: Pick<Quote, 'quoteId'>,
  signal?: AbortSignal,
): Promise<() => number> => {
  const arrivedAt = Date.now()
  const { quote } = await client.getTransfer({ quoteId }, { signal })
  const offset = quote === null ? 0 : Date.parse(quote.createdAt) - arrivedAt
  return Math.abs(offset) < IGNORED_OFFSET_MS ? () => Date.now() : () => Date.now() + offset
}
