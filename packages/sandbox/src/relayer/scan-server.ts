import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Log } from 'openrfq/lib/log'
import { listenLocally, readBody, SERVER_OPTIONS } from '../local-server.ts'
import type { Method, Parameters, ScanError } from './scan.ts'

/** The HTTP side of the relayer. */
export type ScanServer = {
  /** Listens on a free port of 127.0.0.1. Resolves with the base URL. */
  readonly start: () => Promise<string>
  readonly stop: () => Promise<void>
}

const LARGEST_BODY_BYTES = 64 * 1024

const isRefusal = (answer: unknown): answer is ScanError =>
  typeof answer === 'object' && answer !== null && 'refused' in answer

const parseBody = (body: string): Parameters | undefined => {
  if (body.trim() === '') return {}
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? Object.fromEntries(Object.entries(parsed))
      : undefined
  } catch {
    return undefined
  }
}

const send = (response: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

/** The method of a path; one whose own path ends with a slash answers all behind it, which it gets as `rest`. */
const methodOf = (methods: ReadonlyMap<string, Method>, path: string) => {
  const exact = methods.get(path)
  if (exact !== undefined) return exact
  const [prefix, method] =
    [...methods].find(([own]) => own.length > 1 && own.endsWith('/') && path.startsWith(own)) ?? []
  return prefix === undefined || method === undefined
    ? undefined
    : (parameters: Parameters) => method({ ...parameters, rest: path.slice(prefix.length) })
}

const answer = async (
  methods: ReadonlyMap<string, Method>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const url = new URL(request.url ?? '/', 'http://relayer')
  const method = methodOf(methods, url.pathname)
  if (method === undefined) return send(response, 404, { error: true, message: 'method not found' })
  const body = request.method === 'POST' ? await readBody(request, LARGEST_BODY_BYTES) : ''
  const parameters = body === undefined ? undefined : parseBody(body)
  if (parameters === undefined)
    return send(response, 400, { error: true, message: 'the body is no JSON object of at most 64 KiB' })
  const result = method({ ...Object.fromEntries(url.searchParams), ...parameters })
  if (isRefusal(result)) send(response, result.status, result.body)
  else send(response, 200, result)
}

/** Serves the methods by path or by its beginning, over GET with a query or POST with a JSON body. */
export const createScanServer = (methods: ReadonlyMap<string, Method>, log: Log): ScanServer => {
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    answer(methods, request, response).catch((error: unknown) => {
      log('error', 'relayer_request_failed', { url: request.url, error: String(error) })
      if (response.headersSent) response.destroy()
      else send(response, 500, { error: true, message: 'internal error' })
    })
  })
  return {
    start: async () => `http://127.0.0.1:${await listenLocally(server)}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
