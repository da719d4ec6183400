import type { Action } from '@openrfq/sdk'
import type { QuoteId } from '../../core/quote-id.ts'
import { keccakHex } from './keccak.ts'

const TAG_DIGITS = 32

/**
 * The tag of a quote's transactions, as lower-case hex without `0x`: the first 16 bytes of keccak256 of its id. It stands
 * after the calldata, where contracts do not read.
 */
export const quoteTag = (quoteId: QuoteId): string => keccakHex(quoteId).slice(0, TAG_DIGITS)

/** The actions of a quote, with its tag after the calldata of each EVM transaction that is no approval. */
export const taggedActions = (actions: readonly Action[], quoteId: QuoteId): readonly Action[] =>
  actions.map((action) =>
    action.type === 'transaction' && action.payload.type === 'evm_transaction'
      ? { ...action, payload: { ...action.payload, data: action.payload.data + quoteTag(quoteId) } }
      : action,
  )
