import assert from 'node:assert/strict'
import {
  ChainId,
  isTerminal,
  OrderType,
  TransferDestination,
  TransferOutput,
  TransferRefund,
  TransferSource,
  TransferState,
} from '@openrfq/sdk'
import { z } from 'zod'
import { UnsignedAmount } from '../core/amount.ts'
import { isQuoteId, type QuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { isTentative, type Transfer } from '../core/transfer.ts'
import { StoreError } from './store-error.ts'
import { termsHash } from './terms-hash.ts'

/** A stored answer with all its quotes; `createdAt` in milliseconds, `body` as `encodeAnswer` writes it, `hash` of its terms. */
export type AnswerRow = {
  readonly first: QuoteId
  readonly last: QuoteId
  readonly createdAt: number
  readonly body: string
  readonly hash: number
}

/**
 * A stored transfer; `isOpen` is 1 while its state or its delivery can change, else 0. `ownedMessageId` is null before the deposit, and
 * where the quote alone identifies the transfer.
 */
export type TransferRow = {
  readonly quoteId: QuoteId
  readonly messageId: string
  readonly revision: number
  readonly isOpen: 0 | 1
  readonly body: string
  readonly ownedMessageId: string | null
}

/** A quote id in a column. */
export const StoredId = z.custom<QuoteId>((value) => typeof value === 'string' && isQuoteId(value), {
  error: 'expected a quote id',
})
const Moment = z.int().min(0)

/** The columns of one quote within its answer; short rows keep durable quotes cheap. */
const StoredQuote = z.tuple([
  StoredId,
  z.string().min(1),
  z.string(),
  Moment,
  Moment.nullable(),
  z.number(),
  UnsignedAmount,
  UnsignedAmount,
  UnsignedAmount,
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  // USD of input and output; rows without prices, and of earlier versions, end before them.
  z.string().nullable().optional(),
  z.string().nullable().optional(),
])

/** Format version, then the fields shared by all quotes of the answer, then the quotes. */
const StoredAnswer = z.tuple([
  z.literal(1),
  Moment,
  OrderType,
  ChainId,
  z.string(),
  ChainId,
  z.string(),
  z.string(),
  z.string(),
  z.array(StoredQuote).min(1),
])

const StoredAnswerRow = z.object({ last_quote_id: StoredId, body: z.string() })

const StoredTransfer = z.object({
  state: TransferState,
  source: z.nullable(TransferSource),
  destination: z.nullable(TransferDestination),
  output: z.nullable(TransferOutput),
  refund: z.nullable(TransferRefund),
  details: z.record(z.string(), z.unknown()),
})

const StoredTransferRow = z.object({
  quote_id: StoredId,
  message_id: z.string(),
  revision: z.int().positive(),
  body: z.string(),
})

const sharedOf = (quote: QuoteRecord) =>
  [
    quote.createdAt,
    quote.orderType,
    quote.fromChain,
    quote.fromToken,
    quote.toChain,
    quote.toToken,
    quote.sender,
    quote.recipient,
  ] as const

const answersSame = (one: QuoteRecord, other: QuoteRecord): boolean =>
  one.createdAt === other.createdAt &&
  one.orderType === other.orderType &&
  one.fromChain === other.fromChain &&
  one.fromToken === other.fromToken &&
  one.toChain === other.toChain &&
  one.toToken === other.toToken &&
  one.sender === other.sender &&
  one.recipient === other.recipient

const usdOf = ({ inputUsd, outputUsd }: QuoteRecord): readonly (string | null)[] =>
  inputUsd === undefined && outputUsd === undefined ? [] : [inputUsd ?? null, outputUsd ?? null]

const ownOf = (quote: QuoteRecord) => [
  quote.quoteId,
  quote.backend,
  quote.backendName,
  quote.quoteExpiresAt,
  quote.fulfillmentDeadline ?? null,
  quote.estimatedTimeSeconds,
  quote.input.toString(),
  quote.output.toString(),
  quote.minimumOutput.toString(),
  quote.binding,
  ...usdOf(quote),
]

/** Encodes an answer's quotes as one row; amounts as decimal text. Asserts that all belong to the same order. */
export const encodeAnswer = (quotes: readonly QuoteRecord[]): AnswerRow => {
  const first = quotes[0]
  const last = quotes.at(-1)
  assert(first !== undefined && last !== undefined, 'an answer without quotes cannot be stored')
  let before = first
  for (const quote of quotes.slice(1)) {
    const same = answersSame(first, quote)
    assert(same, `the quotes ${first.quoteId} and ${quote.quoteId} do not answer the same order`)
    assert(before.quoteId < quote.quoteId, 'the ids of an answer must ascend')
    before = quote
  }
  const body = JSON.stringify([1, ...sharedOf(first), quotes.map(ownOf)])
  const hash = termsHash(first)
  return { first: first.quoteId, last: last.quoteId, createdAt: first.createdAt, body, hash }
}

/** Returns the result of `parse`. If it throws, throws StoreError saying that the stored row of `what` is corrupt. */
export const parseOrBlame = <Value>(what: string, parse: () => Value): Value => {
  try {
    return parse()
  } catch (cause) {
    throw new StoreError('damaged', `the stored row of ${what} is damaged`, { cause })
  }
}

const decodeAnswer = (body: string): readonly QuoteRecord[] => {
  const [, createdAt, orderType, fromChain, fromToken, toChain, toToken, sender, recipient, quotes] =
    StoredAnswer.parse(JSON.parse(body))
  return quotes.map(
    ([
      quoteId,
      backend,
      backendName,
      expiry,
      deadline,
      seconds,
      input,
      output,
      minimum,
      binding,
      inputUsd,
      outputUsd,
    ]) => ({
      quoteId,
      backend,
      backendName,
      createdAt,
      quoteExpiresAt: expiry,
      ...(deadline === null ? {} : { fulfillmentDeadline: deadline }),
      estimatedTimeSeconds: seconds,
      orderType,
      fromChain,
      fromToken,
      toChain,
      toToken,
      sender,
      recipient,
      input,
      output,
      minimumOutput: minimum,
      ...(inputUsd == null ? {} : { inputUsd }),
      ...(outputUsd == null ? {} : { outputUsd }),
      binding,
    }),
  )
}

/**
 * The quote in the row that would contain it (columns `last_quote_id`, `body`), or undefined if the row ends before it.
 * Throws StoreError naming the quote if the row is corrupt.
 */
export const findInAnswer = (row: unknown, quoteId: QuoteId): QuoteRecord | undefined =>
  parseOrBlame(quoteId, () => {
    const { last_quote_id: last, body } = StoredAnswerRow.parse(row)
    if (last < quoteId) return undefined
    return decodeAnswer(body).find((quote) => quote.quoteId === quoteId)
  })

/** The quotes of answers, by their bodies. Throws StoreError if one is corrupt. */
export const quotesOfBodies = (bodies: readonly string[]): readonly QuoteRecord[] =>
  bodies.flatMap((body) => parseOrBlame('an answer', () => decodeAnswer(body)))

/**
 * The quotes of the rows (columns `last_quote_id`, `body`) after the given id (all if undefined), at most `limit`.
 * Throws StoreError if a row is corrupt.
 */
export const quotesOfAnswers = (
  rows: readonly unknown[],
  after: QuoteId | undefined,
  limit: number,
): readonly QuoteRecord[] =>
  quotesOfBodies(rows.map((row) => parseOrBlame('an answer', () => StoredAnswerRow.parse(row).body)))
    .filter(({ quoteId }) => after === undefined || quoteId > after)
    .slice(0, limit)

/** Encodes a transfer as its row. */
export const encodeTransfer = (transfer: Transfer): TransferRow => {
  const { quoteId, messageId, revision, state, source, destination, output, refund, details } = transfer
  assert(revision > 0, `a stored transfer has a revision from 1, not ${revision}`)
  const body = JSON.stringify({ state, source, destination, output, refund, details })
  const ownedMessageId = messageId === '' || state === 'AWAITING_DEPOSIT' ? null : messageId
  return {
    quoteId,
    messageId,
    revision,
    isOpen: isTerminal(state) && !isTentative(transfer) ? 0 : 1,
    body,
    ownedMessageId,
  }
}

/** Decodes a transfer row (columns `quote_id`, `message_id`, `revision`, `body`). Throws StoreError if it is corrupt. */
export const decodeTransfer = (row: unknown): Transfer => {
  const key = parseOrBlame('a transfer', () => StoredTransferRow.parse(row))
  const facts = parseOrBlame(`the transfer of ${key.quote_id}`, () =>
    StoredTransfer.parse(JSON.parse(key.body)),
  )
  return { quoteId: key.quote_id, messageId: key.message_id, revision: key.revision, ...facts }
}
