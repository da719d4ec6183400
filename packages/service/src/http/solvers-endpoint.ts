import type { SolversAnswer } from '@openrfq/sdk'
import type { UseCases } from '../service/use-cases.ts'
import { sendFresh } from './encoded-text.ts'
import { type Endpoint, endpointOf } from './endpoint.ts'
import { LIST_SOLVERS } from './operations.ts'

/** `GET /v1/solvers`: the solvers and how their orders ended, from memory. */
export const solversEndpoint = ({ listSolvers }: Pick<UseCases, 'listSolvers'>): Endpoint =>
  endpointOf(LIST_SOLVERS, async (request, reply) => {
    const answer: SolversAnswer = { solvers: [...listSolvers()] }
    return sendFresh(JSON.stringify(answer), request, reply)
  })
