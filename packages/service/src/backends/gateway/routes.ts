import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { NetworkChain, NetworkToken } from '../../core/network.ts'
import { type SentToken, sendTokenTemplate } from '../../protocols/axelar/gateway-contract.ts'
import type { ChainDeps } from '../backend-definition.ts'
import { createPairMap, type PairMap } from '../pair-map.ts'

/** A gateway asset on one chain. */
export type GatewaySide = {
  readonly chain: NetworkChain
  readonly token: NetworkToken
  readonly evm: EvmChain
  readonly denom: string
  /** The asset's symbol in this chain's gateway. */
  readonly symbol: string
  readonly axelarName: string
  readonly gateway: string
  readonly finalitySeconds: number
}

/** A direction between two sides of one gateway asset, with its calldata prepared. */
export type GatewayRoute = {
  readonly from: GatewaySide
  readonly to: GatewaySide
  readonly calldata: (sent: SentToken) => string
}

const sideOf = ({ catalog, evmChains }: ChainDeps, token: NetworkToken): GatewaySide | undefined => {
  const chain = catalog.chain(token.chainId)
  const evm = evmChains.get(token.chainId)
  if (chain?.axelar === undefined || evm === undefined || token.gateway === undefined) return undefined
  return {
    chain,
    token,
    evm,
    denom: token.gateway.denom,
    symbol: token.gateway.symbol,
    axelarName: chain.axelar.name,
    gateway: catalog.contract(chain, chain.axelar.gateway),
    finalitySeconds: chain.axelar.finalitySeconds,
  }
}

/** All sides of all gateway assets in the catalogue whose chain can be read. */
export const gatewaySides = (deps: ChainDeps): readonly GatewaySide[] =>
  deps.catalog.tokens.map((token) => sideOf(deps, token)).filter((side) => side !== undefined)

const counterparts = (side: GatewaySide, sides: readonly GatewaySide[]): readonly GatewaySide[] =>
  sides.filter(
    ({ denom, chain, token }) =>
      denom === side.denom && chain !== side.chain && token.decimals === side.token.decimals,
  )

/** All directions between two sides. A gateway asset has the same decimals everywhere. */
export const gatewayRoutes = (sides: readonly GatewaySide[]): PairMap<GatewayRoute> =>
  createPairMap(
    sides.flatMap((from) =>
      counterparts(from, sides).map((to) => ({
        from,
        to,
        calldata: sendTokenTemplate(to.axelarName, from.symbol),
      })),
    ),
  )
