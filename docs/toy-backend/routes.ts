import { z } from 'zod'
import { addressWord, uintWord } from '../../chains/evm/abi-words.ts'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import { ConfigError } from '../../core/config-error.ts'
import type { NetworkChain, NetworkToken } from '../../core/network.ts'
import type { ChainDeps } from '../backend-definition.ts'
import { createPairMap, type PairMap } from '../pair-map.ts'

export const TYPE = 'toy'

/** A chain's settings in the network file, at `backends.toy`: the account that receives and pays. */
const Settings = z.object({ bridge: z.string() })

/** The bridge account of a chain as the operator wrote it; undefined without settings. Throws ConfigError. */
export const bridgeOn = ({ chainId, backends }: NetworkChain): string | undefined => {
  const settings = backends?.[TYPE]
  if (settings === undefined) return undefined
  const parsed = Settings.safeParse(settings)
  if (!parsed.success) throw new ConfigError(`chain ${chainId}: backends.${TYPE} needs bridge, an address`)
  return parsed.data.bridge
}

/** One chain's end of a token. */
export type Side = {
  readonly chain: NetworkChain
  readonly token: NetworkToken
  readonly evm: EvmChain
  /** Canonical. */
  readonly bridge: string
}

/** A direction between two sides; `calldata` pays base units to the bridge of the source. */
export type ToyRoute = {
  readonly from: Side
  readonly to: Side
  readonly calldata: (amount: bigint) => string
}

const sideOf = ({ catalog, evmChains }: ChainDeps, token: NetworkToken): Side | undefined => {
  const chain = catalog.chain(token.chainId)
  const evm = evmChains.get(token.chainId)
  if (chain === undefined || evm === undefined) return undefined
  const bridge = bridgeOn(chain)
  if (bridge === undefined || token.address === catalog.rules('evm').nativeToken(token.chainId))
    return undefined
  return { chain, token, evm, bridge: catalog.contract(chain, bridge) }
}

/** All sides of all ERC-20 tokens on chains with a bridge account. */
export const toySides = (deps: ChainDeps): readonly Side[] =>
  deps.catalog.tokens.map((token) => sideOf(deps, token)).filter((side) => side !== undefined)

/** Calldata of `transfer(address,uint256)`. Source: EIP-20. */
export const transferData = (recipient: string, amount: bigint): string =>
  `0xa9059cbb${addressWord(recipient)}${uintWord(amount)}`

/** All directions between tokens of one symbol with the same decimals. */
export const toyRoutes = (sides: readonly Side[]): PairMap<ToyRoute> =>
  createPairMap(
    sides.flatMap((from) =>
      sides
        .filter(
          ({ chain, token: { symbol, decimals } }) =>
            chain !== from.chain && symbol === from.token.symbol && decimals === from.token.decimals,
        )
        .map((to) => ({ from, to, calldata: (amount: bigint) => transferData(from.bridge, amount) })),
    ),
  )
