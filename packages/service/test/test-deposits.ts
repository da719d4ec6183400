import { baseUnits } from '../src/core/amount.ts'
import type { IntentOrder, OrderId } from '../src/core/intent-order.ts'
import type { Payment } from '../src/core/payment.ts'
import type { QuoteId } from '../src/core/quote-id.ts'
import type { QuoteRecord } from '../src/core/quote-record.ts'
import { intentBinding } from '../src/intents/settlers/quoted-order.ts'
import type { DepositTerms } from '../src/intents/vault/deposit-summary.ts'
import type { UnmatchedTerms } from '../src/intents/vault/obligations.ts'
import type { StoredPayment } from '../src/store/store.ts'

/** Tests only: orders, quotes and deposits on two payment chains. */
const ORIGIN = 'stellar:origin'
const DESTINATION = 'solana:destination'
export const START_SECONDS = 1_800_000_000
export const OPEN_DEADLINE = START_SECONDS + 60
export const TERMS: DepositTerms = {
  graceSeconds: 5,
  dustOf: (token) => (token === 'spam' ? undefined : 10n),
}
/** Of what names no order one base unit is kept, and dust whole. */
export const testUnmatchedTermsOf = (token: string): UnmatchedTerms | undefined => {
  const minimum = TERMS.dustOf(token)
  return minimum === undefined ? undefined : { minimum, cost: 1n }
}
export const LAST_SECOND = OPEN_DEADLINE + TERMS.graceSeconds

export const testOrderId = (number: number): OrderId => `0x${number.toString(16).padStart(64, '0')}`

/** An order of 1,000 for 900, open for a minute and with a fill deadline in ten. */
export const testOrder = (changes: Partial<IntentOrder> = {}): IntentOrder => ({
  depositor: 'depositor',
  salt: testOrderId(0),
  originChain: ORIGIN,
  originSettler: 'vault',
  destinationChain: DESTINATION,
  destinationSettler: 'vault',
  openDeadline: OPEN_DEADLINE,
  fillDeadline: OPEN_DEADLINE + 600,
  refundAfter: OPEN_DEADLINE + 1_200,
  inputToken: 'token',
  inputAmount: baseUnits(1_000n),
  outputToken: 'output',
  outputAmount: baseUnits(900n),
  recipient: 'recipient',
  solver: 'solver',
  filler: 'filler',
  attester: `0x${'a7'.repeat(20)}`,
  ...changes,
})

/** The quote of an order. */
export const testQuote = (quoteId: QuoteId, orderId: OrderId, order: IntentOrder): QuoteRecord => ({
  quoteId,
  backend: 'intent',
  backendName: 'intent',
  createdAt: START_SECONDS * 1000,
  quoteExpiresAt: order.openDeadline * 1000,
  estimatedTimeSeconds: 10,
  orderType: 'EXACT_INPUT',
  fromChain: order.originChain,
  fromToken: order.inputToken,
  toChain: order.destinationChain,
  toToken: order.outputToken,
  sender: order.depositor,
  recipient: order.recipient,
  input: order.inputAmount,
  output: order.outputAmount,
  minimumOutput: order.outputAmount,
  binding: intentBinding(orderId, order),
})

/** A deposit into the vault; each index is in another block. */
export const testDeposit = (index: number, changes: Partial<Payment> = {}): Payment => ({
  chainId: ORIGIN,
  txHash: `${index}`,
  position: 0,
  blockNumber: BigInt(100 + index),
  timestampSeconds: START_SECONDS + index,
  from: 'depositor',
  to: 'vault',
  muxedId: undefined,
  token: 'token',
  amount: 1_000n,
  memo: undefined,
  ...changes,
})

/** An unconfirmed deposit of a stranger, by its number in a flood of a hundred in each transaction. */
export const floodDeposit = (chainId: string, number: number, blockNumber: bigint): StoredPayment => ({
  chainId,
  txHash: `transaction ${Math.floor(number / 100)}`,
  position: number % 100,
  blockNumber,
  timestampSeconds: START_SECONDS,
  from: 'stranger',
  to: 'vault',
  token: 'token',
  amount: 1n,
  muxedId: undefined,
  memo: undefined,
  role: 'deposit',
  orderId: undefined,
  quoteId: undefined,
  settled: false,
  confirmed: false,
})
