import type { Action } from '../core/action.ts'
import type { AnsweredQuote } from '../core/answered-quote.ts'
import type { FeeEntry } from '../core/fee.ts'
import { toIso } from '../core/instant.ts'
import type { OfferedFee } from '../core/offer.ts'

/**
 * The body of a quote answer as JSON text in ASCII, in the field order of the interface. Written by hand because a
 * general encoder costs more than pricing does; its test compares it with `JSON.stringify` and core's schema.
 * Identifiers, calldata and decimals are made here and hold nothing that JSON escapes; whatever began as somebody's text
 * may.
 */
export const encodeQuotes = (quotes: readonly AnsweredQuote[]): string =>
  // Not joined, which would copy every quote once more.
  `{"quotes":[${quotes.reduce((text, quote) => (text === '' ? text : `${text},`) + encodeQuote(quote), '')}]}`

const encodeQuote = (quote: AnsweredQuote): string => {
  const { record, offer, usd } = quote
  return `{"quoteId":"${record.quoteId}","selectionReason":"${quote.selectionReason}","backend":{"type":"${
    record.backend
  }","name":${text(record.backendName)},"tracking":${json(
    offer.tracking,
  )},"metadata":${json(offer.metadata)}},"estimatedTimeSeconds":${
    record.estimatedTimeSeconds
  },"validity":${encodeValidity(quote)},"input":{"chain":"${record.fromChain}","token":${text(
    record.fromToken,
  )},"amount":"${record.input}"${encodeUsd(usd.input)}},"output":{"chain":"${record.toChain}","token":${text(
    record.toToken,
  )},"amount":"${record.output}","minimumAmount":"${record.minimumOutput}"${encodeUsd(
    usd.output,
  )}},"fees":{"gas":${encodeFee(offer.gasFee, usd.gas)},"user":${encodeFee(
    offer.userFee,
    usd.user,
  )},"integrator":${quote.integrator === null ? 'null' : json(quote.integrator)}},"actions":[${offer.actions.map(encodeAction).join()}]}`
}

const encodeValidity = ({ record }: AnsweredQuote): string => {
  const deadline =
    record.fulfillmentDeadline === undefined
      ? ''
      : `,"fulfillmentDeadline":"${toIso(record.fulfillmentDeadline)}"`
  return `{"type":"expires_at","quoteExpiresAt":"${toIso(record.quoteExpiresAt)}"${deadline}}`
}

const encodeUsd = (usd: string | undefined): string => member('amountUsdApprox', usd)

const encodeFee = (fee: OfferedFee, usd: string | undefined): string =>
  `{"amount":"${fee.amount}"${encodeUsd(usd)},"token":${encodeFeeToken(fee.token)},"paymentMethod":"${
    fee.paymentMethod
  }","quoteTreatment":"${fee.quoteTreatment}"}`

const encodeFeeToken = (token: FeeEntry['token']): string => {
  const identity = 'address' in token ? `"address":${text(token.address)}` : '"type":"native"'
  return `{"chain":"${token.chain}","symbol":${text(token.symbol)},${identity}}`
}

const encodeAction = (action: Action): string => {
  const head = `{"id":"${action.id}","label":${text(action.label)},"type":"${action.type}","chain":"${
    action.chain
  }","payload":`
  const { payload } = action
  if (payload.type !== 'evm_transaction') return `${head}${json(payload)}}`
  const { from, to, data, value, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = payload
  return `${head}{"type":"evm_transaction","from":${text(from)},"to":${text(to)}${member('data', data)}${member(
    'value',
    value,
  )}${member('gasLimit', gasLimit)}${member('maxFeePerGas', maxFeePerGas)}${member(
    'maxPriorityFeePerGas',
    maxPriorityFeePerGas,
  )}}}`
}

const member = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`

const MAX_KEPT = 10_000
/** Texts as JSON: an answer repeats a few names and addresses, and so do the next thousand answers. */
const kept = new Map<string, string>()

/** An address or a name. */
const text = (value: string): string => kept.get(value) ?? keep(value)

const keep = (value: string): string => {
  if (kept.size >= MAX_KEPT) kept.clear()
  const written = json(value)
  kept.set(value, written)
  return written
}

const BEYOND_ASCII = /[\u0080-\uffff]/g

/** Any JSON value; what lies beyond ASCII only occurs within its strings, where it may be escaped. */
const json = (value: unknown): string => {
  const written = JSON.stringify(value)
  const isAscii = Buffer.byteLength(written) === written.length
  return isAscii ? written : written.replaceAll(BEYOND_ASCII, escaped)
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
