import type { Client, StatusQuery } from '@openrfq/sdk'
import { createElement, type ReactElement } from 'react'
import { statusSentence } from './status-sentence.ts'
import { useTransfer } from './use-transfer.ts'

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
 * One line that says where a transfer is, announced to screen readers when it changes.
 * @example
 * const Page = ({ client, quoteId }: { client: Client; quoteId: string }) =>
 *   createElement(TransferStatus, { client, quoteId })
 */
export const TransferStatus = ({ client, className, ...query }: TransferStatusProps): ReactElement => {
  const { status, refusal, isOffline } = useTransfer(client, query)
  const text = refusal ?? (status === undefined ? 'Loading the transfer…' : statusSentence(status))
  const note = isOffline && refusal === undefined ? ' The service cannot be reached now.' : ''
  return createElement(
    'p',
    { role: 'status', className, 'data-state': status?.state ?? 'LOADING' },
    `${text}${note}`,
  )
}
