import { QuoteRequest } from '../core/order.ts'
import { presentQuote } from '../core/present-quote.ts'
import type { Log } from '../lib/log.ts'
import type { UseCases } from '../service/use-cases.ts'
import type { ClientKeys } from './client-key.ts'
import type { DailyQuotes } from './daily-quotes.ts'
import { type Endpoint, streamOf } from './endpoint.ts'
import { publicError } from './error-handler.ts'
import { errorResponse } from './error-response.ts'
import type { EventStream, EventStreams } from './event-streams.ts'
import { STREAM_QUOTES, STREAM_STATUS } from './operations.ts'
import { parseInput } from './parse-input.ts'
import { readQuery } from './query.ts'
import { queryOf } from './request-target.ts'
import { QuoteStreamRequest, StatusRequest } from './requests.ts'

type Dependencies = {
  readonly useCases: Pick<UseCases, 'followStatus' | 'requestQuotes'>
  readonly clientKeys: ClientKeys
  readonly dailyQuotes: Pick<DailyQuotes, 'expectLeft' | 'add'>
  readonly streams: Pick<EventStreams, 'serve'>
  readonly log: Log
}

/** Quotes of one stream are at least this far apart. */
const QUOTES_EVERY_MS = 5_000

const STATUS_PARAMETERS = StatusRequest.keyof().options
const QUOTE_PARAMETERS = QuoteStreamRequest.keyof().options

/**
 * `GET /v1/rfq/status/stream`: the transfer's state now and after each change, until the last one. A client that comes
 * back with the id of the last one gets 204, which ends its `EventSource`.
 */
export const statusStreamEndpoint = ({ useCases, clientKeys, streams }: Dependencies): Endpoint =>
  streamOf(STREAM_STATUS, async (request, reply) => {
    const query = parseInput(StatusRequest, readQuery(queryOf(request.url), STATUS_PARAMETERS))
    const client = clientKeys.ofRequest(request.raw)
    const known = request.headers['last-event-id']
    return streams.serve(reply, client, async ({ send, end }) => {
      let isNews = false
      let isOver = false
      const stop = await useCases.followStatus(query, client, ({ id, text, isLast }) => {
        isNews ||= id !== known
        if (isNews) send({ name: 'status', id, data: text })
        isOver = isLast
        if (isLast) end()
      })
      return isOver && !isNews ? 'nothing_new' : stop
    })
  })

/**
 * `GET /v1/rfq/quote/stream`: ranked quotes now and again every five seconds, each time only when the client has read the
 * previous ones. A refusal that begins later is an event.
 */
export const quoteStreamEndpoint = (deps: Dependencies): Endpoint =>
  streamOf(STREAM_QUOTES, async (request, reply) => {
    const { clientKeys, streams } = deps
    const query = parseInput(QuoteStreamRequest, readQuery(queryOf(request.url), QUOTE_PARAMETERS))
    const body = requestOf(query)
    const client = clientKeys.ofRequest(request.raw)
    return streams.serve(reply, client, async (stream) => {
      await sendQuotes(deps, body, client, stream)
      let isAsking = false
      const again = async (): Promise<void> => {
        if (isAsking || stream.isBehind()) return
        isAsking = true
        await sendQuotes(deps, body, client, stream)
          .catch((error: unknown) => {
            const told = publicError(error, request, deps.log)
            stream.send({ name: 'refused', data: errorResponse(told).body })
          })
          .finally(() => {
            isAsking = false
          })
      }
      const timer = setInterval(() => void again(), QUOTES_EVERY_MS)
      return () => clearInterval(timer)
    })
  })

const requestOf = (query: QuoteStreamRequest): QuoteRequest => {
  const { approvalMode, slippageTolerance, ...rest } = query
  const bps = Number(slippageTolerance)
  return parseInput(QuoteRequest, {
    ...rest,
    ...(slippageTolerance === undefined || slippageTolerance.trim() === '' || !Number.isFinite(bps)
      ? {}
      : { slippageTolerance: bps }),
    ...(approvalMode === undefined ? {} : { options: { approvalMode } }),
  })
}

const sendQuotes = async (
  { useCases, dailyQuotes }: Dependencies,
  request: QuoteRequest,
  client: string,
  { send }: EventStream,
): Promise<void> => {
  dailyQuotes.expectLeft(client)
  const quotes = await useCases.requestQuotes(request, client)
  dailyQuotes.add(client, quotes.length)
  send({ name: 'quotes', data: JSON.stringify({ quotes: quotes.map(presentQuote) }) })
}
