import type { ItsBackend } from '@openrfq/sdk'
import { evmAction } from '../../chains/evm/actions.ts'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { gasFee } from '../../chains/evm/gas.ts'
import { type BaseUnits, baseUnits } from '../../core/amount.ts'
import type { Decline, Offer } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import type { Presentation } from '../../core/written.ts'
import type { GasFees } from '../../protocols/axelar/gas-fees.ts'
import { CONTRACT_CALL_TOPIC } from '../../protocols/axelar/gateway-contract.ts'
import type { RelayTimes } from '../../protocols/axelar/relay-times.ts'
import { allOf } from '../all-of.ts'
import type { QuoteResult } from '../backend.ts'
import { outOfRange, unpriced } from '../decline.ts'
import { lossWarnings, messageEventOf, NO_REFUND, tokenWarnings, type Warning } from '../terms.ts'
import { needsApproval, transferSteps } from './actions.ts'
import { dustOf, inputFor, inputRange, outputOf, outputRange, type TransferLimits } from './limits.ts'
import { whyNotReceivable } from './receiver.ts'
import { type ItsRoute, isReceiver, recipientBytes } from './routes.ts'
import type { ItsState, ItsStates } from './state.ts'

const LIFETIME_SECONDS = 60
/** Seconds from source finality to delivery (confirmation, the hub's hop, execution), if none was measured. */
const RELAY_SECONDS = 60 + 60 + 30

/** What pricing a route needs besides the order. */
export type ItsQuoteDeps = {
  readonly states: ItsStates
  readonly gasFees: GasFees
  readonly relayTimes: RelayTimes
  readonly hub: { readonly chain: string; readonly address: string }
  readonly name: string
}

/** Everything read about a route, complete. */
type Reading = {
  readonly from: ItsState
  readonly to: ItsState
  readonly gasValue: BaseUnits
  readonly head: EvmHead
}

const isDecline = (value: Reading | Decline): value is Decline => 'declined' in value

const read = async (deps: ItsQuoteDeps, { from, to }: ItsRoute): Promise<Reading | Decline> => {
  const head = from.evm.head()
  if (head === undefined) return unpriced('the source chain cannot be read')
  const { states, gasFees } = deps
  const [here, there] = [from.axelarName, to.axelarName]
  const [source, destination, gasValue] = await allOf(
    [states.of(from, there), states.of(to, here), gasFees.knownFee(here, there)],
    () => Promise.all([states.read(from, there), states.read(to, here), gasFees.transferFee(here, there)]),
  )
  if (source === undefined || destination === undefined) return unpriced('limits are unknown')
  if (gasValue === undefined) return unpriced('the gas fee is unknown')
  if (source.paused || destination.paused) return unpriced('the Interchain Token Service is paused')
  if (!source.isTrusted || !destination.isTrusted) return unpriced('the chains do not trust each other')
  if (source.manager.type === 'LOCK_UNLOCK_FEE' || destination.manager.type === 'LOCK_UNLOCK_FEE')
    return unpriced('the token takes a fee from transfers, so its output is not firm')
  return { from: source, to: destination, gasValue, head }
}

const limitsOf = ({ from, to }: ItsRoute, reading: Reading): TransferLimits => ({
  fromDecimals: from.token.decimals,
  toDecimals: to.token.decimals,
  maxUintBits: to.maxUintBits,
  maxSend: reading.from.maxSend,
  maxReceive: reading.to.maxReceive,
})

type Amounts = { readonly input: BaseUnits; readonly output: BaseUnits; readonly dust: bigint }

/** The deposited and the delivered amount, or a decline; its bounds refer to the order's amount. */
const amountsOf = (order: Order, limits: TransferLimits): Amounts | Decline => {
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

const warningsOf = ({ from, to }: ItsRoute, { input, dust }: Amounts): readonly Warning[] => {
  const warnings = tokenWarnings([from.token, to.token])
  if (dust === 0n) return warnings
  const message = `${dust} base units are below the smallest unit of the destination token and do not arrive`
  return [...warnings, { code: 'dust_lost', message }, ...lossWarnings(dust, input)]
}

const presentation = (route: ItsRoute, reading: Reading, amounts: Amounts): Presentation<ItsBackend> => ({
  tracking: {
    tokenId: route.from.tokenId,
    sourceAxelarChain: route.from.axelarName,
    destinationAxelarChain: route.to.axelarName,
    messageEvent: messageEventOf(route.from.gateway, CONTRACT_CALL_TOPIC),
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

/** What only a transfer to a chain of another family needs. */
const receiverBinding = (to: ItsRoute['to'], recipient: string) =>
  isReceiver(to) ? { destinationGateway: to.gateway, recipientBytes: recipientBytes(to, recipient) } : {}

const bindingOf = (
  deps: ItsQuoteDeps,
  { from, to }: ItsRoute,
  { gasValue, head }: Reading,
  recipient: string,
) => ({
  ...receiverBinding(to, recipient),
  sourceBlock: Number(head.number),
  tokenId: from.tokenId,
  sourceAxelarChain: from.axelarName,
  sourceGateway: from.gateway,
  sourceIts: from.its,
  destinationAxelarChain: to.axelarName,
  destinationIts: to.its,
  hubChain: deps.hub.chain,
  hubAddress: deps.hub.address,
  gasValue: gasValue.toString(),
})

/** Everything an offer is built from; the allowance is undefined if none is needed or it could not be read. */
type Composition = {
  readonly route: ItsRoute
  readonly order: Order
  readonly reading: Reading
  readonly amounts: Amounts
  readonly allowance: bigint | undefined
}

const offerOf = (deps: ItsQuoteDeps, { route, order, reading, amounts, allowance }: Composition): Offer => {
  const { gasValue, head } = reading
  const { chain } = route.from
  const managerType = reading.from.manager.type
  const steps = transferSteps({
    order,
    route,
    managerType,
    hasFlowLimit: reading.from.hasFlowLimit,
    input: amounts.input,
    gasValue,
    allowance,
    head,
  })
  return {
    backend: 'its',
    backendName: deps.name,
    input: amounts.input,
    output: amounts.output,
    minimumOutput: amounts.output,
    estimatedTimeSeconds:
      deps.relayTimes.seconds(route.from.axelarName, route.to.axelarName) ??
      route.from.finalitySeconds + RELAY_SECONDS,
    lifetimeSeconds: LIFETIME_SECONDS,
    gasFee: gasFee(chain, steps),
    userFee: {
      amount: gasValue,
      token: { chain: chain.chainId, symbol: chain.nativeToken.symbol, type: 'native' },
      decimals: chain.nativeToken.decimals,
      asset: { chainId: chain.chainId, address: EVM_NATIVE_TOKEN },
      paymentMethod: 'tx_value',
      quoteTreatment: 'outside_quote',
    },
    actions: steps.map(evmAction),
    ...presentation(route, reading, amounts),
    binding: bindingOf(deps, route, reading, order.recipient),
  }
}

/**
 * Prices an order on a route from facts that are kept while the route is asked for. The allowance is read beside them,
 * because whether the token needs one is a fact too. Firm: the output is the input in the destination's decimals,
 * rounded down. Source: ITS 2.x, six-argument `interchainTransfer`.
 */
export const quoteTransfer = async (
  deps: ItsQuoteDeps,
  route: ItsRoute,
  order: Order,
): Promise<QuoteResult> => {
  const { token, evm, its } = route.from
  const type = deps.states.managerType(route.from)
  const mayNeedAllowance = type === undefined || needsApproval(type)
  const [reading, allowance] = await Promise.all([
    read(deps, route),
    mayNeedAllowance ? evm.allowance(token.address, order.sender, its) : undefined,
  ])
  if (isDecline(reading)) return reading
  const amounts = amountsOf(order, limitsOf(route, reading))
  if ('declined' in amounts) return amounts
  const refusal = isReceiver(route.to)
    ? await whyNotReceivable(route.to, order.recipient, amounts.output)
    : undefined
  if (refusal !== undefined) return refusal
  return [offerOf(deps, { route, order, reading, amounts, allowance })]
}
