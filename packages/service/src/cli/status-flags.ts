import type { StatusQuery } from '@openrfq/sdk'
import type { FlagSpec, Flags } from './flags.ts'

/** The flags that identify a transfer. */
export const STATUS_FLAGS: readonly FlagSpec[] = [
  { name: 'quote-id', value: 'id', help: 'the quote that started the transfer' },
  {
    name: 'message-id',
    value: 'id',
    help: "hash of the source transaction, optionally with a hyphen and the position of Axelar's event in its receipt; not for intent",
  },
  {
    name: 'source-chain',
    value: 'chain',
    help: 'chain of the source transaction, CAIP-2; with --message-id',
  },
]

/** Builds the status query from the flags. Throws UsageError. */
export const lookupOf = (flags: Flags): StatusQuery => ({
  quoteId: flags.required('quote-id'),
  messageId: flags.text('message-id'),
  sourceChain: flags.text('source-chain'),
})

/** The flags that identify the transfer of a query, as text. */
export const lookupFlags = ({ quoteId, messageId, sourceChain }: StatusQuery): string =>
  [
    `--quote-id ${quoteId}`,
    ...(messageId === undefined ? [] : [`--message-id ${messageId}`]),
    ...(sourceChain === undefined ? [] : [`--source-chain ${sourceChain}`]),
  ].join(' ')
