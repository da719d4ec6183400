import type { GatewayBackend } from '@openrfq/sdk'
import { evmAction } from '../../chains/evm/actions.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { gasFee } from '../../chains/evm/gas.ts'
import { type BaseUnits, baseUnits } from '../../core/amount.ts'
import type { Decline, Offer } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import type { Presentation } from '../../core/written.ts'
import { TOKEN_SENT_TOPIC } from '../../protocols/axelar/gateway-contract.ts'
import type { RelayTimes } from '../../protocols/axelar/relay-times.ts'
import { amountFor, type FeeInfo, transferFee } from '../../protocols/axelar/transfer-fee.ts'
import { allOf } from '../all-of.ts'
import type { QuoteResult } from '../backend.ts'
import { outOfRange, unpriced } from '../decline.ts'
import { lossWarnings, messageEventOf, NO_REFUND, tokenWarnings, type Warning } from '../terms.ts'
import { sendSteps } from './actions.ts'
import type { TransferFees } from './fees.ts'
import { inputRange, outputRange } from './limits.ts'
import type { GatewayRoute } from './routes.ts'
import type { GatewayStates } from './states.ts'
import type { TransferHealth } from './transfer-health.ts'

const LIFETIME_SECONDS = 60
/** Seconds from source finality to delivery (confirmation and execution), if none was measured. */
const RELAY_SECONDS = 60 + 30

/** What pricing a route needs besides the order. */
export type GatewayQuoteDeps = {
  readonly states: GatewayStates
  readonly fees: TransferFees
  /** A token transfer takes the same steps as a message: confirmed for the hub, executed from it. */
  readonly relayTimes: RelayTimes
  readonly health: TransferHealth
  readonly name: string
}

/** Everything read about a route, complete. */
type Reading = {
  readonly fees: FeeInfo
  readonly room: bigint | null
  readonly head: EvmHead
  readonly stuck: readonly Warning[]
}

const read = async (deps: GatewayQuoteDeps, route: GatewayRoute): Promise<Reading | Decline> => {
  const head = route.from.evm.head()
  const { states, health } = deps
  const [source, destination, fees, stuck = []] = await allOf(
    [states.of(route.from), states.of(route.to), deps.fees.of(route), health.of(route)],
    () =>
      Promise.all([
        states.read(route.from),
        states.read(route.to),
        deps.fees.read(route),
        health.read(route),
      ]),
  )
  if (source === undefined || destination === undefined) return unpriced('limits are unknown')
  if (fees === undefined) return unpriced('the transfer fee is unknown')
  if (head === undefined) return unpriced('the source chain cannot be read')
  if (!source.isListed || !destination.isListed) return unpriced('a gateway does not know the token')
  return { fees, room: destination.room, head, stuck }
}

type Amounts = { readonly input: BaseUnits; readonly output: BaseUnits; readonly fee: BaseUnits }

/** The deposited and the delivered amount, or a decline; its bounds refer to the order's amount. */
const amountsOf = (order: Order, { fees, room }: Reading): Amounts | Decline => {
  const outputs = outputRange(fees, room)
  if (outputs === undefined) return unpriced('the mint limit of the token is used up')
  const isExactInput = order.orderType === 'EXACT_INPUT'
  const { minimum, maximum } = isExactInput ? inputRange(fees, outputs) : outputs
  if (order.amount < minimum || order.amount > maximum) return outOfRange(minimum, maximum)
  const input = isExactInput ? order.amount : amountFor(fees, order.amount)
  const fee = transferFee(fees, input)
  return { input: baseUnits(input), output: baseUnits(input - fee), fee: baseUnits(fee) }
}

const presentation = (
  { from, to }: GatewayRoute,
  { input, fee }: Amounts,
  stuck: readonly Warning[],
): Presentation<GatewayBackend> => ({
  tracking: {
    denom: from.denom,
    symbol: from.symbol,
    messageEvent: messageEventOf(from.gateway, TOKEN_SENT_TOPIC),
  },
  metadata: {
    sourceAxelarChain: from.axelarName,
    destinationAxelarChain: to.axelarName,
    destinationSymbol: to.symbol,
    priceImpactBps: 0,
    refund: NO_REFUND,
    warnings: [...tokenWarnings(from.token, to.token), ...lossWarnings(fee, input), ...stuck],
  },
})

const bindingOf = ({ from, to }: GatewayRoute, head: EvmHead) => ({
  sourceBlock: Number(head.number),
  denom: from.denom,
  decimals: from.token.decimals.toString(),
  sourceSymbol: from.symbol,
  sourceAxelarChain: from.axelarName,
  sourceGateway: from.gateway,
  destinationAxelarChain: to.axelarName,
  destinationGateway: to.gateway,
})

/** Everything an offer is built from; the allowance is undefined if it could not be read. */
type Composition = {
  readonly route: GatewayRoute
  readonly order: Order
  readonly amounts: Amounts
  readonly allowance: bigint | undefined
  readonly head: EvmHead
  readonly stuck: readonly Warning[]
}

const offerOf = (
  deps: GatewayQuoteDeps,
  { route, order, amounts, allowance, head, stuck }: Composition,
): Offer => {
  const { chain, token, finalitySeconds } = route.from
  const steps = sendSteps({ order, route, input: amounts.input, allowance, head })
  return {
    backend: 'gateway',
    backendName: deps.name,
    input: amounts.input,
    output: amounts.output,
    minimumOutput: amounts.output,
    estimatedTimeSeconds:
      deps.relayTimes.seconds(route.from.axelarName, route.to.axelarName) ?? finalitySeconds + RELAY_SECONDS,
    lifetimeSeconds: LIFETIME_SECONDS,
    gasFee: gasFee(chain, steps),
    userFee: {
      amount: amounts.fee,
      token: { chain: chain.chainId, symbol: token.symbol, address: token.address },
      decimals: token.decimals,
      asset: token,
      paymentMethod: 'input_token',
      quoteTreatment: 'included_in_quote',
    },
    actions: steps.map(evmAction),
    ...presentation(route, amounts, stuck),
    binding: bindingOf(route, head),
  }
}

/**
 * Prices an order on a route from facts that are kept while the route is asked for. Firm: the output is the input minus
 * Axelar's transfer fee. Source: AxelarGateway `sendToken`.
 */
export const quoteSend = async (
  deps: GatewayQuoteDeps,
  route: GatewayRoute,
  order: Order,
): Promise<QuoteResult> => {
  const { token, evm, gateway } = route.from
  const [reading, allowance] = await Promise.all([
    read(deps, route),
    evm.allowance(token.address, order.sender, gateway),
  ])
  if ('declined' in reading) return reading
  const amounts = amountsOf(order, reading)
  if ('declined' in amounts) return amounts
  return [offerOf(deps, { route, order, amounts, allowance, ...reading })]
}
