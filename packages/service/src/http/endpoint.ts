import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from './answer.ts'

/** What an endpoint sees of a request: `query` without its question mark, `body` as the bytes that came (POST only). */
type EndpointRequest = {
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/**
 * One path and method. `name` labels it in metrics; `limited` says whether rate and concurrency limits count it. A
 * rejection with `RfqError` becomes its error answer, any other one a 500.
 */
export type Endpoint = {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly limited: boolean
  readonly handle: (request: EndpointRequest) => Answer | Promise<Answer>
}
