import type { IncomingMessage } from 'node:http'
import type { Server } from 'node:net'

/**
 * Options of the sandbox's HTTP servers. Idle connections outlive any pause of a client: one that is closed while a busy
 * client sends its next request fails that request.
 */
export const SERVER_OPTIONS = { requestTimeout: 10_000, keepAliveTimeout: 72_000 } as const

/** Listens on the wanted port of 127.0.0.1, by default any that is free. Resolves with the port; rejects if it is taken. */
export const listenLocally = (server: Server, wanted = 0): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, '127.0.0.1', () => {
      server.off('error', reject)
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('a local server has no port'))
      else resolve(address.port)
    })
  })

/** Listens on the port if it is free, else on any other. Resolves with the port. */
export const listenLocallyOr = async (server: Server, wanted: number): Promise<number> => {
  try {
    return await listenLocally(server, wanted)
  } catch {
    return listenLocally(server)
  }
}

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
