import { useTransfer } from '@openrfq/react'
import {
  type Chain,
  type Client,
  isTransient,
  type ListedToken,
  type RecordedQuote,
  type Status,
  type StatusQuery,
  untilAnswered,
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
  readonly refusal?: string | undefined
  readonly isOffline: boolean
}

type Names = Pick<TransferView, 'chains' | 'tokens'>

/** Follows a transfer until its last state, with the names of its chains and tokens. */
export const useTransferView = (client: Client, query: StatusQuery): Loaded => {
  const { quote, status, refusal, isOffline } = useTransfer(client, query)
  const { names, isMissing } = useNames(client, quote)
  const loaded = { refusal, isOffline: isOffline || isMissing }
  if (quote === undefined || status === undefined || names === undefined) return loaded
  return { ...loaded, view: { quote, status, ...names } }
}

/** The names of a quote's chains and tokens, once they are read; none are needed where there is no quote. */
const useNames = (client: Client, quote: RecordedQuote | null | undefined) => {
  const [names, setNames] = useState<Names>()
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    if (quote === undefined) return
    if (quote === null) return setNames({ chains: [], tokens: [] })
    const controller = new AbortController()
    const { signal } = controller
    const read = async (): Promise<Names> => {
      const [chains, tokens] = await Promise.all([
        client.getChains({ signal }),
        tokensOf(client, quote, signal),
      ])
      return { chains, tokens }
    }
    untilAnswered(read, { signal, onFailure: () => setMissing(true) }).then(
      (answer) => {
        if (signal.aborted) return
        setNames(answer)
        setMissing(false)
      },
      () => undefined,
    )
    return () => controller.abort()
  }, [client, quote])
  return { names, isMissing }
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
