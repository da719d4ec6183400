import { evmAction } from '../../chains/evm/actions.ts'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { gasFee } from '../../chains/evm/gas.ts'
import { associatedTokenOf } from '../../chains/solana/associated-token.ts'
import { programOf } from '../../chains/solana/programs.ts'
import type { Offer } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import { CONTRACT_CALL_TOPIC } from '../../protocols/axelar/gateway-contract.ts'
import type { QuoteResult } from '../backend.ts'
import { unpriced } from '../decline.ts'
import { messageEventOf } from '../terms.ts'
import { needsApproval, transferSteps } from './actions.ts'
import {
  type Amounts,
  amountsOf,
  commonBinding,
  commonTerms,
  type ItsQuoteDeps,
  limitsOf,
  type Reading,
  readRoute,
  relayFee,
  whyNotGiven,
} from './pricing.ts'
import { type ItsRoute, isReceiver, recipientBytes } from './routes.ts'

/** What a route was priced by, with the head of its source. */
type EvmReading = Reading & { readonly head: EvmHead }

/** What only a transfer to a chain of another family needs. */
const receiverBinding = (to: ItsRoute['to'], recipient: string) => {
  if (!isReceiver(to)) return {}
  const { gateway, token } = to
  const account =
    to.family === 'solana'
      ? { destinationTokenAccount: associatedTokenOf(recipient, token.address, programOf(token)) }
      : {}
  return { ...account, destinationGateway: gateway, recipientBytes: recipientBytes(to, recipient) }
}

const bindingOf = (
  deps: ItsQuoteDeps,
  { from, to }: ItsRoute,
  { gasValue, head }: EvmReading,
  recipient: string,
) => ({
  ...receiverBinding(to, recipient),
  ...commonBinding(deps, { from, to }, gasValue),
  sourceBlock: Number(head.number),
})

/** Everything an offer is built from; the allowance is undefined if none is needed or it could not be read. */
type Composition = {
  readonly route: ItsRoute
  readonly order: Order
  readonly reading: EvmReading
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
    ...commonTerms(deps, route, reading, amounts, messageEventOf(route.from.gateway, CONTRACT_CALL_TOPIC)),
    gasFee: gasFee(chain, steps),
    userFee: relayFee(chain, gasValue, EVM_NATIVE_TOKEN),
    actions: steps.map(evmAction),
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
  const { chain, token, erc20, evm, its } = route.from
  const type = deps.states.managerType(route.from)
  const mayNeedAllowance = type === undefined || needsApproval(type)
  const head = evm.head()
  if (head === undefined) return unpriced('the source chain cannot be read')
  const [read, allowance] = await Promise.all([
    readRoute(deps, route),
    mayNeedAllowance ? evm.allowance(erc20, order.sender, its) : undefined,
  ])
  if ('declined' in read) return read
  if (token.address === EVM_NATIVE_TOKEN && needsApproval(read.from.manager.type))
    return unpriced('the token service would pull the native asset by an allowance')
  if (chain.tokenStandard === 'hts' && read.from.manager.type !== 'LOCK_UNLOCK')
    return unpriced('the token service of Hedera burns by an allowance of a contract that is not known')
  const reading = { ...read, head }
  const amounts = amountsOf(order, limitsOf(route, reading))
  if ('declined' in amounts) return amounts
  const given = { recipient: order.recipient, amount: amounts.output }
  const refusal = await whyNotGiven(deps, route, reading.to, given)
  if (refusal !== undefined) return refusal
  return [offerOf(deps, { route, order, reading, amounts, allowance })]
}
