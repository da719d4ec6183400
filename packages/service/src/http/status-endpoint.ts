import type { UseCases } from '../service/use-cases.ts'
import type { ClientKeys } from './client-key.ts'
import { sendFresh } from './encoded-text.ts'
import { type Endpoint, endpointOf } from './endpoint.ts'
import { GET_RECOVERY, GET_STATUS, GET_TRANSFER, LIST_TRANSFERS, SEARCH_TRANSFERS } from './operations.ts'
import { parseInput } from './parse-input.ts'
import { readQuery } from './query.ts'
import type { ReadBudget } from './read-budget.ts'
import { queryOf } from './request-target.ts'
import { RecoveryRequest, SearchRequest, StatusRequest, TransfersRequest } from './requests.ts'

const PARAMETERS = StatusRequest.keyof().options

/** `GET /v1/rfq/status`: the transfer's present state; an unknown id is answered NOT_FOUND with 200. */
export const statusEndpoint = (
  { getStatus }: Pick<UseCases, 'getStatus'>,
  clientKeys: ClientKeys,
): Endpoint =>
  endpointOf(GET_STATUS, async (request, reply) => {
    const query = readQuery(queryOf(request.url), PARAMETERS)
    const status = await getStatus(parseInput(StatusRequest, query), clientKeys.ofRequest(request.raw))
    return sendFresh(JSON.stringify(status), request, reply)
  })

/** `GET /v1/rfq/transfer`: what is kept of a quote, and the status. */
export const transferEndpoint = (
  { getTransfer }: Pick<UseCases, 'getTransfer'>,
  clientKeys: ClientKeys,
): Endpoint =>
  endpointOf(GET_TRANSFER, async (request, reply) => {
    const query = parseInput(StatusRequest, readQuery(queryOf(request.url), PARAMETERS))
    const answer = await getTransfer(query, clientKeys.ofRequest(request.raw))
    return sendFresh(JSON.stringify(answer), request, reply)
  })

const SEARCH_PARAMETERS = SearchRequest.keyof().options

/** The transfers whose reading costs about as much as a search. */
const SEARCH_COST = 20

/** `GET /v1/rfq/search`: the stored transfers that a text may mean. */
export const searchEndpoint = (
  { searchTransfers }: Pick<UseCases, 'searchTransfers'>,
  clientKeys: ClientKeys,
  { expectLeft }: ReadBudget,
): Endpoint =>
  endpointOf(SEARCH_TRANSFERS, async (request, reply) => {
    const { text } = parseInput(SearchRequest, readQuery(queryOf(request.url), SEARCH_PARAMETERS))
    expectLeft(clientKeys.ofRequest(request.raw), SEARCH_COST)
    return sendFresh(JSON.stringify(await searchTransfers(text)), request, reply)
  })

const RECOVERY_PARAMETERS = RecoveryRequest.keyof().options

/** `GET /v1/rfq/recovery`: what moves a late transfer on, as actions. */
export const recoveryEndpoint = (
  { getRecovery }: Pick<UseCases, 'getRecovery'>,
  clientKeys: ClientKeys,
): Endpoint =>
  endpointOf(GET_RECOVERY, async (request, reply) => {
    const query = parseInput(RecoveryRequest, readQuery(queryOf(request.url), RECOVERY_PARAMETERS))
    const answer = await getRecovery(query, clientKeys.ofRequest(request.raw))
    return sendFresh(JSON.stringify(answer), request, reply)
  })

const PAGE_PARAMETERS = TransfersRequest.keyof().options

/** `GET /v1/rfq/transfers`: a page of an account's transfers, as they are stored. */
export const transfersEndpoint = (
  { listTransfers }: Pick<UseCases, 'listTransfers'>,
  clientKeys: ClientKeys,
  { expectLeft }: ReadBudget,
): Endpoint =>
  endpointOf(LIST_TRANSFERS, async (request, reply) => {
    const query = parseInput(TransfersRequest, readQuery(queryOf(request.url), PAGE_PARAMETERS))
    expectLeft(clientKeys.ofRequest(request.raw), query.limit)
    return sendFresh(JSON.stringify(await listTransfers(query)), request, reply)
  })
