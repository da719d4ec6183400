import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

/** One scripted answer: an HTTP status with a body that is sent as JSON, or as it is when it is text. */
export type ScriptedAnswer = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What was asked: `GET /v1/rfq/chains`, and the body when there was one. */
export type Asked = { readonly line: string; readonly body: string }

/**
 * A real HTTP server for tests whose answers are scripted per `METHOD /path`; the last one of a list repeats. Paths
 * without a script get 404 with an empty body.
 */
export const startScriptedService = async (
  script: Readonly<Record<string, readonly ScriptedAnswer[]>>,
): Promise<{ readonly url: string; readonly asked: readonly Asked[]; readonly stop: () => void }> => {
  const asked: Asked[] = []
  const turns = new Map<string, number>()
  const server = createServer(async (request, response) => {
    asked.push({ line: `${request.method} ${request.url}`, body: await bodyOf(request) })
    const key = `${request.method} ${request.url?.split('?')[0]}`
    const answers = script[key] ?? []
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1)
    const answer = answers[Math.min(turn, answers.length - 1)]
    response.writeHead(answer?.status ?? (answer === undefined ? 404 : 200), answer?.headers ?? {})
    response.end(typeof answer?.body === 'string' ? answer.body : JSON.stringify(answer?.body ?? {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the test server has no port')
  const stop = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${address.port}`, asked, stop }
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
