import type { Client, Quote, QuoteParams } from '@openrfq/sdk'
import { useEffect, useState } from 'react'

/** The quotes of a request as they are renewed; `clockOffsetMs` is how far the service's clock is ahead of ours. */
export type Quotes = {
  readonly quotes: readonly Quote[] | undefined
  /** Why there are none, or none newer. */
  readonly refusal: unknown
  readonly clockOffsetMs: number
}

const NOTHING: Quotes = { quotes: undefined, refusal: undefined, clockOffsetMs: 0 }
/** A request waits until typing pauses. */
const SETTLED_MS = 350

/** Follows the quotes of a request, from a pause after its last change; nothing while it is undefined. */
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
      let offset: number | undefined
      for await (const quotes of client.watchQuotes(request, { signal, onReadError })) {
        update({ quotes, refusal: undefined })
        offset ??= await clockOffset(client, quotes[0], signal)
        update({ clockOffsetMs: offset })
      }
    }
    const timer = setTimeout(() => {
      follow().catch((error: unknown) => update({ quotes: [], refusal: error }))
    }, SETTLED_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [client, key])
  return seen
}

/** How far the service's clock is ahead, from the time it gave a quote that has just arrived; seconds precise. */
const clockOffset = async (
  client: Client,
  quote: Quote | undefined,
  signal: AbortSignal,
): Promise<number> => {
  if (quote === undefined) return 0
  const arrivedAt = Date.now()
  const kept = await client.getTransfer({ quoteId: quote.quoteId }, { signal })
  const offset = kept.quote === null ? 0 : Date.parse(kept.quote.createdAt) - arrivedAt
  return Math.abs(offset) < IGNORED_OFFSET_MS ? 0 : offset
}

/** Quotes are dated in whole seconds. */
const IGNORED_OFFSET_MS = 2_500
