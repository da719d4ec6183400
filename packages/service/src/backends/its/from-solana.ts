import type { ChainId, TransferSource } from '@openrfq/sdk'
import type { PaymentChain, ProgramChain, ProgramEvents } from '../../chains/payment-chain.ts'
import { rpcErrorCode } from '../../chains/rpc/rpc-error.ts'
import { toIso } from '../../core/instant.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { requireBinding } from '../../core/require-binding.ts'
import type { Observation } from '../../core/transfer.ts'
import type { Log } from '../../lib/log.ts'
import {
  eventAuthorityOf,
  type SentTransfer,
  sentEvent,
  transferData,
} from '../../protocols/axelar/its-solana.ts'
import type { Located, Lookup } from '../backend.ts'
import { CLOCK_SKEW_MS } from '../source-message.ts'
import type { Followed } from './followed.ts'

type Deps = {
  readonly paymentChains: ReadonlyMap<ChainId, Pick<PaymentChain, 'programs'>>
  readonly log: Log
}

/** A signature, and the place of an event in its transaction, or none. */
const MESSAGE_NAME = /^([1-9A-HJ-NP-Za-km-z]{64,88})(?:-([1-9][0-9]{0,4}\.[1-9][0-9]{0,4}))?$/

/**
 * The message of the quote in its source transaction, or that this transaction failed; `unknown`: too few endpoints show it as
 * final.
 */
type Sent = { readonly followed: Followed } | { readonly reverted: TransferSource } | 'unknown' | 'mismatched'

/** The programs of the chain that a quote's transfer starts on; undefined for another family. */
const programsOf = ({ paymentChains }: Deps, quote: QuoteRecord): ProgramChain | undefined =>
  paymentChains.get(quote.fromChain)?.programs

const transferOf = (quote: QuoteRecord): SentTransfer => ({
  tokenId: requireBinding(quote, 'tokenId'),
  destinationChain: requireBinding(quote, 'destinationAxelarChain'),
  sender: quote.sender,
  recipient: quote.recipient,
  amount: quote.input,
})

/**
 * Whether a failed transaction was exactly the quote's: without events, its instruction identifies it. Anybody can name the sender
 * as an account, only the sender can sign.
 */
const wasQuoted = ({ signers, instructions }: ProgramEvents, quote: QuoteRecord): boolean => {
  const { sender } = quote
  const gasValue = BigInt(requireBinding(quote, 'gasValue'))
  const expected = transferData({ ...transferOf(quote), gasValue }).toString('hex')
  const its = requireBinding(quote, 'sourceIts')
  return (
    signers.includes(sender) &&
    instructions.some(
      ({ program, accounts: [payer, authority], data }) =>
        program === its && payer === sender && authority === sender && data === expected,
    )
  )
}

/**
 * The quote's message by its transaction, as a quorum of endpoints tell it. Only the gateway's event with exactly the quote's payload
 * counts: sender, recipient, amount, token and destination. A failed transaction sends nothing, and one older than the quote is
 * another's.
 */
const readSent = async (
  programs: ProgramChain,
  quote: QuoteRecord,
  [, txHash = '', place]: RegExpExecArray,
): Promise<Sent> => {
  const gateway = requireBinding(quote, 'sourceGateway')
  const authority = eventAuthorityOf(gateway)
  try {
    const found = await programs.eventsIn(txHash, { program: gateway, authority })
    if (found.timestampSeconds * 1000 < quote.createdAt - CLOCK_SKEW_MS) return 'mismatched'
    const timestamp = toIso(found.timestampSeconds * 1000)
    const source = { chain: quote.fromChain, txHash, messageId: txHash, timestamp }
    if (!found.succeeded) return wasQuoted(found, quote) ? { reverted: source } : 'mismatched'
    const expected = sentEvent(
      transferOf(quote),
      { chain: requireBinding(quote, 'hubChain'), address: requireBinding(quote, 'hubAddress') },
      requireBinding(quote, 'sourceIts'),
    )
    const event = found.events.find(
      (one) => one.data === expected && (place === undefined || one.place === place),
    )
    if (event === undefined) return 'mismatched'
    const messageId = `${txHash}-${event.place}`
    return { followed: { messageId, final: true, source: { ...source, messageId } } }
  } catch (error) {
    if (rpcErrorCode(error) === 'NODE_BEHIND') return 'unknown'
    throw error
  }
}

/** Finds the message of a quote from Solana by its name; without a name nothing is searched. Undefined for another source. */
export const locateOnSolana = (
  deps: Deps,
  quote: QuoteRecord,
  name: string | undefined,
): Promise<Located> | undefined => {
  const programs = programsOf(deps, quote)
  return programs === undefined ? undefined : locate(deps, programs, quote, name)
}

const locate = async (
  { log }: Deps,
  programs: ProgramChain,
  quote: QuoteRecord,
  name: string | undefined,
): Promise<Located> => {
  if (name === undefined) return { located: 'nothing', candidates: [] }
  const parsed = MESSAGE_NAME.exec(name)
  if (parsed === null) return { located: 'mismatched' }
  try {
    const sent = await readSent(programs, quote, parsed)
    if (sent === 'unknown') return { located: 'nothing', candidates: [] }
    if (sent === 'mismatched') return { located: 'mismatched' }
    // A failed transaction has no event, so that its signature alone names it.
    const { messageId } = 'reverted' in sent ? { messageId: parsed[1] ?? '' } : sent.followed
    return { located: 'found', messageId }
  } catch (error) {
    log('warn', 'source_message_search_failed', { quoteId: quote.quoteId, error })
    return { located: 'unreadable' }
  }
}

/** The quote's message from Solana, once it is final; undefined before, for a failed transaction and for another message. Rejects if it cannot be read. */
export const sentFromSolana = async (
  programs: ProgramChain,
  quote: QuoteRecord,
  lookup: Lookup,
): Promise<Followed | undefined> => {
  const parsed = lookup === null ? null : MESSAGE_NAME.exec(lookup.messageId)
  if (parsed === null) return undefined
  const sent = await readSent(programs, quote, parsed)
  return typeof sent === 'string' || 'reverted' in sent ? undefined : sent.followed
}

/** Observes a transfer from Solana; undefined for another source. */
export const trackFromSolana = (
  deps: Deps,
  quote: QuoteRecord,
  lookup: Lookup,
  follow: (message: Followed) => Promise<Observation>,
): Promise<Observation> | undefined => {
  const programs = programsOf(deps, quote)
  return programs === undefined ? undefined : track(deps, programs, { quote, lookup, follow })
}

type Tracked = {
  readonly quote: QuoteRecord
  readonly lookup: Lookup
  readonly follow: (message: Followed) => Promise<Observation>
}

const track = async (
  { log }: Deps,
  programs: ProgramChain,
  { quote, lookup, follow }: Tracked,
): Promise<Observation> => {
  if (lookup === null) return { seen: 'nothing', details: {} }
  const { messageId } = lookup
  const parsed = MESSAGE_NAME.exec(messageId)
  if (parsed === null || lookup.sourceChain !== quote.fromChain) return { seen: 'mismatched', details: {} }
  let sent: Sent
  try {
    sent = await readSent(programs, quote, parsed)
  } catch (error) {
    log('warn', 'source_transaction_read_failed', { quoteId: quote.quoteId, messageId, error })
    return { seen: 'unreadable', details: {} }
  }
  if (sent === 'unknown') return { seen: 'nothing', details: {} }
  if (sent === 'mismatched') return { seen: 'mismatched', details: {} }
  if ('reverted' in sent)
    return {
      seen: 'failed',
      source: sent.reverted,
      details: { stage: 'source_reverted', reasonCode: 'source_tx_reverted' },
    }
  try {
    return await follow(sent.followed)
  } catch (error) {
    log('warn', 'axelarscan_message_read_failed', { quoteId: quote.quoteId, error })
    return {
      seen: 'in_flight',
      source: sent.followed.source,
      details: { stage: 'relay_unreadable', stale: true },
    }
  }
}
