import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import type { UseCases } from '../service/use-cases.ts'
import { sendFresh } from './encoded-text.ts'
import type { Endpoint } from './endpoint.ts'
import { parseInput } from './parse-input.ts'
import { readQuery } from './query.ts'
import { queryOf } from './request-target.ts'
import { FRESH_JSON } from './response-headers.ts'

/** The query of `GET /v1/rfq/status`. Source: interface "GET /v1/rfq/status". */
const StatusRequest = z.object({
  quoteId: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'expected the quoteId of a quote'),
  messageId: z
    .string()
    .regex(/^[!-~]{1,256}$/, 'expected a source-transaction identifier of at most 256 printable characters')
    .optional(),
  sourceChain: z.optional(ChainId),
})

/** `GET /v1/rfq/status`: the transfer's state now; an identifier nobody knows answers NOT_FOUND with 200. */
export const statusEndpoint = ({ getStatus }: Pick<UseCases, 'getStatus'>): Endpoint => ({
  method: 'GET',
  url: '/v1/rfq/status',
  config: { name: 'status' },
  handler: async (request, reply) => {
    const query = readQuery(queryOf(request.url), ['quoteId', 'messageId', 'sourceChain'])
    const status = await getStatus(parseInput(StatusRequest, query))
    return sendFresh(JSON.stringify(status), FRESH_JSON, request, reply)
  },
})
