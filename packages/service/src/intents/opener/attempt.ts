import { type ChainId, type OpeningMethod, type OpeningReason, RfqError } from '@openrfq/sdk'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { NetworkToken, OpeningTerms } from '../../core/network.ts'
import type { OpeningAnswer, OpeningRequest } from '../../core/opening.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { StoredTransaction } from '../../store/store.ts'
import type { TransactionOutbox } from '../../transactions/transaction-outbox.ts'
import { orderIdOfQuote, orderOfQuote } from '../settlers/quoted-order.ts'
import { openingKey } from './opening-watch.ts'
import { type OpenableOrder, typedDataOf } from './typed-data.ts'

/** The operator's account on a chain that opens orders for their depositors, and how far it pays. */
export type OpeningChain = {
  readonly evm: Pick<EvmChain, 'head' | 'heldBy' | 'balances' | 'hasCode' | 'callAgreed'>
  readonly outbox: Pick<TransactionOutbox, 'sender' | 'submit'>
  readonly settler: string
  readonly terms: OpeningTerms
}

/** An order whose opening is asked for. */
export type Attempt = OpenableOrder & {
  readonly quoteId: string
  /** Of the opening's transaction. */
  readonly key: string
  /** The depositor in lower case. */
  readonly sender: string
  readonly chain: OpeningChain
  readonly method: OpeningMethod
  /** `0x` hex. */
  readonly signatures: readonly string[]
}

export type AttemptDeps = {
  readonly chains: ReadonlyMap<ChainId, OpeningChain>
  readonly tokenOf: (chainId: ChainId, address: string) => NetworkToken | undefined
}

const SPLIT_DIGITS = 2 + 2 * 65

export const invalid = (field: string, message: string): RfqError =>
  new RfqError('INVALID_REQUEST', message, { field })

const STATE_OF = {
  open: 'submitted',
  succeeded: 'opened',
  reverted: 'failed',
  replaced: 'failed',
} as const satisfies Record<StoredTransaction['outcome'], OpeningAnswer['state']>

/** The answer for an opening that was signed. */
export const signedAnswer = (
  { quoteId, orderId }: Pick<Attempt, 'quoteId' | 'orderId'>,
  { outcome, txHash }: Pick<StoredTransaction, 'outcome' | 'txHash'>,
): OpeningAnswer => ({ quoteId, swapId: orderId, state: STATE_OF[outcome], txHash, reason: null })

/** The answer for one that was not. */
export const declinedAnswer = (
  { quoteId, orderId }: Pick<Attempt, 'quoteId' | 'orderId'>,
  reason: OpeningReason,
): OpeningAnswer => ({ quoteId, swapId: orderId, state: 'declined', txHash: null, reason })

/** The order as one that may be opened by a signature; undefined for native input and for attested orders. */
export const openableOf = (
  { tokenOf }: Pick<AttemptDeps, 'tokenOf'>,
  order: IntentOrder,
  orderId: OrderId,
): OpenableOrder | undefined => {
  const { proven, inputToken, originChain } = order
  const token = tokenOf(originChain, inputToken)
  if (proven === undefined || token === undefined || inputToken === EVM_NATIVE_TOKEN) return undefined
  return { order: { ...order, proven }, orderId, token }
}

/** The methods by which an order may be opened on a chain; `allowance` is what the settler may spend, if it is known. */
export const methodsOf = (
  { order, token }: OpenableOrder,
  { permit2 }: OpeningTerms,
  allowance: bigint | undefined,
): readonly OpeningMethod[] => [
  ...(token.signatures?.methods ?? []),
  ...(permit2 ? (['permit2'] as const) : []),
  ...(allowance !== undefined && allowance >= order.inputAmount ? (['allowance'] as const) : []),
]

/** What a request asks for. Throws INVALID_REQUEST for a quote whose order the operator does not open. */
export const attemptOf = (
  deps: AttemptDeps,
  quote: QuoteRecord,
  { method, signatures }: Pick<OpeningRequest, 'method' | 'signatures'>,
): Attempt => {
  const orderId = orderIdOfQuote(quote)
  const openable = openableOf(deps, orderOfQuote(quote), orderId)
  const chain = deps.chains.get(quote.fromChain)
  if (openable === undefined || chain === undefined)
    throw invalid('quoteId', 'the quote has no openings; execute its actions')
  const sender = openable.order.depositor.toLowerCase()
  return {
    ...openable,
    quoteId: quote.quoteId,
    key: openingKey(sender, orderId),
    sender,
    chain,
    method,
    signatures,
  }
}

/** Throws INVALID_REQUEST unless the method is offered and has as many signatures, as long, as it needs. */
export const checkForm = (attempt: Attempt): void => {
  const { method, signatures, order, chain } = attempt
  if (!methodsOf(attempt, chain.terms, order.inputAmount).includes(method))
    throw invalid('method', `method is ${method}, which the quote does not offer`)
  const { length } = typedDataOf(method, attempt)
  if (signatures.length !== length)
    throw invalid('signatures', `signatures has ${signatures.length}; expected ${length} for ${method}`)
  if (method === 'erc2612' && signatures[0]?.length !== SPLIT_DIGITS)
    throw invalid('signatures', 'signatures.0 is no signature of a permit; expected 65 bytes')
}
