import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { gasFee } from '../../chains/evm/gas.ts'
import { baseUnits } from '../../core/amount.ts'
import { type Instant, toIso } from '../../core/instant.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { IntentTerms } from '../../core/network.ts'
import type { Decline, Offer, OfferedFee } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import { tokenKey } from '../../core/token.ts'
import type { PriceSource } from '../../pricing/price-source.ts'
import type { BookAnswer, BookPrice } from '../../solvers/best-offers.ts'
import type { Book } from '../../solvers/book.ts'
import { orderIdOf } from '../../solvers/settler-contract.ts'
import { outOfRange, unpriced } from '../decline.ts'
import { lossWarnings, tokenWarnings } from '../terms.ts'
import { depositActions, startsNative } from './actions.ts'
import { intentBinding, saltOf } from './intent-binding.ts'
import { priceImpactBps } from './price-impact.ts'
import type { IntentRoute } from './routes.ts'

/** Seconds from the deposit's finality until the solver's payment is mined. */
const FILL_SECONDS = 5
/** How far the source chain's clock may be ahead of the service's before a deposit could come too late. */
const CLOCK_SKEW_SECONDS = 15

/** What pricing an intent needs besides the order. */
export type IntentQuoteDeps = {
  readonly book: Pick<Book, 'price' | 'reserve'>
  readonly terms: IntentTerms
  readonly prices: PriceSource
  /** 16 random bytes as 32 lower-case hex digits. */
  readonly randomSalt: () => string
  readonly name: string
}

type Reading = { readonly head: EvmHead; readonly createdSeconds: number }

const read = ({ from, to }: IntentRoute, createdAt: Instant): Reading | Decline => {
  const head = from.evm.head()
  if (head === undefined) return unpriced('the source chain cannot be read')
  if (to.evm.head() === undefined) return unpriced('the destination chain cannot be read')
  const createdSeconds = Math.floor(createdAt / 1000)
  if (head.timestampSeconds > createdSeconds + CLOCK_SKEW_SECONDS)
    return unpriced('the clock of the source chain is ahead')
  return { head, createdSeconds }
}

const declineOf = (answer: Exclude<BookAnswer, { offers: unknown }>): Decline =>
  answer.declined === 'out_of_range'
    ? outOfRange(answer.minimum, answer.maximum)
    : unpriced('no solver offers the pair')

/** The order that the solver's price becomes. Source: contracts/intent/IntentOrder.sol. */
const intentOrderOf = (
  { terms, randomSalt }: IntentQuoteDeps,
  { from, to }: IntentRoute,
  order: Order,
  price: BookPrice,
): IntentOrder => {
  const openDeadline = Math.floor(order.createdAt / 1000) + terms.quoteLifetimeSeconds
  const fillDeadline = openDeadline + terms.fillWindowSeconds
  return {
    depositor: order.sender,
    salt: saltOf(order.answerId, randomSalt()),
    originChain: from.chain.chainId,
    originSettler: from.settler,
    destinationChain: to.chain.chainId,
    destinationSettler: to.settler,
    openDeadline,
    fillDeadline,
    refundAfter: fillDeadline + terms.refundDelaySeconds,
    inputToken: from.token.address,
    inputAmount: price.input,
    outputToken: to.token.address,
    outputAmount: price.output,
    recipient: order.recipient,
    solver: price.solver.address,
    filler: price.solver.address,
  }
}

const userFee = ({ to }: IntentRoute, { fee }: BookPrice): OfferedFee => {
  const { chainId: chain, symbol, address, decimals } = to.token
  return {
    amount: fee,
    token: address === EVM_NATIVE_TOKEN ? { chain, symbol, type: 'native' } : { chain, symbol, address },
    decimals,
    priceKey: tokenKey(to.token),
    paymentMethod: 'output_token',
    quoteTreatment: 'included_in_quote',
  }
}

const metadataOf = (
  prices: PriceSource,
  { from, to }: IntentRoute,
  price: BookPrice,
  order: IntentOrder,
) => ({
  solver: { name: price.solver.name, address: price.solver.address },
  fillDeadline: toIso(order.fillDeadline * 1000),
  refundAfter: toIso(order.refundAfter * 1000),
  /** Without the solver's fee, which is shown by itself. */
  priceImpactBps: priceImpactBps(
    prices,
    { token: from.token, amount: price.input },
    { token: to.token, amount: baseUnits(price.output + price.fee) },
  ),
  refund: {
    automatic: true,
    address: order.depositor,
    chain: from.chain.chainId,
    token: from.token.address,
    cost: '0',
    /** From a deposit made at the last moment. */
    expectedSeconds: order.refundAfter - order.openDeadline,
    terms:
      'The whole deposit goes back to the sender: at once when the solver declines, else after refundAfter when nobody filled by fillDeadline.',
  },
  warnings: [...tokenWarnings([from.token, to.token]), ...lossWarnings(price.fee, price.output + price.fee)],
})

/** What the user's transactions depend on besides the order; `allowance` is undefined when it could not be read. */
type Deposit = Pick<Reading, 'head'> & { readonly allowance: bigint | undefined }

/** The offer that a solver's price becomes, counted against the solver from now on; none when it cannot pay any more. */
const offersOf = (
  deps: IntentQuoteDeps,
  route: IntentRoute,
  order: Order,
  { head, allowance }: Deposit,
  price: BookPrice,
): readonly Offer[] => {
  const intent = intentOrderOf(deps, route, order, price)
  const orderId = orderIdOf(intent)
  if (!deps.book.reserve(orderId, intent)) return []
  const { approvalMode } = order
  const { chain, finalitySeconds } = route.from
  const actions = depositActions({ order: intent, route, approvalMode, allowance, head })
  return [
    {
      backend: 'intent',
      backendName: deps.name,
      input: price.input,
      output: price.output,
      minimumOutput: price.output,
      estimatedTimeSeconds: finalitySeconds + FILL_SECONDS,
      lifetimeSeconds: deps.terms.quoteLifetimeSeconds,
      fulfillmentDeadline: intent.fillDeadline * 1000,
      gasFee: gasFee(chain, actions),
      userFee: userFee(route, price),
      actions,
      tracking: { swapId: orderId },
      metadata: metadataOf(deps.prices, route, price, intent),
      binding: intentBinding(orderId, intent),
    },
  ]
}

/**
 * Prices an order from the book: one or two firm offers of different solvers, best first, each an order that only its
 * solver can fill. The one read is the allowance. An offer that the solver's inventory no longer covers is left out.
 */
export const quoteIntent = async (
  deps: IntentQuoteDeps,
  route: IntentRoute,
  order: Order,
): Promise<readonly Offer[] | Decline> => {
  const reading = read(route, order.createdAt)
  if ('declined' in reading) return reading
  const { token, evm, settler } = route.from
  let answer = deps.book.price(order)
  if ('declined' in answer) return declineOf(answer)
  let allowance = evm.knownAllowance(token.address, order.sender, settler)
  if (allowance === undefined && !startsNative(route)) {
    allowance = await evm.allowance(token.address, order.sender, settler)
    // Priced again, because others may have been quoted during the read; nothing waits between price and reservation.
    answer = deps.book.price(order)
    if ('declined' in answer) return declineOf(answer)
  }
  // An order's filler must not be its recipient.
  const recipient = order.recipient.toLowerCase()
  const payable = answer.offers.filter(({ solver }) => solver.address.toLowerCase() !== recipient)
  const deposit = { head: reading.head, allowance }
  const offers = payable.flatMap((price) => offersOf(deps, route, order, deposit, price))
  return offers.length === 0 ? unpriced('no solver can pay this order') : offers
}
