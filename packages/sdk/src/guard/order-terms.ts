import { evmChainNumberOf } from '../wire/chain-id.ts'
import { addressWord } from './address-words.ts'
import type { GuardCode } from './guard-code.ts'
import { type Guarded, isSameAddress, unsafe } from './guards.ts'
import { keccakOfText } from './keccak.ts'
import { isTooFar, MOST_LOCKED } from './locked-time.ts'

/** What an order of an intent promises, each a word of 64 hex digits; a settler that the order does not name is absent. */
export type OrderTerms = {
  readonly depositor: string
  readonly originChain: string
  readonly originSettler?: string | undefined
  readonly inputToken: string
  readonly inputAmount: string
  readonly destinationChain: string
  readonly outputToken: string
  readonly outputAmount: string
  readonly recipient: string
  readonly recipientTag: string
  /** Axelar's name of the destination, left-aligned; of orders that are proved by Axelar. */
  readonly destinationName?: string | undefined
  readonly openDeadline: string
  readonly fillDeadline: string
  readonly refundAfter: string
  /** Of orders between chain families: whose signature gives the deposit away. */
  readonly attester?: string | undefined
}

/** How an order names its chains: by number, or by the hash of their identifier. */
export type ChainNames = 'number' | 'hash'

const WORD_DIGITS = 64
const ADDRESS_DIGITS = 40

const wordOf = (value: bigint): string => value.toString(16).padStart(WORD_DIGITS, '0')

const chainWord = (chain: string, names: ChainNames): string =>
  names === 'hash' ? keccakOfText(chain) : wordOf(evmChainNumberOf(chain))

const numberOf = (word: string): bigint => BigInt(`0x${word}`)

/**
 * Refuses an order that does not say what the quote and the request say: the sender deposits exactly the input, the recipient gets
 * at least the guaranteed output, on the chains that were requested, and a refund is possible within 30 days. Throws
 * ExecutionError `unsafe`.
 */
export const checkOrder = (
  guarded: Guarded,
  actionId: string,
  terms: OrderTerms,
  { settler, names }: { readonly settler: string; readonly names: ChainNames },
): void => {
  const { quote, request } = guarded
  const { fromChain, toChain } = request
  const refuse: Refuse = (guard, what) => {
    throw unsafe(guard, `the order of action "${actionId}" ${what}`, actionId)
  }
  const isAccount = (word: string, chain: string, text: string): boolean =>
    word === addressWord(chain, text)?.digits
  if (!isAccount(terms.depositor, fromChain, request.sender))
    refuse('call_sender', `refunds another account than the sender ${request.sender}`)
  if (terms.originSettler !== undefined && !isAccount(terms.originSettler, fromChain, settler))
    refuse('unknown_contract', `is for another settler than ${settler}`)
  if (terms.originChain !== chainWord(fromChain, names))
    refuse('call_chain', `does not start on ${fromChain}`)
  if (terms.destinationChain !== chainWord(toChain, names)) refuse('call_chain', `does not end on ${toChain}`)
  const isInput =
    terms.inputToken === addressWord(fromChain, quote.input.token, 'token')?.digits &&
    terms.inputAmount === wordOf(BigInt(quote.input.amount))
  if (!isInput) refuse('call_input', `does not take ${quote.input.amount} of ${quote.input.token}`)
  const isOutput =
    terms.outputToken === addressWord(toChain, quote.output.token, 'token')?.digits &&
    numberOf(terms.outputAmount) >= BigInt(quote.output.minimumAmount)
  if (!isOutput)
    refuse('call_output', `does not give at least ${quote.output.minimumAmount} of ${quote.output.token}`)
  const recipient = addressWord(toChain, request.recipient)
  if (terms.recipient !== recipient?.digits || numberOf(terms.recipientTag) !== recipient.tag)
    refuse('call_recipient', `pays another account than ${request.recipient}`)
  checkDeadlines(guarded, terms, refuse)
  checkRelease(guarded, terms, refuse)
}

type Refuse = (guard: GuardCode, what: string) => never

/** Whole seconds since 1970; 0 for what is no time. */
const secondsOf = (iso: string): bigint => BigInt(Math.floor((Date.parse(iso) || 0) / 1000))

/** A signed order is worth money to its holder as long as it can be opened: prices move. Quotes are valid for a minute or so. */
const MOST_OPEN_SECONDS = 3_600n

/** An order opens until the quote expires, soon, is filled until its deadline, and is refunded within 30 days. */
const checkDeadlines = ({ quote, now }: Guarded, terms: OrderTerms, refuse: Refuse): void => {
  const { quoteExpiresAt, fulfillmentDeadline } = quote.validity
  if (numberOf(terms.openDeadline) > secondsOf(quoteExpiresAt))
    refuse('call_deadline', `may be opened after the quote expires at ${quoteExpiresAt}`)
  if (numberOf(terms.openDeadline) > BigInt(Math.floor(now / 1000)) + MOST_OPEN_SECONDS)
    refuse('call_deadline', `may be opened for more than an hour, until ${quoteExpiresAt}`)
  if (fulfillmentDeadline !== undefined && numberOf(terms.fillDeadline) > secondsOf(fulfillmentDeadline))
    refuse('call_deadline', `may be filled after ${fulfillmentDeadline}`)
  if (isTooFar(numberOf(terms.refundAfter), now))
    refuse('call_deadline', `locks the deposit for more than ${MOST_LOCKED}`)
}

/** Who gives the deposit away: Axelar's word about the destination, or the attester's signature. */
const checkRelease = (
  { request, guards, lacks }: Guarded,
  { attester, destinationName }: OrderTerms,
  refuse: Refuse,
): void => {
  if (attester !== undefined) {
    const address = `0x${attester.slice(-ADDRESS_DIGITS)}`
    if (guards.attesters === undefined) lacks('attester')
    else if (!guards.attesters.some((known) => isSameAddress(known, address)))
      refuse('attester', `lets ${address} say that it was filled, which is no known attester`)
  }
  if (destinationName === undefined) return
  const name = guards.bridge?.[request.toChain]?.name
  if (name === undefined) lacks('destination_chain')
  else if (destinationName !== textWord(name.toLowerCase()))
    refuse('call_chain', `is proved from another chain than ${name}`)
}

/** A text in UTF-8, left-aligned in a word. */
const textWord = (text: string): string =>
  [...new TextEncoder().encode(text)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .padEnd(WORD_DIGITS, '0')
