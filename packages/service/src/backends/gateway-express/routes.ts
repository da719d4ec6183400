import { evmChainNumberOf } from '@openrfq/sdk'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import { mulDivUp } from '../../core/amount.ts'
import { isSameAddress } from '../../core/comparable-address.ts'
import { parseUnitsFloor, powerOfTen } from '../../core/decimal.ts'
import type { Exchange, NetworkToken } from '../../core/network.ts'
import type { AssetPair } from '../../core/order.ts'
import type { Token } from '../../core/token.ts'
import { createTokenMap, type TokenMap } from '../../core/token-map.ts'
import { findPaths } from '../../protocols/uniswap-v3/path.ts'
import type { ChainDeps } from '../backend-definition.ts'
import { type GatewaySide, gatewaySides } from '../gateway/routes.ts'

const PRICE_DIGITS = 18

/** A gateway token that can be bridged from or to a chain with a router. */
export type BridgeSide = GatewaySide & {
  readonly exchange: Exchange
  readonly router: string
  /** Who delivers to the router before the source is final, as the operator says. */
  readonly executor: 'none' | 'axelar' | 'own'
  /** How long the operator's own executor takes. */
  readonly executorSeconds: number
  readonly gasService: string
  readonly chainNumber: bigint
  readonly executeGasLimit: number
  /** The minimum bridged amount, in base units. */
  readonly minimumBridged: bigint
  /** The most that executors deliver here per message, in base units; null for no limit, and for none by the operator's own. */
  readonly expressCap: bigint | null
  /** The most the keeper pays for a return leg from here, in base units of the native asset. */
  readonly returnGasCap: bigint
  /** Who delivers here before anybody else may, and for how long from the quote on. */
  readonly priority: { readonly executor: string; readonly seconds: number } | undefined
  /** How long a delivery here fails before the keeper gives the transfer back. */
  readonly patienceMs: number
}

/** A token that is the bridge token or swaps into it on the same chain. */
type Reach = { readonly token: NetworkToken; readonly bridge: BridgeSide }

/** One route between two tokens: the bridge token, and the swaps before and after it. */
export type ExpressRoute = {
  readonly from: BridgeSide
  readonly to: BridgeSide
  readonly input: NetworkToken
  readonly output: NetworkToken
}

/** The routes of all pairs. */
export type ExpressRoutes = {
  readonly bridges: readonly BridgeSide[]
  readonly serves: (token: Token) => boolean
  /** One route per bridge token; empty if the pair is not served. */
  readonly between: (pair: AssetPair) => readonly ExpressRoute[]
}

/**
 * One dollar at the reference price, in base units rounded up; one unit without a price. The keeper pays for the return
 * leg of failing deliveries, so provoking one must have a cost.
 */
const minimumOf = ({ decimals, usdPrice }: NetworkToken): bigint => {
  const price = usdPrice === undefined ? undefined : parseUnitsFloor(usdPrice, PRICE_DIGITS)
  return price === undefined || price === 0n
    ? 1n
    : mulDivUp(powerOfTen(decimals), powerOfTen(PRICE_DIGITS), price)
}

const bridgeOf = ({ catalog }: ChainDeps, side: GatewaySide): BridgeSide | undefined => {
  const { chainId, axelar, exchange, express } = side.chain
  if (axelar === undefined || exchange === undefined || express === undefined) return undefined
  return {
    ...side,
    exchange,
    router: catalog.contract(side.chain, express.router),
    executor: express.executor,
    executorSeconds: express.executorSeconds,
    gasService: catalog.contract(side.chain, axelar.gasService),
    chainNumber: evmChainNumberOf(chainId),
    executeGasLimit: axelar.executeGasLimit,
    minimumBridged: minimumOf(side.token),
    expressCap: side.token.gateway?.expressCap === undefined ? null : BigInt(side.token.gateway.expressCap),
    returnGasCap: BigInt(express.returnGasCap),
    priority: express.priority,
    patienceMs: express.patienceSeconds * 1000,
  }
}

/** The ERC-20 that represents a token on the exchange. */
export const tradedAddress = ({ address }: Token, { wrappedNative }: Exchange): string =>
  (address === EVM_NATIVE_TOKEN ? wrappedNative : address).toLowerCase()

/** Whether a token is the bridge token (or wraps into it), so that nothing is swapped. */
export const isBridge = (token: Token, { token: bridge, exchange }: BridgeSide): boolean =>
  tradedAddress(token, exchange) === bridge.address.toLowerCase()

const reaches = (token: Token, bridge: BridgeSide): boolean => {
  const traded = tradedAddress(token, bridge.exchange)
  const { pools } = bridge.exchange
  return isBridge(token, bridge) || findPaths(pools, (pool) => pool, traded, bridge.token.address).length > 0
}

/** Whether tokens are bridged between two sides; routers trust their own address alone. */
export const isConnected = (one: BridgeSide, other: BridgeSide): boolean =>
  one.denom === other.denom && one.chain !== other.chain && isSameAddress(one.router, other.router)

const waysBetween = (from: readonly Reach[], to: readonly Reach[]): readonly ExpressRoute[] =>
  from.flatMap((one) =>
    to
      .filter(({ bridge }) => isConnected(one.bridge, bridge))
      .map((other) => ({ from: one.bridge, to: other.bridge, input: one.token, output: other.token })),
  )

/** All routes between tokens on different chains that swap, through at most two pools, into the same gateway token. */
export const expressRoutes = (deps: ChainDeps): ExpressRoutes => {
  const bridges = gatewaySides(deps).flatMap((side) => bridgeOf(deps, side) ?? [])
  const reachesByToken = createTokenMap<readonly Reach[]>()
  for (const token of deps.catalog.tokens) {
    const reached = bridges.filter(
      (bridge) => bridge.chain.chainId === token.chainId && reaches(token, bridge),
    )
    reachesByToken.set(
      token,
      reached.map((bridge) => ({ token, bridge })),
    )
  }
  const connected = new Set(bridges.filter((one) => bridges.some((other) => isConnected(one, other))))
  const known = createTokenMap<TokenMap<readonly ExpressRoute[]>>()
  return {
    bridges,
    serves: (token) => (reachesByToken.get(token) ?? []).some(({ bridge }) => connected.has(bridge)),
    between: ({ from, to }) => {
      const knownFrom = known.get(from.token) ?? createTokenMap()
      known.set(from.token, knownFrom)
      const found = knownFrom.get(to.token)
      if (found !== undefined) return found
      const ways = waysBetween(reachesByToken.get(from.token) ?? [], reachesByToken.get(to.token) ?? [])
      knownFrom.set(to.token, ways)
      return ways
    },
  }
}
