import type { Client, Quote, QuoteParams } from '@openrfq/sdk'
import { useEffect, useState } from 'react'

/**
 * The quotes of a request as they are renewed, undefined until the first answer.
 * @example
 * const isPriced = ({ quotes }: Quotes): boolean => quotes !== undefined && quotes.length > 0
 */
export type Quotes = {
  readonly quotes: readonly Quote[] | undefined
  /** Why there are none, or none newer. */
  readonly refusal: unknown
}

const NOTHING: Quotes = { quotes: undefined, refusal: undefined }
/** A request waits until typing pauses. */
const SETTLED_MS = 350
/** What refuses a request can change: an account gets funds or a trustline, a limit moves. */
const REFUSED_MS = 5_000
/** How often it is seen whether a quote has expired: a timer that waits for its expiry would stand still while the machine sleeps. */
const EXPIRY_MS = 500

/**
 * Follows the quotes of a request: new ones every five seconds, and those of a changed request after a pause of a third of a
 * second. A request that is refused is asked again every five seconds, and one whose quote expires before a newer one has come, at
 * once. Asks nothing while the request is undefined. The client must be the same in each rendering.
 * @example
 * const Best = ({ client, request }: { client: Client; request: QuoteParams }) =>
 *   useQuotes(client, request).quotes?.[0]?.output.amount ?? 'no price'
 */
export const useQuotes = (client: Client, request: QuoteParams | undefined): Quotes => {
  const [seen, setSeen] = useState<Quotes>(NOTHING)
  const key =
    request === undefined ? undefined : JSON.stringify({ ...request, amount: request.amount.toString() })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the request's text
  useEffect(() => {
    setSeen(NOTHING)
    if (request === undefined) return
    const controller = new AbortController()
    const { signal } = controller
    const update = (change: Partial<Quotes>): void => {
      if (!signal.aborted) setSeen((before) => ({ ...before, ...change }))
    }
    const onReadError = (error: unknown): void => update({ refusal: error })
    const follow = async (left: AbortSignal): Promise<void> => {
      for await (const quotes of client.watchQuotes(request, { signal: left, onReadError })) {
        update({ quotes, refusal: undefined })
        expiresAt = Math.min(...quotes.map(({ validity }) => Date.parse(validity.quoteExpiresAt)))
      }
    }
    let expiresAt = Number.POSITIVE_INFINITY
    let askedAt = Number.NEGATIVE_INFINITY
    let timer: ReturnType<typeof setTimeout>
    let stream = new AbortController()
    const ask = (): void => {
      askedAt = client.now()
      expiresAt = Number.POSITIVE_INFINITY
      stream.abort()
      stream = new AbortController()
      const { signal: left } = stream
      follow(left).catch((error: unknown) => {
        if (signal.aborted || left.aborted) return
        expiresAt = Number.POSITIVE_INFINITY
        update({ quotes: [], refusal: error })
        timer = setTimeout(ask, REFUSED_MS)
      })
    }
    timer = setTimeout(ask, SETTLED_MS)
    const expiry = setInterval(() => {
      // A service whose quotes have expired when they arrive is not asked more often than one that refuses.
      if (client.now() >= Math.max(expiresAt, askedAt + REFUSED_MS)) ask()
    }, EXPIRY_MS)
    return () => {
      clearTimeout(timer)
      clearInterval(expiry)
      stream.abort()
      controller.abort()
    }
  }, [client, key])
  return seen
}
