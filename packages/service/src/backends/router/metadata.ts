import type { ChainId, GatewayBackend, GatewayExpressBackend } from '@openrfq/sdk'
import type { Presentation } from '../../core/written.ts'
import { CONTRACT_CALL_WITH_TOKEN_TOPIC } from '../../protocols/axelar/gateway-contract.ts'
import type { PathPrice } from '../../protocols/uniswap-v3/path-price.ts'
import { messageEventOf, tokenWarnings, type Warning } from '../terms.ts'
import { isFloating, type RoutePrice } from './amounts.ts'
import type { ExpressOrder } from './express-contract.ts'

/** A swap that loses more than this (basis points) carries a warning. */
const HIGH_IMPACT_BPS = 1_500
const BPS = 10_000
/** Relay times of a failed delivery and its return leg, where no executor serves the route. */
const REFUND_ROUND_TRIPS = 2

type Timing = {
  readonly sender: string
  readonly isExpress: boolean
  /** The operator's cost of a return leg, in base units of the destination's native token. */
  readonly returnGas: bigint
  readonly expressSeconds: number
  readonly ordinarySeconds: number
}

/** Combined price impact of both swaps in basis points, rounded up. */
const totalImpactBps = ({ before, after }: RoutePrice): number => {
  const [one, other] = [before?.priceImpactBps ?? 0, after?.priceImpactBps ?? 0]
  return Math.min(BPS, one + other - Math.floor((one * other) / BPS))
}

const legsOf = (chain: string, swap: PathPrice | undefined) =>
  (swap?.legs ?? []).map(({ pool, tokenIn, tokenOut }) => ({
    chain,
    pool: pool.address,
    feeMillionths: pool.fee,
    tokenIn,
    tokenOut,
  }))

const warningsOf = (price: RoutePrice, impactBps: number): readonly Warning[] => {
  const warnings = tokenWarnings(price.route.input, price.route.output)
  if (impactBps <= HIGH_IMPACT_BPS) return warnings
  const message = `the swaps lose ${impactBps} basis points against the pools' prices`
  return [...warnings, { code: 'high_loss', message }]
}

/** The parts of the metadata that describe the route: bridge token, swaps with price impact, times and refund terms. */
export const presentation = (
  price: RoutePrice,
  signed: ExpressOrder,
  timing: Timing,
): Presentation<GatewayBackend | GatewayExpressBackend> => {
  const { from, to } = price.route
  const priceImpactBps = totalImpactBps(price)
  return {
    tracking: {
      salt: signed.salt,
      symbol: from.symbol,
      denom: from.denom,
      messageEvent: messageEventOf(from.gateway, CONTRACT_CALL_WITH_TOKEN_TOPIC),
    },
    metadata: {
      sourceAxelarChain: from.axelarName,
      destinationAxelarChain: to.axelarName,
      bridge: {
        denom: from.denom,
        sourceToken: from.token.address,
        destinationToken: to.token.address,
        amount: price.bridged.toString(),
        minimumAmount: signed.minimumBridgeAmount.toString(),
      },
      path: [...legsOf(from.chain.chainId, price.before), ...legsOf(to.chain.chainId, price.after)],
      express: timing.isExpress,
      estimatedSeconds: { express: timing.expressSeconds, ordinary: timing.ordinarySeconds },
      priceImpactBps,
      refund: {
        ...routerRefund({
          address: timing.sender,
          chain: from.chain.chainId,
          token: from.token.address,
          relaySeconds: timing.ordinarySeconds,
          isFloating: isFloating(price),
        }),
        /** Paid by the operator's keeper, in the destination's native asset. */
        returnGas: { chain: to.chain.chainId, amount: timing.returnGas.toString(), paidBy: 'operator' },
      },
      warnings: warningsOf(price, priceImpactBps),
    },
  }
}

/** The refund terms of a router's transfer, which returns the bridge token. */
export const routerRefund = ({
  relaySeconds,
  isFloating,
  ...paid
}: {
  readonly address: string
  readonly chain: ChainId
  readonly token: string
  readonly relaySeconds: number
  readonly isFloating: boolean
}) =>
  ({
    automatic: true,
    ...paid,
    cost: '0',
    expectedSeconds: REFUND_ROUND_TRIPS * relaySeconds,
    terms: isFloating
      ? 'When less than minimumAmount can be delivered, the bridge token goes back to the sender on the source chain.'
      : 'When the delivery fails, the bridge token goes back to the sender on the source chain.',
  }) as const
