import type { FastifyInstance } from 'fastify'
import { tooManyRequests } from './rate-limit.ts'

/** How long a client is asked to wait while the service is busy. */
const BUSY_MS = 1_000

/** The requests whose bodies are read and that are not answered yet. */
export type InFlight = {
  readonly count: () => number
  /** Refuses a scope's requests with 429 while more than `limit` are in flight. */
  readonly limit: (scope: FastifyInstance, limit: number) => void
}

/** Counts the requests of all endpoints mounted after it. */
export const countInFlight = (app: FastifyInstance): InFlight => {
  let inFlight = 0
  const leave = (): void => {
    inFlight -= 1
  }
  app.addHook('preHandler', (_request, { raw }, done) => {
    inFlight += 1
    // Also emitted when the client goes away, unlike Fastify's onResponse.
    raw.once('close', leave)
    done()
  })
  return {
    count: () => inFlight,
    limit: (scope, limit) => {
      scope.addHook('preHandler', (_request, _reply, done) => {
        if (inFlight > limit) done(tooManyRequests('the service is busy', BUSY_MS))
        else done()
      })
    },
  }
}
