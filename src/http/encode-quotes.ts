import type { Action } from '../core/action.ts'
import type { AnsweredQuote } from '../core/answered-quote.ts'
import { toIso } from '../core/instant.ts'
import { keepTexts } from '../core/kept-texts.ts'
import type { OfferedFee } from '../core/offer.ts'

/**
 * The body of a quote answer as JSON text in ASCII, in the field order of the interface. Written by hand because a
 * general encoder costs more than pricing does; its test compares it with `JSON.stringify` and core's schema. Whatever
 * answers repeat is kept as one text, because each piece costs its writer as much as a price. Identifiers, EVM
 * addresses, calldata and decimals are made here and hold nothing that JSON escapes; whatever began as somebody's text may.
 */
export const encodeQuotes = (quotes: readonly AnsweredQuote[]): string =>
  // Not joined, which would copy every quote once more.
  `{"quotes":[${quotes.reduce((text, quote) => (text === '' ? text : `${text},`) + encodeQuote(quote), '')}]}`

const encodeQuote = (quote: AnsweredQuote): string => {
  const { record, offer, usd } = quote
  return `{"quoteId":"${record.quoteId}${backendHead(quote.selectionReason, record.backend, record.backendName)}${json(
    offer.tracking,
  )},"metadata":${json(offer.metadata)}},"estimatedTimeSeconds":${
    record.estimatedTimeSeconds
  },"validity":{"type":"expires_at","quoteExpiresAt":"${toIso(record.quoteExpiresAt)}${deadline(
    record.fulfillmentDeadline,
  )}${inputHead(record.fromChain, record.fromToken)}${record.input}${approximately(usd.input)}${outputHead(
    record.toChain,
    record.toToken,
  )}${record.output}","minimumAmount":"${record.minimumOutput}${approximately(
    usd.output,
  )}"},"fees":{"gas":{"amount":"${offer.gasFee.amount}${approximately(usd.gas)}${feeTail(
    offer.gasFee,
  )},"user":{"amount":"${offer.userFee.amount}${approximately(usd.user)}${feeTail(offer.userFee)},"integrator":${
    quote.integrator === null ? 'null' : json(quote.integrator)
  }},"actions":[${offer.actions.map(encodeAction).join()}]}`
}

/** Closes the text before it, and leaves its own to be closed. */
const member = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `","${name}":"${value}`

const deadline = (instant: number | undefined): string =>
  instant === undefined ? '' : member('fulfillmentDeadline', toIso(instant))

const approximately = (usd: string | undefined): string =>
  usd === undefined ? '' : `","amountUsdApprox":"${usd}`

const backendHead = keepTexts(
  (reason, type, name) =>
    `","selectionReason":"${reason}","backend":{"type":"${type}","name":${text(name)},"tracking":`,
)
const inputHead = keepTexts(
  (chain, token) => `"},"input":{"chain":"${chain}","token":${text(token)},"amount":"`,
)
const outputHead = keepTexts(
  (chain, token) => `"},"output":{"chain":"${chain}","token":${text(token)},"amount":"`,
)

const feeTail = ({ token, paymentMethod, quoteTreatment }: OfferedFee): string =>
  'address' in token
    ? tokenFeeTail(paymentMethod, quoteTreatment, token.chain, token.symbol, token.address)
    : nativeFeeTail(paymentMethod, quoteTreatment, token.chain, token.symbol)

const tokenFeeTail = keepTexts(
  (method, treatment, chain, symbol, address) =>
    `","token":{"chain":"${chain}","symbol":${text(symbol)},"address":${text(
      address,
    )}},"paymentMethod":"${method}","quoteTreatment":"${treatment}"}`,
)
const nativeFeeTail = keepTexts(
  (method, treatment, chain, symbol) =>
    `","token":{"chain":"${chain}","symbol":${text(
      symbol,
    )},"type":"native"},"paymentMethod":"${method}","quoteTreatment":"${treatment}"}`,
)

const encodeAction = ({ id, label, type, chain, payload }: Action): string => {
  const head = actionHead(id, label, type, chain)
  if (payload.type !== 'evm_transaction') return `${head}${json(payload)}}`
  const { from, to, data, value, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = payload
  const gas =
    gasLimit === undefined || maxFeePerGas === undefined || maxPriorityFeePerGas === undefined
      ? gasMembers(gasLimit, maxFeePerGas, maxPriorityFeePerGas)
      : keptGasMembers(gasLimit, maxFeePerGas, maxPriorityFeePerGas)
  return `${head}{"type":"evm_transaction","from":"${from}","to":"${to}","data":"${data}","value":"${value}${gas}"}}`
}

const actionHead = keepTexts(
  (id, label, type, chain) =>
    `{"id":"${id}","label":${text(label)},"type":"${type}","chain":"${chain}","payload":`,
)
const gasMembers = (...[limit, fee, tip]: readonly (string | undefined)[]): string =>
  member('gasLimit', limit) + member('maxFeePerGas', fee) + member('maxPriorityFeePerGas', tip)
const keptGasMembers = keepTexts(gasMembers)

/** An address or a name. */
const text = keepTexts((value) => json(value))

const BEYOND_ASCII = /[\u0080-\uffff]/g

/** Any JSON value; what lies beyond ASCII only occurs within its strings, where it may be escaped. */
const json = (value: unknown): string => {
  const written = JSON.stringify(value)
  const isAscii = Buffer.byteLength(written) === written.length
  return isAscii ? written : written.replaceAll(BEYOND_ASCII, escaped)
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
