import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { quote } from './hide-secrets.ts'
import { HttpError } from './http-error.ts'
import { pathOf } from './request-target.ts'
import { PREFLIGHT_HEADERS } from './response-headers.ts'

/** Answers a request without an endpoint: 405 for a path with other methods, which `allow` lists, else 404. */
type Unmatched = (request: FastifyRequest, reply: FastifyReply) => HttpError

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'] as const

/**
 * Records the methods of every path mounted after it, answers preflights of those paths, and rejects other requests.
 */
export const createUnmatched = (app: FastifyInstance): Unmatched => {
  const methods = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set(['OPTIONS'])
    methods.set(url, known)
    for (const one of [method].flat()) known.add(one)
  })
  const allowed = (target: string): string | undefined => {
    if (target === '*') return METHODS.join(', ')
    const known = methods.get(pathOf(target))
    return known === undefined ? undefined : METHODS.filter((method) => known.has(method)).join(', ')
  }
  const unmatched: Unmatched = ({ url, method }, reply) => {
    const allow = allowed(url)
    if (allow === undefined) return noEndpoint(url)
    reply.header('allow', allow)
    return new HttpError(405, `${pathOf(url)} does not answer ${method}; expected one of ${allow}`)
  }
  app.options('*', { config: { name: 'preflight' } }, (request, reply) => {
    const allow = allowed(request.url)
    if (allow === undefined) throw noEndpoint(request.url)
    return reply
      .code(204)
      .headers({ ...PREFLIGHT_HEADERS, allow })
      .send()
  })
  return unmatched
}

/** The 404 for a path that does not exist. */
export const noEndpoint = (target: string): HttpError =>
  new HttpError(404, `no endpoint at ${quote(pathOf(target), 128)}`)
