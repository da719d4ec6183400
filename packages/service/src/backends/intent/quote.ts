import type { ChainId, IntentBackend } from '@openrfq/sdk'
import { accountBehind } from '../../chains/stellar/muxed-account.ts'
import { type BaseUnits, baseUnits, MAX_BASE_UNITS } from '../../core/amount.ts'
import { powerOfTen } from '../../core/decimal.ts'
import { type Instant, toIso } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { IntentTerms } from '../../core/network.ts'
import type { Decline, Offer, OfferedFee } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import type { Token } from '../../core/token.ts'
import type { Presentation } from '../../core/written.ts'
import type { AttesterWatch } from '../../intents/attester-watch.ts'
import type { Opener } from '../../intents/opener/index.ts'
import type { OfferGate } from '../../intents/outcomes/offer-gate.ts'
import type { EscrowOrigins } from '../../intents/settlers/escrow-origins.ts'
import { intentBinding, provenTerms, saltOf } from '../../intents/settlers/quoted-order.ts'
import type { SettlerChecks } from '../../intents/settlers/settler-checks.ts'
import { orderIdOf } from '../../intents/settlers/settler-contract.ts'
import type { BookAnswer, BookPrice } from '../../intents/solver-api/best-offers.ts'
import type { Book } from '../../intents/solver-api/book.ts'
import type { Asker } from '../../intents/solver-api/quote-reservations.ts'
import type { SolverDirectory } from '../../intents/solver-api/solver-directory.ts'
import type { PriceSource } from '../../pricing/price-source.ts'
import type { Carriage } from '../../protocols/axelar/carriage.ts'
import type { QuoteResult } from '../backend.ts'
import { outOfRange, unpayable, unpriced, unserved } from '../decline.ts'
import { whyNotCarried } from '../not-carried.ts'
import { lossWarnings, tokenWarnings, type Warning } from '../terms.ts'
import { claimableBalanceOf } from './claimable-balance.ts'
import { type DepositPlan, depositFee, depositOf } from './deposit.ts'
import { openingCostOf, withCost, withoutCost } from './opening-cost.ts'
import { refundTermsOf } from './refund-terms.ts'
import { rentOf } from './rent.ts'
import {
  type EvmSide,
  hasVault,
  headOf,
  type IntentRoute,
  type IntentSide,
  type PaymentSide,
} from './routes.ts'
import type { SenderBalances } from './sender-balances.ts'

const BPS = 10_000n
/** Seconds from the deposit's finality until the solver's fill is mined. */
const FILL_SECONDS = 5
/** Tolerated lead of the source chain's clock over the service's; more could make a deposit late. */
const CLOCK_SKEW_SECONDS = 15

/** What pricing an intent needs besides the order. */
export type IntentQuoteDeps = {
  readonly book: Pick<Book, 'price' | 'reserve' | 'hold'>
  readonly senderBalances: Pick<SenderBalances, 'held'>
  readonly directory: Pick<SolverDirectory, 'accountOn'>
  readonly gate: OfferGate
  readonly terms: IntentTerms
  readonly prices: PriceSource
  /** Whether the payments or orders of a chain are read up to its head. */
  readonly isCurrent: (chainId: ChainId) => boolean
  /** Whose word decides when the fills of a route with an attester are paid for. */
  readonly attesterWatch: Pick<AttesterWatch, 'faultOf'>
  /** Whether settlers are what the network file says. */
  readonly settlers: Pick<SettlerChecks, 'confirms'>
  /** Whether Axelar carries the proofs of fills; undefined without Axelar. */
  readonly carriage: Pick<Carriage, 'read'> | undefined
  /** Whether the keeper has an account on a chain. */
  readonly submitsRefunds: (chainId: ChainId) => boolean
  /** Follows a quoted order whose origin has an escrow program. */
  readonly follow: EscrowOrigins['follow']
  /** How orders may be opened without their depositor's gas. */
  readonly openingsOf: Opener['openingsOf']
  /** 16 random bytes as 32 lower-case hex digits. */
  readonly randomSalt: () => string
  readonly name: string
}

/** An order on a route that serves its pair. */
type QuoteInput = {
  readonly deps: IntentQuoteDeps
  readonly route: IntentRoute
  readonly order: Order
}

/** Declines while the attester of a route does not read one of its chains: a fill that it misses may be refunded, too. */
const whyUnattested = (
  { attesterWatch }: IntentQuoteDeps,
  { from, to, attester }: IntentRoute,
): Decline | undefined => {
  if (attester === undefined) return undefined
  for (const { chain } of [from, to]) {
    const fault = attesterWatch.faultOf(chain.chainId)
    if (fault !== undefined) return unpriced(`the attester does not read ${chain.chainId}: ${fault}`)
  }
  return undefined
}

/**
 * Declines if a chain of the route cannot be read up to its head, by the service or the route's attester, or its clock
 * disagrees with the service's.
 */
const whyUnreadable = (
  deps: IntentQuoteDeps,
  route: IntentRoute,
  createdAt: Instant,
): Decline | undefined => {
  const { from, to } = route
  const source = headOf(from)
  if (source === undefined) return unpriced('the source chain cannot be read')
  if (headOf(to) === undefined) return unpriced('the destination chain cannot be read')
  const unread = [from, to].find((side) => !deps.isCurrent(side.chain.chainId))
  if (unread !== undefined) return unpriced(`${unread.chain.chainId} is not read to its head`)
  const unattested = whyUnattested(deps, route)
  if (unattested !== undefined) return unattested
  return source.timestampSeconds > Math.floor(createdAt / 1000) + CLOCK_SKEW_SECONDS
    ? unpriced('the clock of the source chain is ahead')
    : undefined
}

const declineOf = (answer: Exclude<BookAnswer, { offers: unknown }>): Decline =>
  answer.declined === 'out_of_range'
    ? outOfRange(answer.minimum, answer.maximum)
    : answer.declined === 'never_quoted'
      ? unserved('no solver has ever offered the pair')
      : unpriced('no solver offers the pair')

/** The solver's filler and repayment accounts on a route; undefined if it has none on one of the chains. */
const accountsOf = (
  { directory }: IntentQuoteDeps,
  { from, to }: IntentRoute,
  { solver }: BookPrice,
): Pick<IntentOrder, 'solver' | 'filler'> | undefined => {
  const repaid = directory.accountOn(solver, from.chain.chainType)
  const filler = directory.accountOn(solver, to.chain.chainType)
  return repaid === undefined || filler === undefined ? undefined : { solver: repaid, filler }
}

/**
 * The intent order for a solver's price. Between EVM chains the solver has the first half of its fill window for itself.
 * Source: contracts/settlers.
 */
const intentOrderOf = (
  { deps: { terms, randomSalt }, route: { from, to, attester, destinationName }, order }: QuoteInput,
  price: BookPrice,
  accounts: Pick<IntentOrder, 'solver' | 'filler'>,
): IntentOrder => {
  const openDeadline = Math.floor(order.createdAt / 1000) + terms.quoteLifetimeSeconds
  // A deposit to a vault may be completed during a grace period; the solver's fill window starts after it.
  const graceSeconds = hasVault(from) ? terms.depositGraceSeconds : 0
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
    ...(destinationName === undefined
      ? {}
      : { proven: provenTerms(destinationName, exclusiveUntilOf(openDeadline, fillDeadline)) }),
  }
}

const exclusiveUntilOf = (openDeadline: number, fillDeadline: number): number =>
  openDeadline + Math.ceil((fillDeadline - openDeadline) / 2)

const userFee = ({ to }: IntentRoute, { fee }: BookPrice): OfferedFee => {
  const { chainId: chain, symbol, address, decimals } = to.token
  return {
    amount: fee,
    token: to.isNative ? { chain, symbol, type: 'native' } : { chain, symbol, address },
    decimals,
    asset: to.token,
    paymentMethod: 'output_token',
    quoteTreatment: 'included_in_quote',
  }
}

type Amount = { readonly token: Token; readonly amount: BaseUnits }

/**
 * How much less the output is worth than the input at reference prices, in basis points rounded down; 0 if it is worth
 * more, null if a price is missing.
 */
const priceImpactBps = (prices: PriceSource, input: Amount, output: Amount): number | null => {
  const inputPrice = prices(input.token)
  const outputPrice = prices(output.token)
  if (inputPrice === undefined || outputPrice === undefined) return null
  const spent = input.amount * inputPrice * powerOfTen(output.token.decimals)
  const received = output.amount * outputPrice * powerOfTen(input.token.decimals)
  return received >= spent ? 0 : Number(((spent - received) * BPS) / spent)
}

type Metadata = Presentation<IntentBackend>['metadata']

const metadataOf = (
  { deps: { prices, submitsRefunds }, route: { from, to } }: QuoteInput,
  price: BookPrice,
  order: IntentOrder,
  { isLastResort, quotedAt }: { readonly isLastResort: boolean; readonly quotedAt: Instant },
): Omit<Metadata, 'openings'> => ({
  solver: { name: price.solver.name, address: price.solver.address },
  fillDeadline: toIso(order.fillDeadline * 1000),
  refundAfter: toIso(order.refundAfter * 1000),
  /** Excludes the solver's fee, which is shown separately. */
  priceImpactBps: priceImpactBps(
    prices,
    { token: from.token, amount: price.input },
    { token: to.token, amount: baseUnits(price.output + price.fee) },
  ),
  refund: refundTermsOf(order, hasVault(from) ? 'vault' : 'escrow', submitsRefunds(order.originChain)),
  rent: rentOf(from),
  claimableBalance: claimableBalanceOf(from, order, quotedAt),
  warnings: [
    ...tokenWarnings(from.token, to.token),
    ...lossWarnings(price.fee, price.output + price.fee),
    ...(isLastResort ? [unreliable(price.solver)] : []),
  ],
})

const unreliable = ({ name }: BookPrice['solver']): Warning => ({
  code: 'unreliable_solver',
  message: `${name} did not fill its last orders of this pair`,
})

type DepositReads = Pick<DepositPlan, 'allowance' | 'paymentFee'>

type Priced = { readonly orderId: OrderId; readonly intent: IntentOrder; readonly offer: Offer }

/** The offer for a solver's price; empty if the solver cannot pay this order. */
const offersOf = (request: QuoteInput, read: DepositReads, price: BookPrice): readonly Priced[] => {
  const { deps, route, order } = request
  const accounts = accountsOf(deps, route, price)
  // An order's filler must not be its recipient.
  if (accounts === undefined || isSame(accounts.filler, holderOf(order.recipient))) return []
  const intent = intentOrderOf(request, price, accounts)
  const orderId = orderIdOf(intent)
  const expected = deps.gate.expected(price.solver, order)
  const isLastResort = !deps.gate.isShown(price.solver, order, price.input)
  const deposit = depositOf({ intent, orderId, route, order, ...read })
  if (deposit === undefined) return []
  const openings = deps.openingsOf(intent, orderId, read.allowance)
  const offer: Offer = {
    backend: 'intent',
    backendName: deps.name,
    input: price.input,
    output: price.output,
    minimumOutput: price.output,
    estimatedTimeSeconds: expected.fillSeconds ?? route.from.finalitySeconds + FILL_SECONDS,
    lifetimeSeconds: deps.terms.quoteLifetimeSeconds,
    fulfillmentDeadline: intent.fillDeadline * 1000,
    userFee: userFee(route, price),
    ...deposit,
    tracking: { swapId: orderId },
    metadata: {
      ...metadataOf(request, price, intent, { isLastResort, quotedAt: order.createdAt }),
      ...(openings === undefined ? {} : { openings }),
    },
    binding: intentBinding(orderId, intent),
    reliability: {
      solver: price.solver,
      fillRate: expected.fillRate,
      refundSeconds: intent.refundAfter - Math.floor(order.createdAt / 1000),
      isLastResort,
    },
  }
  return [{ orderId, intent, offer }]
}

/** The account that is paid, without Stellar's muxed id. */
const holderOf = (recipient: string): string => accountBehind(recipient)?.account ?? recipient

/** Comparing without case is correct for EVM addresses and harmless for others, which never differ by case alone. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Whether a deposit on this side may need an approval. */
const needsAllowance = (side: IntentSide): side is EvmSide => 'evm' in side && !side.isNative

/**
 * Prices an order and reserves its best offer in one step, so that nothing changes between price and reservation. A sender
 * deposits for one offer of an answer at most, so the others reserve nothing.
 */
const offered = (
  request: QuoteInput & { readonly openingCost: bigint },
  read: DepositReads,
  asker: Asker,
): QuoteResult => {
  const { order, deps, openingCost } = request
  const answer = deps.book.price(withCost(order, openingCost), asker)
  if ('declined' in answer && answer.declined === 'out_of_range')
    deps.book.hold({ ...order, amount: answer.maximum }, asker)
  if ('declined' in answer) return declineOf(withoutCost(answer, order, openingCost))
  const prices = answer.offers.filter(({ output }) => output > openingCost)
  if (prices.length === 0) return unpriced("the output does not cover opening the recipient's token account")
  const priced = prices.flatMap((price) =>
    offersOf(request, read, {
      ...price,
      output: baseUnits(price.output - openingCost),
      fee: baseUnits(price.fee + openingCost),
    }),
  )
  const [best] = priced
  if (best === undefined || !deps.book.reserve(best.orderId, best.intent, asker))
    return unpriced('no solver can pay this order')
  for (const { orderId, intent } of priced)
    deps.follow({ orderId, order: intent }, asker.held >= intent.inputAmount)
  return priced.map(({ offer }) => offer)
}

/** Declines a route whose proofs Axelar does not carry now: the sender would be refunded after a fill, at the solver's cost. */
const whyUnproven = async (
  { carriage }: Pick<IntentQuoteDeps, 'carriage'>,
  { from, to, attester }: IntentRoute,
): Promise<Decline | undefined> => {
  return attester === undefined
    ? whyNotCarried(
        carriage,
        [from, to].map(({ chain }) => chain.chainId),
      )
    : undefined
}

/** Declines a route with a settler that does not confirm the network file, or that cannot be read. */
const whyUnfit = async (
  { settlers }: Pick<IntentQuoteDeps, 'settlers'>,
  { from, to, attester }: IntentRoute,
): Promise<Decline | undefined> => {
  const kind = attester === undefined ? 'intent' : 'attested'
  for (const { chain } of [from, to]) {
    const confirmed = chain.chainType !== 'evm' || (await settlers.confirms(kind, chain.chainId))
    if (confirmed === undefined) return unpriced(`the settler of ${chain.chainId} cannot be read`)
    if (!confirmed) return unpriced(`the settler of ${chain.chainId} does not confirm the network file`)
  }
  return undefined
}

/**
 * Prices an order from the book: one or two firm offers of different solvers, best first; only the named solver can
 * fill each. Reads what the sender holds and on an EVM source the allowance, and on a payment chain whether the recipient can
 * be paid. Leaves out an offer that the solver's inventory no longer covers.
 */
export const quoteIntent = async (request: QuoteInput): Promise<QuoteResult> => {
  const { deps, route, order } = request
  const { from, to } = route
  const unreadable = whyUnreadable(deps, route, order.createdAt)
  if (unreadable !== undefined) return unreadable
  const { chainId, address: token } = order.from.token
  const { sender, client } = order
  const [unfit, unproven, held, allowance, paymentFee, paying] = await Promise.all([
    whyUnfit(deps, route),
    whyUnproven(deps, route),
    deps.senderBalances.held({ chainId, token, sender }),
    needsAllowance(from) ? from.evm.allowance(from.token.address, order.sender, from.settler) : undefined,
    depositFee(from, sender),
    'paymentChain' in to ? payingTo(deps, to, order) : { openingCost: 0n },
  ])
  if (unfit !== undefined) return unfit
  if (unproven !== undefined) return unproven
  return 'declined' in paying
    ? paying
    : offered({ ...request, ...paying }, { allowance, paymentFee }, { client, held })
}

/** Somebody whose means are not known yet. */
const ANYBODY: Asker = { client: '', held: MAX_BASE_UNITS }

/**
 * What opening the recipient's account costs the solver, in base units of the output; declines an order that has no price
 * now, or whose recipient cannot be paid on a payment chain.
 */
const payingTo = async (
  { book, prices }: IntentQuoteDeps,
  to: PaymentSide,
  order: Order,
): Promise<Decline | { readonly openingCost: bigint }> => {
  const priced = book.price(order, ANYBODY)
  if ('declined' in priced) return declineOf(priced)
  const { paymentChain, token } = to
  const whyNot = await paymentChain.whyNotPayable(order.recipient, token.address, priced.offers[0].output)
  if (whyNot !== undefined) return unpayable(whyNot)
  const rent = await paymentChain.openingRent(order.recipient, token.address)
  const openingCost = rent === 0n ? 0n : openingCostOf(prices, to, rent)
  return openingCost === undefined
    ? unpriced("what opening the recipient's token account costs has no price")
    : { openingCost }
}
