import type { Client, Status, StatusQuery } from '@openrfq/sdk'
import { createElement, type ReactElement } from 'react'
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

const SENTENCES: Readonly<Record<string, string>> = {
  AWAITING_DEPOSIT: 'Waiting for the payment.',
  PENDING: 'Paid. The delivery follows.',
  DONE: 'Done. The recipient has the money.',
  REFUND_PENDING: 'It could not be delivered. The refund is due.',
  REFUND_INITIATED: 'It could not be delivered. The refund is on its way.',
  REFUNDED: 'It could not be delivered. The money is back.',
  FAILED: 'The transfer failed.',
  NOT_FOUND: 'This service does not know the transfer.',
}

/** What a status means to the person who waits; the state itself where this version does not know it. */
const sentenceOf = ({ state }: Status): string => SENTENCES[state] ?? state

/**
 * One line that says where a transfer is, announced to screen readers when it changes.
 * @example
 * const Page = ({ client, quoteId }: { client: Client; quoteId: string }) =>
 *   createElement(TransferStatus, { client, quoteId })
 */
export const TransferStatus = ({ client, className, ...query }: TransferStatusProps): ReactElement => {
  const { status, refusal, isOffline } = useTransfer(client, query)
  const text = refusal ?? (status === undefined ? 'Loading the transfer…' : sentenceOf(status))
  const note = isOffline && refusal === undefined ? ' The service cannot be reached now.' : ''
  return createElement(
    'p',
    { role: 'status', className, 'data-state': status?.state ?? 'LOADING' },
    `${text}${note}`,
  )
}
