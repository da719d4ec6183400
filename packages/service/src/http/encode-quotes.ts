import type { Action } from '@openrfq/sdk'
import { toIso } from '../core/instant.ts'
import { keepTexts } from '../core/kept-texts.ts'
import type { OfferedFee } from '../core/offer.ts'
import type { RankedQuote } from '../core/ranked-quote.ts'

/**
 * The body of a quote answer as JSON text in ASCII, in the field order of the interface. Written by hand because a
 * general encoder costs more than pricing does; its test compares it with `JSON.stringify` and core's schema. Whatever
 * answers repeat is kept as one text, because each piece costs its writer as much as a price. Identifiers, EVM
 * addresses, calldata and decimals are made here and hold nothing that JSON escapes; whatever began as somebody's text may.
 */
export const encodeQuotes = (quotes: readonly RankedQuote[]): string =>
  // Not joined, which would copy every quote once more.
  `{"quotes":[${quotes.reduce((text, quote) => (text === '' ? text : `${text},`) + encodeQuote(quote), '')}]}`

const encodeQuote = (quote: RankedQuote): string => {
  const { record, offer, usd } = quote
  const backend = `${backendHead(quote.selectionReason, record.backend, record.backendName)}${json(
    offer.tracking,
  )},"metadata":${json(offer.metadata)}},"estimatedTimeSeconds":${record.estimatedTimeSeconds}`
  const validity = `,"validity":{"type":"expires_at","quoteExpiresAt":"${toIso(record.quoteExpiresAt)}${deadline(
    record.fulfillmentDeadline,
  )}`
  const input = `${sideHead('input', record.fromChain, record.fromToken)}${record.input}${approximately(usd.input)}`
  const output = `${sideHead('output', record.toChain, record.toToken)}${record.output}","minimumAmount":"${
    record.minimumOutput
  }${approximately(usd.output)}`
  const integrator = quote.integrator === null ? 'null' : json(quote.integrator)
  const fees = `"},"fees":{"gas":${encodeFee(offer.gasFee, usd.gas)},"user":${encodeFee(
    offer.userFee,
    usd.user,
  )},"integrator":${integrator}}`
  return `{"quoteId":"${record.quoteId}${backend}${validity}${input}${output}${fees},"actions":[${offer.actions
    .map(encodeAction)
    .join()}]}`
}

/** Closes the text before it, and leaves its own to be closed. */
const member = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `","${name}":"${value}`

const approximately = (usd: string | undefined): string => member('amountUsdApprox', usd)

const deadline = (instant: number | undefined): string =>
  instant === undefined ? '' : member('fulfillmentDeadline', toIso(instant))

const encodeFee = (fee: OfferedFee, usd: string | undefined): string =>
  `{"amount":"${fee.amount}${approximately(usd)}${feeTail(fee)}`

const backendHead = keepTexts(
  (reason, type, name) =>
    `","selectionReason":"${reason}","backend":{"type":"${type}","name":${text(name)},"tracking":`,
)
const sideHead = keepTexts(
  (side, chain, token) => `"},"${side}":{"chain":"${chain}","token":${text(token)},"amount":"`,
)

const feeTail = ({ token, paymentMethod, quoteTreatment }: OfferedFee): string =>
  'address' in token
    ? tokenFeeTail(token.chain, token.symbol, paymentMethod, quoteTreatment, token.address)
    : nativeFeeTail(token.chain, token.symbol, paymentMethod, quoteTreatment)

const feeTailOf = (
  identity: string,
  chain: string,
  symbol: string,
  method: string,
  treatment: string,
): string =>
  `","token":{"chain":"${chain}","symbol":${text(symbol)},${identity}},"paymentMethod":"${method}","quoteTreatment":"${treatment}"}`
const tokenFeeTail = keepTexts((chain, symbol, method, treatment, address) =>
  feeTailOf(`"address":${text(address)}`, chain, symbol, method, treatment),
)
const nativeFeeTail = keepTexts((chain, symbol, method, treatment) =>
  feeTailOf('"type":"native"', chain, symbol, method, treatment),
)

const encodeAction = ({ id, label, type, chain, payload }: Action): string => {
  const head = actionHead(id, label, type, chain)
  if (payload.type !== 'evm_transaction') return `${head}${json(payload)}}`
  const { from, to, data, value, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = payload
  return `${head}{"type":"evm_transaction${member('from', from)}${member('to', to)}${member('data', data)}${member(
    'value',
    value,
  )}${member('gasLimit', gasLimit)}${member('maxFeePerGas', maxFeePerGas)}${member(
    'maxPriorityFeePerGas',
    maxPriorityFeePerGas,
  )}"}}`
}

const actionHead = keepTexts(
  (id, label, type, chain) =>
    `{"id":"${id}","label":${text(label)},"type":"${type}","chain":"${chain}","payload":`,
)

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
