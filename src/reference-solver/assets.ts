import { EVM_NATIVE_TOKEN, evmAddressRules } from '../chains/evm/address.ts'
import type { EvmChain } from '../chains/evm/evm-chain.ts'
import { createEvmChain } from '../chains/evm/index.ts'
import type { ChainId } from '../core/chain.ts'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../core/log.ts'
import type { Network, NetworkChain, NetworkToken } from '../core/network.ts'
import { usdPrice } from '../pricing/usd.ts'
import type { PricedToken } from './pricing.ts'

/** A chain on which the solver fills and is repaid. */
export type SolverChain = {
  readonly chainId: ChainId
  readonly evm: EvmChain
  /** The IntentSettler, in EIP-55. */
  readonly settler: string
  readonly axelarName: string
  /** What Axelar's relayers are paid for at least, per message to the chain. */
  readonly executeGasLimit: number
  readonly nativeDecimals: number
}

/** Something the solver may take and pay; one without a price is never quoted. */
export type SolverAsset = {
  readonly key: string
  readonly chainId: ChainId
  /** In EIP-55, zero for the native asset. */
  readonly address: string
  readonly symbol: string
  readonly isNative: boolean
  readonly price: PricedToken | undefined
}

/** The key of an asset in maps; addresses are compared without case. */
export const assetKey = (chainId: ChainId, address: string): string => `${chainId} ${address.toLowerCase()}`

type ChainDeps = { readonly now: () => Instant; readonly log: Log }

const connect = (chain: NetworkChain, { now, log }: ChainDeps): SolverChain | undefined => {
  const { chainId, chainType, intent, axelar, rpcUrls, finality, nativeToken } = chain
  if (chainType !== 'evm' || intent === undefined || axelar === undefined) return undefined
  const settler = evmAddressRules.parseSender(intent.settler)
  if (settler === undefined) throw new Error(`not the address of a settler: ${intent.settler} (${chainId})`)
  return {
    chainId,
    evm: createEvmChain({ chainId, rpcUrls, finality, now, log }),
    settler,
    axelarName: axelar.name,
    executeGasLimit: axelar.executeGasLimit,
    nativeDecimals: nativeToken.decimals,
  }
}

/** The chains of the network that have a settler. Throws Error when a settler's address is none. */
export const connectChains = (network: Network, deps: ChainDeps): ReadonlyMap<ChainId, SolverChain> =>
  new Map(
    network.chains.flatMap((chain) => {
      const connected = connect(chain, deps)
      return connected === undefined ? [] : [[connected.chainId, connected] as const]
    }),
  )

const priceOf = ({ decimals, usdPrice: text }: NetworkToken): PricedToken | undefined => {
  const price = text === undefined ? undefined : usdPrice(text)
  return price === undefined || price === 0n ? undefined : { decimals, usdPrice: price }
}

/** The intent tokens on those chains. Throws Error when a token's address is none. */
export const intentAssets = (
  network: Network,
  chains: ReadonlyMap<ChainId, SolverChain>,
): readonly SolverAsset[] =>
  network.tokens
    .filter(({ intent, chainId }) => intent && chains.has(chainId))
    .map((token) => {
      const address = evmAddressRules.parseToken(token.address)
      if (address === undefined) throw new Error(`not a token: ${token.address} (${token.chainId})`)
      return {
        key: assetKey(token.chainId, address),
        chainId: token.chainId,
        address,
        symbol: token.symbol,
        isNative: address === EVM_NATIVE_TOKEN,
        price: priceOf(token),
      }
    })
