import { accountBehind } from '../../chains/stellar/muxed-account.ts'
import { type BaseUnits, baseUnits } from '../../core/amount.ts'
import { type Instant, toIso } from '../../core/instant.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { IntentTerms } from '../../core/network.ts'
import type { Decline, Offer, OfferedFee } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import { tokenKey } from '../../core/token-key.ts'
import { intentBinding, saltOf } from '../../intents/settlers/quoted-order.ts'
import { orderIdOf } from '../../intents/settlers/settler-contract.ts'
import type { BookAnswer, BookPrice } from '../../intents/solver-api/best-offers.ts'
import type { Book } from '../../intents/solver-api/book.ts'
import type { SolverDirectory } from '../../intents/solver-api/solver-directory.ts'
import type { PriceSource } from '../../pricing/price-source.ts'
import type { QuoteResult } from '../backend.ts'
import { outOfRange, unpriced } from '../decline.ts'
import { lossWarnings, tokenWarnings } from '../terms.ts'
import { depositOf } from './deposit.ts'
import { priceImpactBps } from './price-impact.ts'
import { type EvmSide, headOf, type IntentRoute, type IntentSide } from './routes.ts'

/** Seconds from the deposit's finality until the solver's payment is mined. */
const FILL_SECONDS = 5
/** How far the source chain's clock may be ahead of the service's before a deposit could come too late. */
const CLOCK_SKEW_SECONDS = 15

/** What pricing an intent needs besides the order. */
export type IntentQuoteDeps = {
  readonly book: Pick<Book, 'price' | 'reserve'>
  readonly directory: Pick<SolverDirectory, 'accountOn'>
  readonly terms: IntentTerms
  readonly prices: PriceSource
  /** 16 random bytes as 32 lower-case hex digits. */
  readonly randomSalt: () => string
  readonly name: string
}

/** Whether the chains of a route can be read and agree with the service's clock. */
const isReadable = ({ from, to }: IntentRoute, createdAt: Instant): Decline | undefined => {
  const source = headOf(from)
  if (source === undefined) return unpriced('the source chain cannot be read')
  if (headOf(to) === undefined) return unpriced('the destination chain cannot be read')
  return source.timestampSeconds > Math.floor(createdAt / 1000) + CLOCK_SKEW_SECONDS
    ? unpriced('the clock of the source chain is ahead')
    : undefined
}

const declineOf = (answer: Exclude<BookAnswer, { offers: unknown }>): Decline =>
  answer.declined === 'out_of_range'
    ? outOfRange(answer.minimum, answer.maximum)
    : unpriced('no solver offers the pair')

/** Where a solver pays and is repaid on a route; undefined when it has no account on one of the chains. */
const accountsOf = (
  { directory }: IntentQuoteDeps,
  { from, to }: IntentRoute,
  { solver }: BookPrice,
): Pick<IntentOrder, 'solver' | 'filler'> | undefined => {
  const repaid = directory.accountOn(solver, from.chain.chainType)
  const filler = directory.accountOn(solver, to.chain.chainType)
  return repaid === undefined || filler === undefined ? undefined : { solver: repaid, filler }
}

/** The order that the solver's price becomes. Source: contracts/intent/IntentOrder.sol, contracts/attested/AttestedOrder.sol. */
const intentOrderOf = (
  { terms, randomSalt }: IntentQuoteDeps,
  { from, to, attester }: IntentRoute,
  order: Order,
  price: BookPrice,
  accounts: Pick<IntentOrder, 'solver' | 'filler'>,
): IntentOrder => {
  const openDeadline = Math.floor(order.createdAt / 1000) + terms.quoteLifetimeSeconds
  // A deposit to a vault may be completed for a while longer, and the solver still has its time after that.
  const graceSeconds = 'paymentChain' in from ? terms.depositGraceSeconds : 0
  const fillDeadline = openDeadline + graceSeconds + terms.fillWindowSeconds
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
    ...accounts,
    ...(attester === undefined ? {} : { attester }),
  }
}

const userFee = ({ to }: IntentRoute, { fee }: BookPrice): OfferedFee => {
  const { chainId: chain, symbol, address, decimals } = to.token
  return {
    amount: fee,
    token: to.isNative ? { chain, symbol, type: 'native' } : { chain, symbol, address },
    decimals,
    priceKey: tokenKey(to.token),
    paymentMethod: 'output_token',
    quoteTreatment: 'included_in_quote',
  }
}

const ESCROW_REFUND =
  'The whole deposit goes back to the sender: at once when the solver declines, else after refundAfter when nobody filled by fillDeadline.'
const VAULT_REFUND =
  'The whole deposit goes back to the sender when nobody filled by fillDeadline; so does what is paid too much, too late or in another asset.'

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
    expectedSeconds: ('paymentChain' in from ? order.fillDeadline : order.refundAfter) - order.openDeadline,
    terms: 'paymentChain' in from ? VAULT_REFUND : ESCROW_REFUND,
  },
  warnings: [...tokenWarnings([from.token, to.token]), ...lossWarnings(price.fee, price.output + price.fee)],
})

/** The offer that a solver's price becomes, counted against the solver from now on; none when it cannot pay any more. */
const offersOf = (
  deps: IntentQuoteDeps,
  route: IntentRoute,
  order: Order,
  allowance: bigint | undefined,
  price: BookPrice,
): readonly Offer[] => {
  const accounts = accountsOf(deps, route, price)
  // An order's filler must not be its recipient.
  if (accounts === undefined || isSame(accounts.filler, holderOf(order.recipient))) return []
  const intent = intentOrderOf(deps, route, order, price, accounts)
  const orderId = orderIdOf(intent)
  const deposit = depositOf({ intent, orderId, route, order, allowance })
  if (deposit === undefined || !deps.book.reserve(orderId, intent)) return []
  return [
    {
      backend: 'intent',
      backendName: deps.name,
      input: price.input,
      output: price.output,
      minimumOutput: price.output,
      estimatedTimeSeconds: route.from.finalitySeconds + FILL_SECONDS,
      lifetimeSeconds: deps.terms.quoteLifetimeSeconds,
      fulfillmentDeadline: intent.fillDeadline * 1000,
      userFee: userFee(route, price),
      ...deposit,
      tracking: { swapId: orderId },
      metadata: metadataOf(deps.prices, route, price, intent),
      binding: intentBinding(orderId, intent),
    },
  ]
}

/** The account that is paid, also behind a muxed address of Stellar. */
const holderOf = (recipient: string): string => accountBehind(recipient)?.account ?? recipient

/** An EVM address is the same in any case, and no other address differs from another by case alone. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Whether a deposit at this end may need an approval. */
const needsAllowance = (side: IntentSide): side is EvmSide => 'evm' in side && !side.isNative

const knownAllowance = ({ from }: IntentRoute, { sender }: Order): bigint | undefined =>
  needsAllowance(from) ? from.evm.knownAllowance(from.token.address, sender, from.settler) : undefined

/** What a priced order becomes; nothing waits between its price and its reservation. */
const offered = (
  deps: IntentQuoteDeps,
  route: IntentRoute,
  order: Order,
  allowance: bigint | undefined,
  priced: BookAnswer,
): QuoteResult => {
  if ('declined' in priced) return declineOf(priced)
  const offers = priced.offers.flatMap((price) => offersOf(deps, route, order, allowance, price))
  return offers.length === 0 ? unpriced('no solver can pay this order') : offers
}

const quoteAfterReading = async (
  deps: IntentQuoteDeps,
  route: IntentRoute,
  order: Order,
  output: BaseUnits,
): Promise<QuoteResult> => {
  const { from, to } = route
  const [allowance, whyNot] = await Promise.all([
    needsAllowance(from) ? from.evm.allowance(from.token.address, order.sender, from.settler) : undefined,
    'paymentChain' in to
      ? to.paymentChain.whyNotPayable(order.recipient, to.token.address, output)
      : undefined,
  ])
  if (whyNot !== undefined) return unpriced(whyNot)
  // Priced again, because others may have been quoted during the read.
  return offered(deps, route, order, allowance, deps.book.price(order))
}

/**
 * Prices an order from the book: one or two firm offers of different solvers, best first, each an order that only its
 * solver can fill. Read are the allowance on an EVM chain, and on a ledger whether the recipient can be paid. An offer
 * that the solver's inventory no longer covers is left out.
 */
export const quoteIntent = (
  deps: IntentQuoteDeps,
  route: IntentRoute,
  order: Order,
): QuoteResult | Promise<QuoteResult> => {
  const unreadable = isReadable(route, order.createdAt)
  if (unreadable !== undefined) return unreadable
  const priced = deps.book.price(order)
  if ('declined' in priced) return declineOf(priced)
  const allowance = knownAllowance(route, order)
  return (allowance === undefined && needsAllowance(route.from)) || 'paymentChain' in route.to
    ? quoteAfterReading(deps, route, order, priced.offers[0].output)
    : offered(deps, route, order, allowance, priced)
}
