import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { NetworkChain, NetworkToken } from '../../core/network.ts'
import { type InterchainTransfer, interchainTransferTemplate } from '../../protocols/axelar/its-contract.ts'
import type { ChainDeps } from '../backend-definition.ts'
import { createPairMap, type PairMap } from '../pair-map.ts'

/** An interchain token on one chain, with the contracts that move it there. */
export type ItsSide = {
  readonly chain: NetworkChain
  readonly token: NetworkToken
  readonly evm: EvmChain
  readonly tokenId: string
  readonly axelarName: string
  readonly gateway: string
  readonly its: string
  readonly maxUintBits: number
  readonly finalitySeconds: number
}

/** A direction between two sides of one interchain token, with its calldata prepared. */
export type ItsRoute = {
  readonly from: ItsSide
  readonly to: ItsSide
  readonly calldata: (transfer: InterchainTransfer) => string
}

const sideOf = ({ catalog, evmChains }: ChainDeps, token: NetworkToken): ItsSide | undefined => {
  const chain = catalog.chain(token.chainId)
  const evm = evmChains.get(token.chainId)
  const axelar = chain?.axelar
  if (chain === undefined || evm === undefined || axelar?.its === undefined || token.its === undefined)
    return undefined
  return {
    chain,
    token,
    evm,
    tokenId: token.its.tokenId,
    axelarName: axelar.name,
    gateway: catalog.contract(chain, axelar.gateway),
    its: catalog.contract(chain, axelar.its),
    maxUintBits: axelar.maxUintBits,
    finalitySeconds: axelar.finalitySeconds,
  }
}

/** All sides of all interchain tokens in the catalogue whose chain can be read. */
export const itsSides = (deps: ChainDeps): readonly ItsSide[] =>
  deps.catalog.tokens.map((token) => sideOf(deps, token)).filter((side) => side !== undefined)

/** The sides of the same token on other chains. */
const counterparts = (side: ItsSide, sides: readonly ItsSide[]): readonly ItsSide[] =>
  sides.filter((other) => other.tokenId === side.tokenId && other.chain !== side.chain)

/** All directions between two sides. */
export const itsRoutes = (sides: readonly ItsSide[]): PairMap<ItsRoute> =>
  createPairMap(
    sides.flatMap((from) =>
      counterparts(from, sides).map((to) => ({
        from,
        to,
        calldata: interchainTransferTemplate(from.tokenId, to.axelarName),
      })),
    ),
  )
