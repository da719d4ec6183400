import type { IncomingMessage } from 'node:http'
import type { Server } from 'node:net'

/**
 * Options of the sandbox's HTTP servers. Idle connections outlive any pause of a client: one that is closed while a busy
 * client sends its next request fails that request.
 */
export const SERVER_OPTIONS = { requestTimeout: 10_000, keepAliveTimeout: 72_000 } as const

/** Listens on a free port of 127.0.0.1. Resolves with the port. */
export const listenLocally = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('a local server has no port'))
      else resolve(address.port)
    })
  })

/** The body of a request as text, or undefined if it has more bytes. */
export const readBody = async (request: IncomingMessage, maxBytes: number): Promise<string | undefined> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    const bytes = Buffer.from(part)
    size += bytes.length
    if (size > maxBytes) return undefined
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString('utf8')
}
