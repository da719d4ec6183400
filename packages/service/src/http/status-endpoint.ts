import type { UseCases } from '../service/use-cases.ts'
import type { ClientKeys } from './client-key.ts'
import { sendFresh } from './encoded-text.ts'
import { type Endpoint, endpointOf } from './endpoint.ts'
import { GET_STATUS } from './operations.ts'
import { parseInput } from './parse-input.ts'
import { readQuery } from './query.ts'
import { queryOf } from './request-target.ts'
import { StatusRequest } from './requests.ts'

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
