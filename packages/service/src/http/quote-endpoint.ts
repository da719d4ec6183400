import { QuoteRequest } from '../core/order.ts'
import { presentQuote } from '../core/present-quote.ts'
import type { UseCases } from '../service/use-cases.ts'
import type { ClientKeys } from './client-key.ts'
import type { DailyQuotes } from './daily-quotes.ts'
import { sendFresh } from './encoded-text.ts'
import { type Endpoint, endpointOf } from './endpoint.ts'
import { REQUEST_QUOTES } from './operations.ts'
import { parseInput } from './parse-input.ts'
import { parseBody } from './strict-json.ts'

/** `POST /v1/rfq/quote`: ranked quotes, durable when they are answered. */
export const quoteEndpoint = (
  { requestQuotes }: Pick<UseCases, 'requestQuotes'>,
  clientKeys: ClientKeys,
  dailyQuotes: Pick<DailyQuotes, 'expectLeft' | 'add'>,
): Endpoint =>
  endpointOf(REQUEST_QUOTES, async (request, reply) => {
    const client = clientKeys.ofRequest(request.raw)
    dailyQuotes.expectLeft(client)
    const quotes = await requestQuotes(parseInput(QuoteRequest, parseBody(request.body)), client)
    dailyQuotes.add(client, quotes.length)
    return sendFresh(JSON.stringify({ quotes: quotes.map(presentQuote) }), request, reply)
  })
