import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A received request; `url` is path and query. */
export type Asked = { readonly method: string; readonly url: string; readonly body: string }

/** A server on a free port of 127.0.0.1. */
export type LocalServer = { readonly url: string; readonly stop: () => void }

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/**
 * Starts a server whose handler answers each request; when the handler fails, the connection is closed. The caller
 * stops it.
 */
export const startLocalServer = async (
  respond: (asked: Asked, response: ServerResponse) => Promise<void> | void,
): Promise<LocalServer> => {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = request
    await respond({ method, url, body: await bodyOf(request) }, response)
  }
  // A busy client sends its next request before an idle connection is closed.
  const server = createServer({ keepAliveTimeout: 72_000 }, (request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
