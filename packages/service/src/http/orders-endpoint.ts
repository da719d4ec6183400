import { OpeningRequest } from '../core/opening.ts'
import type { UseCases } from '../service/use-cases.ts'
import type { ClientKeys } from './client-key.ts'
import { sendFresh } from './encoded-text.ts'
import { type Endpoint, endpointOf } from './endpoint.ts'
import { OPEN_ORDER } from './operations.ts'
import { parseInput } from './parse-input.ts'
import { parseBody } from './strict-json.ts'

/** `POST /v1/rfq/orders`: opens the order of a quote by its sender's signatures; none where the operator opens none. */
export const ordersEndpoints = (
  { openOrder }: Pick<UseCases, 'openOrder'>,
  clientKeys: ClientKeys,
): readonly Endpoint[] =>
  openOrder === undefined
    ? []
    : [
        endpointOf(OPEN_ORDER, async (request, reply) => {
          const body = parseInput(OpeningRequest, parseBody(request.body))
          const answer = await openOrder(body, clientKeys.ofRequest(request.raw))
          return sendFresh(JSON.stringify(answer), request, reply)
        }),
      ]
