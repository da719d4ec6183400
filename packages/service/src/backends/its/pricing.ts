import type { ItsBackend, MessageEvent } from '@openrfq/sdk'
import { type BaseUnits, baseUnits } from '../../core/amount.ts'
import type { NetworkChain } from '../../core/network.ts'
import type { Decline, Offer, OfferedFee } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import type { Closed, Presentation } from '../../core/written.ts'
import type { Carriage } from '../../protocols/axelar/carriage.ts'
import type { GasFees } from '../../protocols/axelar/gas-fees.ts'
import type { RelayTimes } from '../../protocols/axelar/relay-times.ts'
import { allOf } from '../all-of.ts'
import { outOfRange, unpriced } from '../decline.ts'
import { whyNotCarried } from '../not-carried.ts'
import { lossWarnings, NO_REFUND, tokenWarnings, type Warning } from '../terms.ts'
import type { GivingTrials } from './giving-trial.ts'
import { type HubFacts, type HubReader, whyHeldAtHub } from './hub-facts.ts'
import { dustOf, inputFor, inputRange, outputOf, outputRange, type TransferLimits } from './limits.ts'
import { whyNotReceivable } from './receiver.ts'
import { type ItsRoute, isReceiver, type SolanaRoute } from './routes.ts'
import type { ItsState, ItsStates } from './state.ts'

/** How long a quote can be executed. */
const LIFETIME_SECONDS = 60
/** Seconds from source finality to delivery (confirmation, the hub's hop, execution), if none was measured. */
const RELAY_SECONDS = 60 + 60 + 30

/** What pricing a route needs besides the order. */
export type ItsQuoteDeps = {
  readonly states: ItsStates
  /** Undefined where the network file does not say how to ask the hub. */
  readonly hubReader: HubReader | undefined
  readonly trials: GivingTrials
  /** What Axelar carries now; undefined without Axelar. */
  readonly carriage: Pick<Carriage, 'read'> | undefined
  readonly gasFees: GasFees
  readonly relayTimes: RelayTimes
  readonly hub: { readonly chain: string; readonly address: string }
  readonly name: string
}

type AnyRoute = ItsRoute | SolanaRoute

/** What both sides of a route and the hub between them say, and what relaying costs in the source's native base units. */
export type Reading = {
  readonly from: ItsState
  readonly to: ItsState
  readonly hub: HubFacts
  readonly gasValue: BaseUnits
}

/** Reads a route from facts that are kept while it is asked for; a decline says what is missing or forbids a transfer. */
export const readRoute = async (
  { states, hubReader, gasFees, carriage }: ItsQuoteDeps,
  route: AnyRoute,
): Promise<Reading | Decline> => {
  if (hubReader === undefined)
    return unpriced("axelar.routerAddress or axelar.gatewayAddress is not set, so Axelar's hub is not asked")
  const { from, to } = route
  const evmChains = [from, to].flatMap((side) => (isReceiver(side) ? [] : [side.chain.chainId]))
  const carrying = whyNotCarried(carriage, evmChains)
  const [here, there] = [from.axelarName, to.axelarName]
  const [source, destination, hub, gasValue] = await allOf(
    [states.of(from, there), states.of(to, here), hubReader.known(route), gasFees.knownFee(here, there)],
    () =>
      Promise.all([
        states.read(from, there),
        states.read(to, here),
        hubReader.read(route),
        gasFees.transferFee(here, there),
      ]),
  )
  if (source === undefined || destination === undefined) return unpriced('limits are unknown')
  if (hub === undefined) return unpriced("Axelar's hub cannot be read")
  if (gasValue === undefined) return unpriced('the gas fee is unknown')
  if (source.paused || destination.paused) return unpriced('the Interchain Token Service is paused')
  if (!source.isTrusted || !destination.isTrusted) return unpriced('the chains do not trust each other')
  if (source.manager.type === 'LOCK_UNLOCK_FEE' || destination.manager.type === 'LOCK_UNLOCK_FEE')
    return unpriced('the token takes a fee from transfers, so its output is not firm')
  if (!destination.canGive)
    return unpriced(`${to.token.symbol} on ${there} lets its token manager give nothing now`)
  const notCarried = await carrying
  return notCarried ?? whyHeldAtHub(route, hub) ?? { from: source, to: destination, hub, gasValue }
}

const least = (one: bigint | null | undefined, other: bigint | null | undefined): bigint | null => {
  if (one === null || one === undefined) return other ?? null
  return other === null || other === undefined || one < other ? one : other
}

/** The limits of a route as they were read: the hub sends no more back than it has brought, and scales to its own bits. */
export const limitsOf = ({ from, to }: AnyRoute, reading: Reading): TransferLimits => ({
  fromDecimals: from.token.decimals,
  toDecimals: to.token.decimals,
  maxUintBits: Math.min(to.maxUintBits, reading.hub.chains[1]?.maxUintBits ?? to.maxUintBits),
  maxSend: least(reading.from.maxSend, reading.hub.tokens[0]?.supply),
  maxReceive: reading.to.maxReceive,
})

/** The deposited and the delivered amount, and what does not arrive, in base units. */
export type Amounts = { readonly input: BaseUnits; readonly output: BaseUnits; readonly dust: bigint }

/** The deposited and the delivered amount, or a decline; its bounds refer to the order's amount. */
export const amountsOf = (order: Order, limits: TransferLimits): Amounts | Decline => {
  const { fromDecimals, toDecimals } = limits
  const inputs = inputRange(limits)
  if (inputs === undefined) return unpriced('the limits of the token are used up')
  const isExactInput = order.orderType === 'EXACT_INPUT'
  const input = isExactInput ? order.amount : inputFor(order.amount, fromDecimals, toDecimals)
  if (input < inputs.minimum || input > inputs.maximum) {
    const { minimum, maximum } = isExactInput ? inputs : outputRange(limits, inputs)
    return outOfRange(minimum, maximum)
  }
  return {
    input: baseUnits(input),
    output: baseUnits(outputOf(input, fromDecimals, toDecimals)),
    dust: dustOf(input, fromDecimals, toDecimals),
  }
}

/** Why the recipient would not get the output (base units); undefined if it would now. */
export const whyNotGiven = async (
  { trials }: ItsQuoteDeps,
  { to }: Pick<AnyRoute, 'to'>,
  { manager }: ItsState,
  { recipient, amount }: { readonly recipient: string; readonly amount: bigint },
): Promise<Decline | undefined> =>
  (await whyNotReceivable(to, recipient, amount)) ??
  (isReceiver(to) ? undefined : trials.whyNotGiven({ side: to, manager, recipient, amount }))

const warningsOf = (
  { from, to }: Pick<AnyRoute, 'from' | 'to'>,
  { input, dust }: Amounts,
): readonly Warning[] => {
  const warnings = tokenWarnings(from.token, to.token)
  if (dust === 0n) return warnings
  const message = `${dust} base units are below the smallest unit of the destination token and do not arrive`
  return [...warnings, { code: 'dust_lost', message }, ...lossWarnings(dust, input)]
}

type CommonTerms = Presentation<ItsBackend> &
  Pick<
    Offer,
    'backendName' | 'input' | 'output' | 'minimumOutput' | 'estimatedTimeSeconds' | 'lifetimeSeconds'
  > & { readonly backend: 'its' }

/** Seconds until delivery: as measured, or by the source's finality. */
const estimatedSeconds = ({ relayTimes }: ItsQuoteDeps, { from, to }: AnyRoute): number =>
  relayTimes.seconds(from.axelarName, to.axelarName) ?? from.finalitySeconds + RELAY_SECONDS

/** What offers of all routes have alike. */
export const commonTerms = (
  deps: ItsQuoteDeps,
  route: AnyRoute,
  reading: Reading,
  amounts: Amounts,
  messageEvent: Closed<MessageEvent>,
): CommonTerms => ({
  backend: 'its',
  backendName: deps.name,
  input: amounts.input,
  output: amounts.output,
  minimumOutput: amounts.output,
  estimatedTimeSeconds: estimatedSeconds(deps, route),
  lifetimeSeconds: LIFETIME_SECONDS,
  tracking: {
    tokenId: route.from.tokenId,
    sourceAxelarChain: route.from.axelarName,
    destinationAxelarChain: route.to.axelarName,
    messageEvent,
  },
  metadata: {
    hubRouted: true,
    tokenManager: reading.from.manager.address,
    tokenManagerType: reading.from.manager.type,
    dust: amounts.dust.toString(),
    priceImpactBps: 0,
    refund: NO_REFUND,
    warnings: warningsOf(route, amounts),
  },
})

/** The members of a binding that identify a transfer on chain and that all routes share. */
export const commonBinding = (
  { hub }: ItsQuoteDeps,
  { from, to }: Pick<AnyRoute, 'from' | 'to'>,
  gasValue: BaseUnits,
) => ({
  tokenId: from.tokenId,
  sourceAxelarChain: from.axelarName,
  sourceGateway: from.gateway,
  sourceIts: from.its,
  destinationAxelarChain: to.axelarName,
  destinationIts: to.its,
  hubChain: hub.chain,
  hubAddress: hub.address,
  gasValue: gasValue.toString(),
})

/** The fee for relaying, which the transfer's transaction pays in the chain's native asset. */
export const relayFee = (
  { chainId, nativeToken: { symbol, decimals } }: NetworkChain,
  amount: BaseUnits,
  address: string,
): OfferedFee => ({
  amount,
  token: { chain: chainId, symbol, type: 'native' },
  decimals,
  asset: { chainId, address },
  paymentMethod: 'tx_value',
  quoteTreatment: 'outside_quote',
})
