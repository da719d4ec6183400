import type { RouteOptions } from 'fastify'
import type { Operation } from './operation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Labels the endpoint in metrics and logs. */
    readonly name: string
    /** Whether the answer goes on until its client leaves, so that it does not count as a request in flight. */
    readonly isStream?: boolean
  }
}

/** One path and method as Fastify mounts it; a handler that throws `RfqError` answers it, any other error a 500. */
export type Endpoint = RouteOptions

/** The endpoint of a described operation. */
export const endpointOf = ({ method, path, name }: Operation, handler: Endpoint['handler']): Endpoint => ({
  method,
  url: path,
  config: { name },
  handler,
})

/** The endpoint of a described operation that answers with events; HEAD, which would get none, is not answered. */
export const streamOf = ({ method, path, name }: Operation, handler: Endpoint['handler']): Endpoint => ({
  method,
  url: path,
  config: { name, isStream: true },
  exposeHeadRoute: false,
  handler,
})
