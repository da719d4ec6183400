import { TransportError } from '@openrfq/sdk'

const TIMEOUT_MS = 20_000

/** Gets what is at a URL, or posts JSON to it. Throws TransportError without an answer within 20 seconds. */
export const ask = async (url: URL, body?: object): Promise<Response> => {
  const posted = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  try {
    return await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : posted),
    })
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'TimeoutError')
      throw new TransportError('timeout', `no answer from ${url} within ${TIMEOUT_MS} ms`, true, { cause })
    throw new TransportError('unreachable', `cannot reach ${url}`, true, { cause })
  }
}
