import { type LocalServer, startLocalServer } from './local-server.ts'

/** One scripted answer: an HTTP status with a JSON body, or a raw text body. */
export type ScriptedAnswer = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A received request: `GET /v1/rfq/chains`, and the body if there was one. */
export type Asked = { readonly line: string; readonly body: string }

/**
 * An HTTP server with scripted answers per `METHOD /path`; the last one of a list repeats. Other paths get 404 with an
 * empty body.
 */
export const startScriptedService = async (
  script: Readonly<Record<string, readonly ScriptedAnswer[]>>,
): Promise<LocalServer & { readonly asked: readonly Asked[] }> => {
  const asked: Asked[] = []
  const turns = new Map<string, number>()
  const server = await startLocalServer(({ method, url, body }, response) => {
    asked.push({ line: `${method} ${url}`, body })
    const key = `${method} ${url.split('?')[0]}`
    const answers = script[key] ?? []
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1)
    const answer = answers[Math.min(turn, answers.length - 1)]
    response.writeHead(answer?.status ?? (answer === undefined ? 404 : 200), answer?.headers ?? {})
    response.end(typeof answer?.body === 'string' ? answer.body : JSON.stringify(answer?.body ?? {}))
  })
  return { ...server, asked }
}
