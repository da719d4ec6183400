import type { Action } from '../core/action.ts'
import type { AnsweredQuote } from '../core/answered-quote.ts'
import type { FeeEntry } from '../core/fee.ts'
import { toIso } from '../core/instant.ts'
import type { OfferedFee } from '../core/offer.ts'

/**
 * The body of a quote answer as JSON text, in the field order of the interface. Written by hand because a general
 * encoder costs more than pricing does; its test compares it with `JSON.stringify` and core's schema. Identifiers,
 * canonical addresses, calldata and decimals hold nothing that JSON escapes; names, labels and symbols may.
 */
export const encodeQuotes = (quotes: readonly AnsweredQuote[]): string =>
  // Not joined, which would copy every quote once more.
  `{"quotes":[${quotes.reduce((text, quote) => (text === '' ? text : `${text},`) + encodeQuote(quote), '')}]}`

const encodeQuote = (quote: AnsweredQuote): string => {
  const { record, offer, usd } = quote
  return `{"quoteId":"${record.quoteId}","selectionReason":"${quote.selectionReason}","backend":{"type":"${
    record.backend
  }","name":${JSON.stringify(record.backendName)},"tracking":${JSON.stringify(
    offer.tracking,
  )},"metadata":${JSON.stringify(offer.metadata)}},"estimatedTimeSeconds":${
    record.estimatedTimeSeconds
  },"validity":${encodeValidity(quote)},"input":{"chain":"${record.fromChain}","token":"${
    record.fromToken
  }","amount":"${record.input}"${encodeUsd(usd.input)}},"output":{"chain":"${record.toChain}","token":"${
    record.toToken
  }","amount":"${record.output}","minimumAmount":"${record.minimumOutput}"${encodeUsd(
    usd.output,
  )}},"fees":{"gas":${encodeFee(offer.gasFee, usd.gas)},"user":${encodeFee(
    offer.userFee,
    usd.user,
  )},"integrator":${JSON.stringify(quote.integrator)}},"actions":[${offer.actions.map(encodeAction).join()}]}`
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
  const identity = 'address' in token ? `"address":"${token.address}"` : '"type":"native"'
  return `{"chain":"${token.chain}","symbol":${JSON.stringify(token.symbol)},${identity}}`
}

const encodeAction = (action: Action): string => {
  const head = `{"id":"${action.id}","label":${JSON.stringify(action.label)},"type":"${action.type}","chain":"${
    action.chain
  }","payload":`
  const { payload } = action
  if (payload.type !== 'evm_transaction') return `${head}${JSON.stringify(payload)}}`
  const { from, to, data, value, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = payload
  return `${head}{"type":"evm_transaction"${member('from', from)}${member('to', to)}${member('data', data)}${member(
    'value',
    value,
  )}${member('gasLimit', gasLimit)}${member('maxFeePerGas', maxFeePerGas)}${member(
    'maxPriorityFeePerGas',
    maxPriorityFeePerGas,
  )}}}`
}

const member = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`
