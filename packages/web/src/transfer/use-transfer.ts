import {
  type Chain,
  type Client,
  isTransient,
  type ListedToken,
  type RecordedQuote,
  type Status,
  type StatusQuery,
} from '@openrfq/sdk'
import { useEffect, useState } from 'react'

/** What the page knows of a transfer and its surroundings. */
export type TransferView = {
  readonly quote: RecordedQuote | null
  readonly status: Status
  readonly chains: readonly Chain[]
  readonly tokens: readonly ListedToken[]
}

/** A view, once there is one; a refusal; and whether the service cannot be reached now. */
export type Loaded = {
  readonly view?: TransferView
  readonly refusal?: string
  readonly isOffline: boolean
}

const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 15_000

/** Follows a transfer until its last state; a lost service is asked again until it answers. */
export const useTransfer = (client: Client, { quoteId, messageId, sourceChain }: StatusQuery): Loaded => {
  const [loaded, setLoaded] = useState<Loaded>({ isOffline: false })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const update = (change: Partial<Loaded>): void => {
      if (!signal.aborted) setLoaded((before) => ({ ...before, ...change }))
    }
    const query = { quoteId, messageId, sourceChain }
    const follow = async (): Promise<void> => {
      const view = await readWhole(client, query, signal, () => update({ isOffline: true }))
      update({ view, isOffline: false })
      const onReadError = (): void => update({ isOffline: true })
      for await (const status of client.watchStatus(query, { signal, onReadError }))
        update({ view: { ...view, status }, isOffline: false })
    }
    follow().catch((error: unknown) =>
      update({ refusal: error instanceof Error ? error.message : String(error) }),
    )
    return () => controller.abort()
  }, [client, quoteId, messageId, sourceChain])
  return loaded
}

const readWhole = async (
  client: Client,
  query: StatusQuery,
  signal: AbortSignal,
  onFailure: () => void,
): Promise<TransferView> => {
  for (let pauseMs = FIRST_RETRY_MS; ; pauseMs = Math.min(pauseMs * 2, LAST_RETRY_MS)) {
    try {
      const [{ quote, status }, chains] = await Promise.all([
        client.getTransfer(query, { signal }),
        client.getChains({ signal }),
      ])
      const tokens = quote === null ? [] : await tokensOf(client, quote, signal)
      return { quote, status, chains, tokens }
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error
      onFailure()
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/** The tokens of both chains; a chain that is not served any more has none. */
const tokensOf = async (
  client: Client,
  { input, output }: RecordedQuote,
  signal: AbortSignal,
): Promise<readonly ListedToken[]> => {
  const lists = await Promise.all(
    [input.chain, output.chain].map((chain) =>
      client.getTokens({ chain }, { signal }).catch((error: unknown) => {
        if (isTransient(error)) throw error
        return []
      }),
    ),
  )
  return lists.flat()
}
