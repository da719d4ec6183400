import { type Client, type RecordedQuote, type Status, type StatusQuery, untilAnswered } from '@openrfq/sdk'
import { useEffect, useState } from 'react'

/**
 * A transfer as it is followed: `status` and `quote` from the first answer on, `quote` null where the service keeps none;
 * `refusal` when the service rejects the lookup, and `isOffline` while it cannot be reached.
 * @example
 * const textOf = ({ status, isOffline }: Transfer): string => (isOffline ? 'offline' : (status?.state ?? 'loading'))
 */
export type Transfer = {
  readonly quote?: RecordedQuote | null
  readonly status?: Status
  readonly refusal?: string
  readonly isOffline: boolean
}

/**
 * Follows a transfer until its last state over one connection, which is opened again when it is lost. Follows nothing while the
 * query is undefined. The client must be the same in each rendering.
 * @example
 * const State = ({ client, quoteId }: { client: Client; quoteId: string }) =>
 *   useTransfer(client, { quoteId }).status?.state ?? 'loading'
 */
export const useTransfer = (client: Client, query: StatusQuery | undefined): Transfer => {
  const [transfer, setTransfer] = useState<Transfer>({ isOffline: false })
  const { quoteId, messageId, sourceChain } = query ?? {}
  useEffect(() => {
    if (quoteId === undefined) return
    const controller = new AbortController()
    const { signal } = controller
    const update = (change: Partial<Transfer>): void => {
      if (!signal.aborted) setTransfer((before) => ({ ...before, ...change }))
    }
    const onReadError = (): void => update({ isOffline: true })
    const follow = async (): Promise<void> => {
      let isDescribed = false
      const lookup = { quoteId, messageId, sourceChain }
      for await (const status of client.watchStatus(lookup, { signal, onReadError })) {
        update({ status, isOffline: false })
        if (isDescribed) continue
        isDescribed = true
        const read = () => client.getTransfer(lookup, { signal })
        const { quote } = await untilAnswered(read, { signal, onFailure: onReadError })
        update({ quote, isOffline: false })
      }
    }
    setTransfer({ isOffline: false })
    follow().catch((error: unknown) =>
      update({ refusal: error instanceof Error ? error.message : String(error) }),
    )
    return () => controller.abort()
  }, [client, quoteId, messageId, sourceChain])
  return transfer
}
