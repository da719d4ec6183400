import type { ChainId } from '@openrfq/sdk'
import type { GatewayAsset } from '../deployment-types.ts'

/** The plan of one chain. */
export type ChainPlan = {
  readonly chainId: ChainId
  readonly chainNumber: number
  readonly chainLabel: string
  readonly axelarName: string
  readonly maxUintBits: number
  readonly maxDecimalsWhenTruncating: number
}

/** The three chains. The hub limits the last to 64 bits and 6 decimals, as it does Hedera. */
export const CHAIN_PLANS = [
  {
    chainId: 'eip155:31337',
    chainNumber: 31_337,
    chainLabel: 'Sandbox A',
    axelarName: 'sandbox-a',
    maxUintBits: 256,
    maxDecimalsWhenTruncating: 255,
  },
  {
    chainId: 'eip155:31338',
    chainNumber: 31_338,
    chainLabel: 'Sandbox B',
    axelarName: 'sandbox-b',
    maxUintBits: 256,
    maxDecimalsWhenTruncating: 255,
  },
  {
    chainId: 'eip155:31339',
    chainNumber: 31_339,
    chainLabel: 'Sandbox C',
    axelarName: 'sandbox-c',
    maxUintBits: 64,
    maxDecimalsWhenTruncating: 6,
  },
] as const satisfies readonly ChainPlan[]

/** A token's supply on each chain in whole tokens: the deployer's stock, and each user's share in addition. */
export type Shares = { readonly stockWhole: bigint; readonly userWhole: bigint }

/** Divisor of the stock that each solver gets: a tenth, enough for thousands of concurrent quotes. */
export const SOLVER_SHARE = 10n

/** Divisor of the stock that the liquidity provider gets of every pool token: a twentieth. */
export const LIQUIDITY_SHARE = 20n

/** Divisor of the stock that the express executor gets of every bridge token. */
export const EXECUTOR_SHARE = 100n

/** A gateway asset: an ERC-20 on its home chain, deployed by the gateway on every other chain. */
export type GatewayPlan = Shares & {
  readonly contract: 'authorizedToken' | 'wrappedNative'
  readonly home: string
  readonly name: string
  readonly remoteName: string
  readonly usdPrice: string
  /** Whole tokens that a gateway mints or unlocks per six hours. */
  readonly mintLimitWhole: bigint
  /** Whole tokens that ITS holds on every chain for payouts; absent when the asset is not linked to ITS. */
  readonly lockedWhole?: bigint
  readonly asset: GatewayAsset
}

/** An interchain token: canonical ones lock an ERC-20 at home; native ones are minted by ITS everywhere. */
export type InterchainPlan = Shares & {
  readonly contract: 'ownedToken' | 'resettingToken' | 'interchainToken'
  readonly home: string
  readonly remotes: readonly string[]
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly usdPrice: string
  readonly verified: boolean
  readonly resetsAllowance: boolean
  /** Whether solvers hold and quote it. They quote every gateway asset. */
  readonly intent: boolean
  /** Whole tokens of net flow allowed in either direction per six hours; absent means unlimited. */
  readonly flowLimitWhole?: bigint
}

/** Price of one whole unit of the chains' native asset in USD, decimal text. */
export const NATIVE_USD_PRICE = '2500.5'

export const GATEWAY_PLANS: readonly GatewayPlan[] = [
  {
    contract: 'authorizedToken',
    home: 'sandbox-a',
    name: 'USD Coin',
    remoteName: 'Axelar Wrapped USDC',
    usdPrice: '1',
    stockWhole: 1_000_000_000n,
    userWhole: 1_000_000n,
    mintLimitWhole: 2_000_000n,
    asset: {
      denom: 'uusdc',
      decimals: 6,
      symbols: { 'sandbox-a': 'USDC', 'sandbox-b': 'axlUSDC', 'sandbox-c': 'axlUSDC' },
      expressCap: 1_000_000_000_000n,
    },
  },
  {
    contract: 'wrappedNative',
    home: 'sandbox-a',
    name: 'Wrapped Ether',
    remoteName: 'Axelar Wrapped WETH',
    usdPrice: NATIVE_USD_PRICE,
    stockWhole: 1_000_000n,
    userWhole: 1000n,
    mintLimitWhole: 2000n,
    lockedWhole: 5000n,
    asset: {
      denom: 'weth-wei',
      decimals: 18,
      symbols: { 'sandbox-a': 'WETH', 'sandbox-b': 'axlWETH', 'sandbox-c': 'axlWETH' },
      expressCap: 400_000_000_000_000_000_000n,
    },
  },
]

export const INTERCHAIN_PLANS: readonly InterchainPlan[] = [
  {
    contract: 'ownedToken',
    home: 'sandbox-a',
    remotes: ['sandbox-b', 'sandbox-c'],
    name: 'Harbour',
    symbol: 'HBR',
    decimals: 18,
    usdPrice: '1.25',
    verified: true,
    resetsAllowance: false,
    intent: true,
    stockWhole: 1_000_000_000n,
    userWhole: 1_000_000n,
    flowLimitWhole: 500_000n,
  },
  {
    contract: 'resettingToken',
    home: 'sandbox-b',
    remotes: ['sandbox-a', 'sandbox-c'],
    name: 'Tether USD',
    symbol: 'USDT',
    decimals: 6,
    usdPrice: '1',
    verified: true,
    resetsAllowance: true,
    intent: true,
    stockWhole: 1_000_000_000n,
    userWhole: 1_000_000n,
  },
  {
    contract: 'interchainToken',
    home: 'sandbox-a',
    remotes: ['sandbox-b', 'sandbox-c'],
    name: 'Beacon',
    symbol: 'BCN',
    decimals: 18,
    usdPrice: '0.42',
    verified: true,
    resetsAllowance: false,
    intent: false,
    stockWhole: 1_000_000_000n,
    userWhole: 1_000_000n,
  },
  {
    contract: 'interchainToken',
    home: 'sandbox-a',
    remotes: ['sandbox-b'],
    name: 'Driftwood',
    symbol: 'DRIFT',
    decimals: 18,
    usdPrice: '0.003',
    verified: false,
    resetsAllowance: false,
    intent: false,
    stockWhole: 1_000_000_000n,
    userWhole: 1_000_000n,
  },
]
