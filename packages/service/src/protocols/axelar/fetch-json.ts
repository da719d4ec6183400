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

/**
 * The JSON value a server answers. Rejects with AxelarError when it does not answer 2xx with JSON of at most `maxBytes` within
 * `timeoutMs`, body included; redirects are refused. Its message names the host alone: paths may hold keys.
 */
export const fetchJson = async (http: HttpClient, request: JsonRequest): Promise<unknown> => {
  const { url, body, timeoutMs, maxBytes } = request
  try {
    const { status, text } = await http.send({
      url: new URL(url),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      deadlineMs: timeoutMs,
      maxBytes,
    })
    if (status < 200 || status > 299)
      throw new AxelarError('NO_ANSWER', `status ${status}: ${text.slice(0, SHOWN_CHARACTERS)}`)
    return JSON.parse(text)
  } catch (cause) {
    throw new AxelarError('NO_ANSWER', `no usable answer from ${new URL(url).host}`, { cause })
  }
}
