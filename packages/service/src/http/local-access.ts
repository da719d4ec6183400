import type { FastifyReply, FastifyRequest } from 'fastify'
import { isLoopback } from '../lib/loopback.ts'
import { quote } from './hide-secrets.ts'
import { HttpError } from './http-error.ts'

/** Who besides this machine may use the endpoints that are not for everybody. */
export type LocalAccess = {
  /** Host names without a port, in lower case. */
  readonly hosts: ReadonlySet<string>
  /** Origins of web pages, as browsers send them. */
  readonly origins: ReadonlySet<string>
}

const hostOf = (text: string): string | undefined => URL.parse(text)?.hostname.toLowerCase()

const isLocal = (host: string | undefined): boolean => host !== undefined && isLoopback(host)

/**
 * Refuses a request for another host than this machine, which a foreign name that resolves to it would be, and one from
 * a web page of another origin; lets pages of the others read the answer.
 */
export const createLocalAccess =
  ({ hosts, origins }: LocalAccess) =>
  async (
    { headers: { host: authority = '', origin } }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    reply.removeHeader('access-control-allow-origin')
    const host = hostOf(`http://${authority}`)
    if (!isLocal(host) && !hosts.has(host ?? ''))
      throw new HttpError(403, `host ${quote(authority, 128)} is not this machine, nor in ALLOWED_HOSTS`)
    if (origin === undefined) return
    if (!isLocal(hostOf(origin)) && !origins.has(origin))
      throw new HttpError(403, `origin ${quote(origin, 128)} is not in ALLOWED_ORIGINS`)
    reply.headers({ 'access-control-allow-origin': origin, vary: 'origin' })
  }
