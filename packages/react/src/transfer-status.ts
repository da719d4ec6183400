import type { Chain, Client, StatusQuery } from '@openrfq/sdk'
import { createElement, type ReactElement, useEffect, useState } from 'react'
import { TransferStages } from './transfer-stages.ts'
import type { TransferEnds } from './transfer-steps.ts'
import { type Transfer, useTransfer } from './use-transfer.ts'

/**
 * A transfer to show; `className` styles the element, whose `data-state` is the state.
 * @example
 * const props = (client: Client, quoteId: string): TransferStatusProps => ({ client, quoteId, className: 'transfer' })
 */
export type TransferStatusProps = StatusQuery & {
  readonly client: Client
  readonly className?: string | undefined
}

/**
 * Where a transfer is: a sentence, announced to screen readers when it changes, and below it the stages with their times, as the
 * page of the transfer shows them. `data-standing` of a stage is `done`, `current`, `upcoming` or `failed`.
 * @example
 * const Page = ({ client, quoteId }: { client: Client; quoteId: string }) =>
 *   createElement(TransferStatus, { client, quoteId })
 */
export const TransferStatus = ({ client, className, ...query }: TransferStatusProps): ReactElement => {
  const transfer = useTransfer(client, query)
  const ends = endsOf(transfer, useChains(client))
  return createElement(TransferStages, { transfer, ends, className })
}

/** The names of the chains; their identifiers until they are known. */
const endsOf = ({ quote }: Transfer, chains: readonly Chain[]): TransferEnds => {
  const nameOf = (id: string | undefined, unknown: string): string =>
    chains.find(({ chainId }) => chainId === id)?.chainLabel ?? id ?? unknown
  return {
    source: nameOf(quote?.input.chain, 'the source chain'),
    destination: nameOf(quote?.output.chain, 'the destination chain'),
  }
}

/** The chains of the service; none until they are read. */
const useChains = (client: Client): readonly Chain[] => {
  const [chains, setChains] = useState<readonly Chain[]>([])
  useEffect(() => {
    const controller = new AbortController()
    client.getChains({ signal: controller.signal }).then(setChains, () => undefined)
    return () => controller.abort()
  }, [client])
  return chains
}
