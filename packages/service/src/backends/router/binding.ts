import assert from 'node:assert/strict'
import type { Binding } from '../../core/offer.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { requireBinding } from '../../core/require-binding.ts'
import type { ExpressOrder } from './express-contract.ts'
import type { ExpressRoute } from './routes.ts'

/** The facts by which a quote's transfer is recognised on chain. */
export type BoundTransfer = {
  readonly order: ExpressOrder
  readonly sourceChainId: bigint
  /** Axelar's name. */
  readonly sourceChain: string
  readonly sourceGateway: string
  readonly sourceBridge: string
  /** The router, which has one address on both chains. */
  readonly router: string
  readonly destinationGateway: string
  /** The destination gateway's name of the bridge token. */
  readonly destinationSymbol: string
  readonly destinationBridge: string
  readonly destinationGasService: string
}

/** The binding of an order on its route; `boundTransfer` reads it back. */
export const expressBinding = ({ from, to }: ExpressRoute, order: ExpressOrder): Binding => ({
  sourceChainId: from.chainNumber.toString(),
  sourceAxelarChain: from.axelarName,
  sourceGateway: from.gateway,
  sourceRouter: from.router,
  sourceBridge: from.token.address,
  destinationAxelarChain: to.axelarName,
  destinationGateway: to.gateway,
  destinationSymbol: to.symbol,
  destinationBridge: to.token.address,
  destinationGasService: to.gasService,
  salt: order.salt,
  deadlineSeconds: order.deadlineSeconds,
  inputPath: order.inputPath,
  symbol: order.symbol,
  minimumBridgeAmount: order.minimumBridgeAmount.toString(),
  destinationChainId: order.destinationChainId.toString(),
  outputPath: order.outputPath,
  keeper: order.keeper,
  executor: order.executor,
  priorityUntilSeconds: order.priorityUntilSeconds,
  returnAfterSeconds: order.returnAfterSeconds,
})

const boundNumber = (quote: QuoteRecord, name: string): number => {
  const value = quote.binding[name]
  assert(typeof value === 'number', `quote ${quote.quoteId} is bound to no number ${name}`)
  return value
}

const orderOf = (quote: QuoteRecord): ExpressOrder => ({
  salt: requireBinding(quote, 'salt'),
  deadlineSeconds: boundNumber(quote, 'deadlineSeconds'),
  inputToken: quote.fromToken,
  inputAmount: quote.input,
  inputPath: requireBinding(quote, 'inputPath'),
  symbol: requireBinding(quote, 'symbol'),
  minimumBridgeAmount: BigInt(requireBinding(quote, 'minimumBridgeAmount')),
  refundAddress: quote.sender,
  destinationChainId: BigInt(requireBinding(quote, 'destinationChainId')),
  destinationChain: requireBinding(quote, 'destinationAxelarChain'),
  outputToken: quote.toToken,
  outputPath: requireBinding(quote, 'outputPath'),
  minimumAmount: quote.minimumOutput,
  recipient: quote.recipient,
  keeper: requireBinding(quote, 'keeper'),
  executor: requireBinding(quote, 'executor'),
  priorityUntilSeconds: boundNumber(quote, 'priorityUntilSeconds'),
  returnAfterSeconds: boundNumber(quote, 'returnAfterSeconds'),
})

/** Whether a stored quote is for the present router; those of the router before it can be followed no more. */
export const isOfRouter = ({ binding }: Pick<QuoteRecord, 'binding'>): boolean =>
  typeof binding['returnAfterSeconds'] === 'number'

/** Reads the binding of a stored quote. A missing field is a bug and throws. */
export const boundTransfer = (quote: QuoteRecord): BoundTransfer => {
  const text = (name: string): string => requireBinding(quote, name)
  return {
    order: orderOf(quote),
    sourceChainId: BigInt(text('sourceChainId')),
    sourceChain: text('sourceAxelarChain'),
    sourceGateway: text('sourceGateway'),
    sourceBridge: text('sourceBridge'),
    router: text('sourceRouter'),
    destinationGateway: text('destinationGateway'),
    destinationSymbol: text('destinationSymbol'),
    destinationBridge: text('destinationBridge'),
    destinationGasService: text('destinationGasService'),
  }
}
