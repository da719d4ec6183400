import type { FastifyInstance } from 'fastify'
import { tooManyRequests } from './rate-limit.ts'

/** The pause that a busy service asks of its clients. */
const BUSY_MS = 1_000

/** Counts requests from the end of their body to their answer; streams, which have a limit of their own, are left out. */
export type InFlight = {
  readonly count: () => number
  /** Answers 429 to a scope's requests while more than `limit` are in flight. */
  readonly limit: (scope: FastifyInstance, limit: number) => void
}

/** Counts the requests of all endpoints mounted after it. */
export const countInFlight = (app: FastifyInstance): InFlight => {
  let inFlight = 0
  const leave = (): void => {
    inFlight -= 1
  }
  app.addHook('preHandler', ({ routeOptions }, { raw }, done) => {
    if (routeOptions.config.isStream !== true) {
      inFlight += 1
      // Also emitted when the client disconnects, unlike Fastify's onResponse.
      raw.once('close', leave)
    }
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
