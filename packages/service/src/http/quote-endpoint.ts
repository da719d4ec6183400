import { QuoteRequest } from '../core/order.ts'
import type { UseCases } from '../service/use-cases.ts'
import { FRESH_JSON } from './answer.ts'
import { encodeQuotes } from './encode-quotes.ts'
import type { Endpoint } from './endpoint.ts'
import { parseInput } from './parse-input.ts'
import { parseStrictJson } from './strict-json.ts'

/** `POST /v1/rfq/quote`: ranked quotes, durable when they are answered. */
export const quoteEndpoint = ({ requestQuotes }: Pick<UseCases, 'requestQuotes'>): Endpoint => ({
  name: 'quote',
  method: 'POST',
  path: '/v1/rfq/quote',
  limited: true,
  handle: async ({ body }) => {
    const request = parseInput(QuoteRequest, parseStrictJson(body))
    const answer = encodeQuotes(await requestQuotes(request))
    return { status: 200, headers: FRESH_JSON, body: answer, isAscii: true }
  },
})
