import type { HttpClient } from '../../lib/http-client.ts'
import { AxelarError } from './axelar-error.ts'

/** One bounded request: POST when there is a body, else GET. */
type JsonRequest = {
  readonly url: string
  readonly body?: unknown
  readonly timeoutMs: number
  readonly maxBytes: number
}

const SHOWN_CHARACTERS = 200

/** Statuses of 4xx that ask for patience. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429])

const isRefusal = (status: number): boolean => status >= 400 && status < 500 && !LATER.has(status)

/**
 * The JSON value a server answers. Rejects with AxelarError REFUSED for a status of 4xx, and with NO_ANSWER when it does not answer 2xx
 * with JSON of at most `maxBytes` within `timeoutMs`, body included; redirects are refused. Its message names the host alone: paths may hold keys.
 */
export const fetchJson = async (http: HttpClient, request: JsonRequest): Promise<unknown> => {
  const { url, body, timeoutMs, maxBytes } = request
  const target = new URL(url)
  try {
    const { status, text } = await http.send({
      url: target,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      deadlineMs: timeoutMs,
      maxBytes,
    })
    if (status < 200 || status > 299)
      throw new AxelarError(
        isRefusal(status) ? 'REFUSED' : 'NO_ANSWER',
        `${target.host} answered status ${status}: ${text.slice(0, SHOWN_CHARACTERS)}`,
      )
    return JSON.parse(text)
  } catch (cause) {
    if (cause instanceof AxelarError && cause.code === 'REFUSED') throw cause
    throw new AxelarError('NO_ANSWER', `no usable answer from ${target.host}`, { cause })
  }
}
