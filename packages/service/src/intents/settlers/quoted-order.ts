import assert from 'node:assert/strict'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import { baseUnits } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import {
  answerOfSalt,
  type IntentOrder,
  OrderId,
  type ProvenTerms,
  SALT_NUMBER_DIGITS,
} from '../../core/intent-order.ts'
import type { Binding } from '../../core/offer.ts'
import { idsOfAnswer, type QuoteId, quoteNumber } from '../../core/quote-id.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { requireBinding } from '../../core/require-binding.ts'

/** The salt of an order: the number of its answer, then 16 random bytes given as 32 lower-case hex digits. */
export const saltOf = (answerId: QuoteId, randomDigits: string): string =>
  `0x${quoteNumber(answerId).toString(16).padStart(SALT_NUMBER_DIGITS, '0')}${randomDigits}`

/** The possible quote ids of an order with this salt. */
export const idsOfSalt = (salt: string): readonly QuoteId[] => idsOfAnswer(BigInt(answerOfSalt(salt)))

const RANDOM_BITS = 80n

/** When the order with this salt was quoted. */
export const quotedAtOfSalt = (salt: string): Instant => Number(BigInt(answerOfSalt(salt)) >> RANDOM_BITS)

/** The fields of an order that its quote's record does not contain. */
export const intentBinding = (orderId: OrderId, order: IntentOrder): Binding => ({
  orderId,
  salt: order.salt,
  sourceSettler: order.originSettler,
  destinationSettler: order.destinationSettler,
  openDeadline: order.openDeadline,
  fillDeadline: order.fillDeadline,
  refundAfter: order.refundAfter,
  solver: order.solver,
  filler: order.filler,
  ...(order.attester === undefined ? {} : { attester: order.attester }),
  ...(order.proven === undefined
    ? {}
    : {
        destinationName: order.proven.destinationName,
        exclusiveUntil: order.proven.exclusiveUntil,
      }),
})

/** The terms that orders between EVM chains have beside those of all orders; quotes have no integrator's fee yet. */
export const provenTerms = (destinationName: string, exclusiveUntil: number): ProvenTerms => ({
  destinationName,
  exclusiveUntil,
  integrator: EVM_NATIVE_TOKEN,
  integratorFee: baseUnits(0n),
})

const boundSeconds = (quote: QuoteRecord, name: string): number => {
  const value = quote.binding[name]
  assert(typeof value === 'number', `quote ${quote.quoteId} is bound to no ${name}`)
  return value
}

/** The order id of a quote. */
export const orderIdOfQuote = (quote: QuoteRecord): OrderId => OrderId.parse(requireBinding(quote, 'orderId'))

/**
 * Rebuilds the order of a quote, with exactly the fields that its id is the hash of. An order of the first IntentSettler,
 * which earlier versions quoted, has neither an attester nor the terms of the second.
 */
export const orderOfQuote = (quote: QuoteRecord): IntentOrder => ({
  depositor: quote.sender,
  salt: requireBinding(quote, 'salt'),
  originChain: quote.fromChain,
  originSettler: requireBinding(quote, 'sourceSettler'),
  destinationChain: quote.toChain,
  destinationSettler: requireBinding(quote, 'destinationSettler'),
  openDeadline: boundSeconds(quote, 'openDeadline'),
  fillDeadline: boundSeconds(quote, 'fillDeadline'),
  refundAfter: boundSeconds(quote, 'refundAfter'),
  inputToken: quote.fromToken,
  inputAmount: quote.input,
  outputToken: quote.toToken,
  outputAmount: quote.output,
  recipient: quote.recipient,
  solver: requireBinding(quote, 'solver'),
  filler: requireBinding(quote, 'filler'),
  ...(quote.binding['attester'] === undefined ? {} : { attester: requireBinding(quote, 'attester') }),
  ...(quote.binding['destinationName'] === undefined
    ? {}
    : {
        proven: provenTerms(requireBinding(quote, 'destinationName'), boundSeconds(quote, 'exclusiveUntil')),
      }),
})
