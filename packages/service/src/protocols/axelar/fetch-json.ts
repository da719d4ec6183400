/** One bounded request: POST when there is a body, else GET. */
export type JsonRequest = {
  readonly url: string
  readonly body?: unknown
  readonly timeoutMs: number
  readonly maxBytes: number
}

const readBounded = async (response: Response, maxBytes: number): Promise<string> => {
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * The JSON value a server answers. Rejects with Error when it does not answer 2xx with JSON of at most `maxBytes` within
 * `timeoutMs`, body included; redirects are refused.
 */
export const fetchJson = async (request: JsonRequest): Promise<unknown> => {
  const post =
    request.body === undefined
      ? {}
      : {
          method: 'POST',
          body: JSON.stringify(request.body),
          headers: { 'content-type': 'application/json' },
        }
  try {
    const response = await fetch(request.url, {
      ...post,
      redirect: 'error',
      signal: AbortSignal.timeout(request.timeoutMs),
    })
    const text = await readBounded(response, request.maxBytes)
    if (!response.ok) throw new Error(`status ${response.status}: ${text.slice(0, 200)}`)
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`no usable answer from ${request.url}`, { cause })
  }
}
