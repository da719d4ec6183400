import type { ChainId } from '@openrfq/sdk'
import { addressRulesOf } from '../../chains/address-rules-of.ts'
import { connectPaymentChains } from '../../chains/connect-payment-chains.ts'
import { evmAddressRules } from '../../chains/evm/address.ts'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import { createEvmChain } from '../../chains/evm/index.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { canMoveMoney } from '../../chains/rpc/quorum.ts'
import { comparableAddress } from '../../core/comparable-address.ts'
import { ConfigError } from '../../core/config-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { Network, NetworkChain, NetworkToken } from '../../core/network.ts'
import type { Log } from '../../lib/log.ts'
import { usdPrice } from '../../pricing/usd.ts'
import { createEscrowSide, type EscrowSide } from './attested/escrow-side.ts'
import type { PaymentAccounts } from './config.ts'
import type { PricedToken } from './pricing.ts'

/** An EVM chain on which the solver fills and is repaid. */
export type SolverChain = {
  readonly chainId: ChainId
  readonly evm: EvmChain
  /** The IntentSettler, in EIP-55. */
  readonly settler: string
  /** The AttestedSettler, in EIP-55; undefined if the chain takes no attested orders. */
  readonly attestedSettler: string | undefined
  readonly axelarName: string
  /** The minimum gas that Axelar's relayers are paid for, per message to the chain. */
  readonly executeGasLimit: number
  readonly nativeDecimals: number
}

/** A payment chain on which the solver fills from its own account and is repaid. */
export type SolverPaymentChain = {
  readonly chainId: ChainId
  readonly paymentChain: PaymentChain
  /** The escrow program, or the operator's account, which receives deposits and repays the solver. */
  readonly settler: string
  /** Where the escrow program holds the deposits. */
  readonly escrow: EscrowSide | undefined
  /** The solver's own account. */
  readonly account: string
  readonly secret: string
  readonly nativeDecimals: number
}

/** An asset that the solver may receive and pay; one without a price is never quoted. */
export type SolverAsset = {
  readonly key: string
  readonly chainId: ChainId
  /** The canonical address: EIP-55 on an EVM chain, zero for its native asset. */
  readonly address: string
  readonly symbol: string
  readonly isNative: boolean
  readonly isOnPaymentChain: boolean
  readonly price: PricedToken | undefined
}

/** The map key of an asset. */
export const assetKey = (chainId: ChainId, address: string): string =>
  `${chainId} ${comparableAddress(address)}`

type ChainDeps = { readonly now: () => Instant; readonly wallTime?: () => Instant; readonly log: Log }

const settlerOf = (chainId: ChainId, text: string): string => {
  const settler = evmAddressRules.parseSender(text)
  if (settler === undefined) throw new ConfigError(`not the address of a settler: ${text} (${chainId})`)
  return settler
}

const connect = (chain: NetworkChain, deps: ChainDeps): SolverChain | undefined => {
  const { chainId, chainType, intent, attested, axelar, nativeToken } = chain
  if (chainType !== 'evm' || intent === undefined || axelar === undefined) return undefined
  if (!canMoveMoney(chain))
    throw new ConfigError(
      `${chainId} has one RPC endpoint: expected several "rpcUrls", or "trustSingleEndpoint"`,
    )
  return {
    chainId,
    evm: createEvmChain({ ...chain, ...deps }),
    settler: settlerOf(chainId, intent.settler),
    attestedSettler: attested === undefined ? undefined : settlerOf(chainId, attested.settler),
    axelarName: axelar.name,
    executeGasLimit: axelar.executeGasLimit,
    nativeDecimals: nativeToken.decimals,
  }
}

/** The EVM chains of the network that have a settler. Throws ConfigError for an invalid settler address and for a single endpoint that is not trusted. */
export const connectSolverChains = (network: Network, deps: ChainDeps): ReadonlyMap<ChainId, SolverChain> =>
  new Map(
    network.chains.flatMap((chain) => {
      const connected = connect(chain, deps)
      return connected === undefined ? [] : [[connected.chainId, connected] as const]
    }),
  )

/**
 * The payment chains that have an escrow program or a vault, and on which the solver has an account. Throws ConfigError for a Stellar network
 * without its passphrase, and for a token that is not the contract of its asset.
 */
export const connectSolverPaymentChains = (
  network: Network,
  accounts: PaymentAccounts,
  deps: ChainDeps,
): ReadonlyMap<ChainId, SolverPaymentChain> => {
  const own = network.chains.flatMap((chain) => {
    const account = chain.chainType === 'evm' ? undefined : accounts[chain.chainType]
    return chain.attested === undefined || account === undefined ? [] : [{ chain, account }]
  })
  const paymentChains = connectPaymentChains(
    { chains: own.map(({ chain }) => chain), tokens: network.tokens },
    deps,
  )
  return new Map(
    own.flatMap(({ chain, account: { address, secret } }) => {
      const { chainId, attested, nativeToken } = chain
      const paymentChain = paymentChains.get(chainId)
      if (paymentChain === undefined || attested === undefined) return []
      const { settler } = attested
      const mints = network.tokens.filter((token) => token.chainId === chainId)
      const escrow = createEscrowSide({ paymentChain, program: settler, mints, secret, now: deps.now })
      const { decimals: nativeDecimals } = nativeToken
      return [[chainId, { chainId, paymentChain, settler, escrow, account: address, secret, nativeDecimals }]]
    }),
  )
}

const priceOf = ({ decimals, usdPrice: text }: NetworkToken): PricedToken | undefined => {
  const price = text === undefined ? undefined : usdPrice(text)
  return price === undefined || price === 0n ? undefined : { decimals, usdPrice: price }
}

/** The prices of the native assets of the chains, of those that have one. */
export const nativePrices = (network: Network): ReadonlyMap<ChainId, PricedToken> => {
  const rules = addressRulesOf(network.chains)
  const families = new Map(network.chains.map(({ chainId, chainType }) => [chainId, chainType]))
  return new Map(
    network.tokens.flatMap((token) => {
      const family = families.get(token.chainId)
      const price = priceOf(token)
      if (family === undefined || price === undefined) return []
      const { parseToken, nativeToken } = rules[family]
      return parseToken(token.address) === nativeToken(token.chainId) ? [[token.chainId, price] as const] : []
    }),
  )
}

/** The intent tokens on those chains. Throws ConfigError for an invalid token address. */
export const intentAssets = (
  network: Network,
  served: { readonly has: (chainId: ChainId) => boolean },
): readonly SolverAsset[] => {
  const rules = addressRulesOf(network.chains)
  const families = new Map(network.chains.map(({ chainId, chainType }) => [chainId, chainType]))
  return network.tokens.flatMap((token) => {
    const { chainId } = token
    const family = families.get(chainId)
    if (!token.intent || !served.has(chainId) || family === undefined) return []
    const address = rules[family].parseToken(token.address)
    if (address === undefined) throw new ConfigError(`not a token: ${token.address} (${chainId})`)
    return [
      {
        key: assetKey(chainId, address),
        chainId,
        address,
        symbol: token.symbol,
        isNative: address === rules[family].nativeToken(chainId),
        isOnPaymentChain: family !== 'evm',
        price: priceOf(token),
      },
    ]
  })
}
