import type { StatusQuery } from '@openrfq/sdk'
import type { FlagSpec, Flags } from './flags.ts'

/** The flags that identify a transfer. */
export const STATUS_FLAGS: readonly FlagSpec[] = [
  { name: 'quote-id', value: 'id', help: 'the quote that started the transfer' },
  { name: 'message-id', value: 'id', help: 'source transaction and event index; not for intent' },
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
