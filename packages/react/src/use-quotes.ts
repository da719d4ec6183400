import { type Client, type Quote, type QuoteParams, serviceClock } from '@openrfq/sdk'
import { useEffect, useState } from 'react'

/**
 * The quotes of a request as they are renewed, undefined until the first answer; `clockOffsetMs` is how far the service's clock is
 * ahead of the device's.
 * @example
 * const isPriced = ({ quotes }: Quotes): boolean => quotes !== undefined && quotes.length > 0
 */
export type Quotes = {
  readonly quotes: readonly Quote[] | undefined
  /** Why there are none, or none newer. */
  readonly refusal: unknown
  readonly clockOffsetMs: number
}

const NOTHING: Quotes = { quotes: undefined, refusal: undefined, clockOffsetMs: 0 }
/** A request waits until typing pauses. */
const SETTLED_MS = 350
/** What refuses a request can change: an account gets funds or a trustline, a limit moves. */
const REFUSED_MS = 5_000

/**
 * Follows the quotes of a request: new ones every five seconds, and those of a changed request after a pause of a third of a
 * second. A request that is refused is asked again every five seconds. Asks nothing while the request is undefined. The client must be the same in each rendering.
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
    const follow = async (): Promise<void> => {
      let now: (() => number) | undefined
      for await (const quotes of client.watchQuotes(request, { signal, onReadError })) {
        update({ quotes, refusal: undefined })
        if (quotes[0] === undefined || now !== undefined) continue
        now = await serviceClock(client, quotes[0], signal)
        update({ clockOffsetMs: now() - Date.now() })
      }
    }
    let timer: ReturnType<typeof setTimeout>
    const ask = (): void => {
      follow().catch((error: unknown) => {
        if (signal.aborted) return
        update({ quotes: [], refusal: error })
        timer = setTimeout(ask, REFUSED_MS)
      })
    }
    timer = setTimeout(ask, SETTLED_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [client, key])
  return seen
}
