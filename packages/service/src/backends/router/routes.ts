import { evmChainNumberOf } from '@openrfq/sdk'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import { mulDivUp } from '../../core/amount.ts'
import { isSameAddress } from '../../core/comparable-address.ts'
import { parseUnitsFloor, powerOfTen } from '../../core/decimal.ts'
import type { Exchange, NetworkChain, NetworkToken } from '../../core/network.ts'
import type { AssetPair } from '../../core/order.ts'
import type { Token } from '../../core/token.ts'
import { createTokenMap, type TokenMap } from '../../core/token-map.ts'
import { findPaths } from '../../protocols/uniswap-v3/path.ts'
import type { ChainDeps } from '../backend-definition.ts'

const PRICE_DIGITS = 18

/** A gateway asset on a chain with a router. */
export type BridgeSide = {
  readonly chain: NetworkChain
  readonly token: NetworkToken
  readonly evm: EvmChain
  readonly denom: string
  /** The asset's symbol in this chain's gateway. */
  readonly symbol: string
  readonly axelarName: string
  readonly gateway: string
  readonly finalitySeconds: number
  /** Undefined where nothing is swapped. */
  readonly exchange: Exchange | undefined
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

/** A token that a backend turns into the bridge token of its chain. */
type Reach = { readonly token: NetworkToken; readonly bridge: BridgeSide }

/** One route between two tokens: the bridge token, and the swaps before and after it. */
export type ExpressRoute = {
  readonly from: BridgeSide
  readonly to: BridgeSide
  readonly input: NetworkToken
  readonly output: NetworkToken
}

/** Which routes a backend offers. */
export type RouteChoice = {
  /** Whether the backend turns a token of a chain into the bridge token, and back. */
  readonly reaches: (token: Token, bridge: BridgeSide) => boolean
  /** Whether it offers a route, where executors deliver it early and where they do not. */
  readonly offers: (route: ExpressRoute, isExpress: boolean) => boolean
}

/** The routes of all pairs. */
export type RouterRoutes = {
  readonly serves: (token: Token) => boolean
  /** At most one route per bridge token; empty if the pair is not served. */
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

const sideOf = ({ catalog, evmChains }: ChainDeps, token: NetworkToken): BridgeSide | undefined => {
  const [chain, evm] = [catalog.chain(token.chainId), evmChains.get(token.chainId)]
  if (chain?.axelar === undefined || chain.express === undefined) return undefined
  if (evm === undefined || token.gateway === undefined) return undefined
  const { axelar, express, exchange } = chain
  const { denom, symbol, expressCap } = token.gateway
  return {
    ...{ chain, token, evm, denom, symbol, exchange },
    axelarName: axelar.name,
    gateway: catalog.contract(chain, axelar.gateway),
    finalitySeconds: axelar.finalitySeconds,
    router: catalog.contract(chain, express.router),
    executor: express.executor,
    executorSeconds: express.executorSeconds,
    gasService: catalog.contract(chain, axelar.gasService),
    chainNumber: evmChainNumberOf(chain.chainId),
    executeGasLimit: axelar.executeGasLimit,
    minimumBridged: minimumOf(token),
    expressCap: expressCap === undefined ? null : BigInt(expressCap),
    returnGasCap: BigInt(express.returnGasCap),
    priority: express.priority,
    patienceMs: express.patienceSeconds * 1000,
  }
}

/** All gateway assets of the catalogue on chains with a router that can be read. */
export const bridgeSides = (deps: ChainDeps): readonly BridgeSide[] =>
  deps.catalog.tokens.flatMap((token) => sideOf(deps, token) ?? [])

/** The ERC-20 that represents a token on the exchange. */
export const tradedAddress = ({ address }: Token, exchange: Exchange | undefined): string =>
  (address === EVM_NATIVE_TOKEN && exchange !== undefined ? exchange.wrappedNative : address).toLowerCase()

/** Whether a token is the bridge token (or wraps into it), so that nothing is swapped. */
export const isBridge = (token: Token, { token: bridge, exchange }: BridgeSide): boolean =>
  tradedAddress(token, exchange) === bridge.address.toLowerCase()

/** Whether a token is the bridge token, and not the native asset that wraps into it. */
export const isItself = ({ address }: Token, { token: bridge }: BridgeSide): boolean =>
  isSameAddress(address, bridge.address)

/** Whether a token is the bridge token, wraps into it, or swaps into it through at most two pools. */
export const swapsInto = (token: Token, bridge: BridgeSide): boolean => {
  const { exchange } = bridge
  if (isBridge(token, bridge)) return true
  if (exchange === undefined) return false
  const traded = tradedAddress(token, exchange)
  return findPaths(exchange.pools, (pool) => pool, traded, bridge.token.address).length > 0
}

/** Whether a bridge token crosses between two sides; routers trust their own address alone. */
export const isConnected = (one: BridgeSide, other: BridgeSide): boolean =>
  one.denom === other.denom &&
  one.chain !== other.chain &&
  one.token.decimals === other.token.decimals &&
  isSameAddress(one.router, other.router)

/** Whether executors may deliver to a side early; Axelar's say so with each fee. */
const mayBeExpress = ({ executor, expressCap }: BridgeSide): boolean =>
  executor === 'axelar' || (executor === 'own' && expressCap !== null)

/** The routes that a backend offers between tokens on different chains that it turns into the same gateway token. */
export const routerRoutes = (
  tokens: readonly NetworkToken[],
  bridges: readonly BridgeSide[],
  { reaches, offers }: RouteChoice,
): RouterRoutes => {
  const reachesByToken = createTokenMap<readonly Reach[]>()
  for (const token of tokens) {
    const reached = bridges.filter(
      (bridge) => bridge.chain.chainId === token.chainId && reaches(token, bridge),
    )
    reachesByToken.set(
      token,
      reached.map((bridge) => ({ token, bridge })),
    )
  }
  const waysBetween = (from: readonly Reach[], to: readonly Reach[]): readonly ExpressRoute[] =>
    from.flatMap((one) =>
      to
        .filter(({ bridge }) => isConnected(one.bridge, bridge))
        .map((other) => ({ from: one.bridge, to: other.bridge, input: one.token, output: other.token }))
        .filter((route) => offers(route, mayBeExpress(route.to))),
    )
  const all = reachesByToken.values().flat()
  const served = createTokenMap<boolean>()
  const known = createTokenMap<TokenMap<readonly ExpressRoute[]>>()
  return {
    serves: (token) => {
      const own = reachesByToken.get(token) ?? []
      const isServed =
        served.get(token) ??
        all.some((other) => waysBetween(own, [other]).length > 0 || waysBetween([other], own).length > 0)
      served.set(token, isServed)
      return isServed
    },
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
