import { z } from 'zod'
import { PositiveAmountText } from './amount.ts'
import { BROWSER_NODE_MEMBERS, checkBrowserNode } from './browser-node.ts'
import { Chain } from './chain.ts'
import { checkScales } from './check-scales.ts'
import { Decimal } from './decimal-text.ts'
import { EvmAddress } from './hex.ts'
import { InterchainIdentity } from './interchain-token.ts'
import { OnChainFeed, PriceSettings } from './price-settings.ts'
import { printableText } from './printable-text.ts'
import { Token } from './token.ts'
import { VaultChannels, VaultSigners } from './vault-signers.ts'

/** The most confirmations of a final block, three times Mantle's: so many blocks are kept in memory (`MAX_BRANCH`). */
const MOST_CONFIRMATIONS = 30_000

/** Axelar's contracts on a chain; `name` is the case-sensitive registered chain name. */
const AxelarDeployment = z.object({
  name: z.string().regex(/^[!-~]{1,20}$/, 'expected 1 to 20 printable characters'),
  /** How Axelar reads the chain; an `amplifier` chain can have no gateway tokens. */
  connectionType: z.enum(['consensus', 'amplifier']).default('consensus'),
  gateway: EvmAddress,
  gasService: EvmAddress,
  its: EvmAddress.optional(),
  /** InterchainTokenFactory; configured only to reject it as sender and recipient. */
  itsFactory: EvmAddress.optional(),
  /** Whole seconds from inclusion until Axelar confirms a message of this chain. */
  finalitySeconds: z.int().min(0),
  /** Gas limit paid for the execution of a message on this chain. */
  executeGasLimit: z.int().positive(),
  /** The hub's limits for this chain: bits of the largest amount, and decimals kept when it truncates. */
  maxUintBits: z.int().positive().max(256).default(256),
  maxDecimalsWhenTruncating: z.int().min(0).default(255),
})

/**
 * Axelar's gateway and Interchain Token Service on a Stellar or Solana chain, which receives interchain tokens; `name` is the
 * registered chain name.
 */
const TokenReceiver = z.object({
  name: z.string().min(1),
  gateway: z.string().min(1),
  its: z.string().min(1),
  /** The gas service of a Solana chain, with which interchain tokens are sent from there, too. */
  gasService: z.string().min(1).optional(),
  /** Whole seconds until Axelar confirms a message of this chain. */
  finalitySeconds: z.int().min(0).default(30),
  /** Gas limit paid for the execution of a message on this chain. */
  executeGasLimit: z.int().positive(),
  /** Bits of the largest amount that the hub forwards to this chain; never more than 64 on Solana. */
  maxUintBits: z.int().positive().max(256).default(127),
})

/** A pool of a Uniswap v3 exchange. */
export const ExchangePool = z
  .object({
    address: EvmAddress,
    /** The token with the lower address. */
    token0: EvmAddress,
    token1: EvmAddress,
    /** Millionths of the input: 3000 is 0.3 %. */
    fee: z.int().min(0).max(999_999),
    tickSpacing: z.int().min(1).max(16_384),
  })
  .refine(({ token0, token1 }) => token0.toLowerCase() < token1.toLowerCase(), {
    error: 'expected token0 to be lower than token1',
  })
export type ExchangePool = z.infer<typeof ExchangePool>

/** The Uniswap v3 exchange used for swaps on a chain, and the pools that may be used. */
export const Exchange = z.object({
  /** SwapRouter of v3-periphery. */
  router: EvmAddress,
  factory: EvmAddress,
  /** TickLens of v3-periphery, used to read the pools' liquidity. */
  tickLens: EvmAddress,
  /** QuoterV2; nothing depends on it. */
  quoter: EvmAddress.optional(),
  /** The ERC-20 that the router wraps the native asset into. */
  wrappedNative: EvmAddress,
  pools: z.array(ExchangePool).max(256),
})
export type Exchange = z.infer<typeof Exchange>

/** A header that a request may name besides its own. */
const HeaderName = z
  .string()
  .regex(/^(?!(content-type|content-length|host)$)[a-z0-9-]+$/, 'expected a header in lower case')

/** How far the operator's opener pays for opening orders on a chain; amounts in the chain's native asset. */
const OpeningTerms = z.object({
  /** The most that one opening may cost. */
  costCap: PositiveAmountText,
  /** The most that the openings of 24 hours may cost, the failed ones included. */
  dailyCostCap: PositiveAmountText,
  /** The most openings in 24 hours. */
  dailyOrders: z.int().min(1).max(10_000).default(1_000),
  /** Whether Uniswap's Permit2 stands at its address on the chain. */
  permit2: z.boolean().default(false),
})
export type OpeningTerms = z.infer<typeof OpeningTerms>

const ChainMembers = Chain.extend({
  /** The chain's RPC endpoints, preferred first. Money moves only by what a majority of them, at least two, say alike. */
  rpcUrls: z.array(z.url()).min(1),
  /** Headers that are sent to an endpoint, such as a provider's key, by its URL in `rpcUrls`. */
  rpcHeaders: z.record(z.string(), z.record(HeaderName, z.string().min(1))).optional(),
  /** The calls per minute that an endpoint may be sent for quotes, by its URL in `rpcUrls`; absent for no bound. */
  rpcCallsPerMinute: z.record(z.string(), z.int().min(60)).optional(),
  ...BROWSER_NODE_MEMBERS,
  /** Lets the chain's only endpoint decide alone; for a node that the operator runs. */
  trustSingleEndpoint: z.boolean().optional(),
  /** Confirmations after which a block is final; `finalized` uses the node's tag instead. */
  finality: z.union([z.literal('finalized'), z.int().min(0).max(MOST_CONFIRMATIONS)]),
  /**
   * When a delivery here makes a transfer DONE, before the block is final: the first entry whose `upToUsd` the delivery is not
   * worth more than; one without it holds for any. Absent, or without such an entry: when it is final.
   */
  deliveryFinality: z
    .array(z.object({ upToUsd: Decimal.optional(), confirmations: z.int().min(0).max(100_000) }))
    .max(8)
    .optional(),
  /**
   * How many seconds a block's time may be ahead of the service's clock; 15 by default. Later ones decide nothing.
   */
  maximumClockLeadSeconds: z.int().min(1).max(86_400).optional(),
  /** How the chain charges for a transaction's data on the chain below it; absent for one that does not. */
  l1Fee: z.enum(['op-stack', 'mantle', 'scroll', 'arbitrum']).optional(),
  /**
   * About how many units of the chain's gas stand for one of Ethereum's, where contracts run on another machine; absent for one
   * that counts as Ethereum. Gas limits are then left to wallets, and the chain serves none of our contracts.
   */
  gasScale: z.int().min(2).max(100_000).optional(),
  /**
   * `hts` where tokens belong to the Hedera Token Service: an account receives one only after it has associated itself with it, no
   * supply exceeds 63 bits, and the token service takes by allowance what it burns.
   */
  tokenStandard: z.literal('hts').optional(),
  axelar: AxelarDeployment.optional(),
  tokenReceiver: TokenReceiver.optional(),
  /** The chain's IntentSettler; without one the chain has no intents. */
  intent: z.object({ settler: EvmAddress, opening: OpeningTerms.optional() }).optional(),
  /**
   * Settings for intents between this chain and other families: `settler` is the AttestedSettler contract of an EVM
   * chain, the escrow program on Solana, or the operator's vault account on Stellar. `finalitySeconds`: whole seconds until a solver may rely
   * on a deposit.
   */
  attested: z
    .object({
      settler: z.string().min(1),
      finalitySeconds: z.int().min(0),
      /** The accounts whose keys sign for a vault on Stellar. */
      signers: VaultSigners.optional(),
      /** Accounts whose sequence numbers the vault's payouts use, so that several are under way at once. */
      channels: VaultChannels.optional(),
      /** Accounts of the operator that fund a vault; their payments are not deposits. */
      treasury: z.array(z.string().min(1)).optional(),
      /** The most that a vault pays in 24 hours, in base units by token address; absent for no limit. */
      dailyLimit: z.record(z.string(), PositiveAmountText).optional(),
      /**
       * The slot or ledger after which the service continues to read a vault's payments although the history before it
       * is lost. Set by the operator after reconciling the vault.
       */
      readAfter: z.int().min(0).optional(),
    })
    .optional(),
  /** The passphrase of a Stellar network, which its signatures commit to. */
  passphrase: z.string().min(1).optional(),
  /** Whether quotes from this Stellar chain offer claimable balances, which docs/decisions/0051 warns of; not by default. */
  claimableBalances: z.boolean().optional(),
  /** The exchange used for swaps on the chain; without one there are none. */
  exchange: Exchange.optional(),
  /** Settings of backends that have no section here, by type; each backend parses its own. */
  backends: z.record(z.string(), z.unknown()).optional(),
  /** The chain's ExpressRouter; it swaps on the chain's exchange, if there is one. */
  express: z
    .object({
      router: EvmAddress,
      /** The most of the native asset that the keeper pays for giving one transfer back from here. */
      returnGasCap: PositiveAmountText,
      /** How long a delivery here must fail before the keeper gives the transfer back. */
      patienceSeconds: z.int().min(0).max(86_400).default(60),
      /**
       * For the first `seconds` after the quote, only `executor` may deliver here, on routes that executors serve. Without
       * it, any account may deliver at once.
       */
      priority: z.object({ executor: EvmAddress, seconds: z.int().min(1).max(540) }).optional(),
      /**
       * Who delivers here before the source is final: `axelar` after its operator has onboarded the router, `own` for the
       * operator's `rfq executor`, else `none`. Executors deliver the tokens that have a `gateway.expressCap`; Axelar's all.
       */
      executor: z.enum(['none', 'axelar', 'own']).default('none'),
      /** How long the operator's own executor takes, from inclusion on the slowest source to delivery here. */
      executorSeconds: z.int().min(1).max(3_600).default(20),
    })
    .optional(),
})

/** A chain in the operator's configuration. */
export const NetworkChain = ChainMembers.superRefine((chain, context) => {
  if (chain.deliveryFinality !== undefined && chain.chainType !== 'evm')
    context.addIssue({ code: 'custom', path: ['deliveryFinality'], message: 'expected on EVM chains only' })
  checkBrowserNode(chain, context)
  for (const member of ['intent', 'attested', 'express'] as const)
    if (chain.gasScale !== undefined && chain[member] !== undefined)
      context.addIssue({
        code: 'custom',
        path: [member],
        message: 'expected none on a chain with a gasScale',
      })
  checkScales(chain, context)
  for (const member of ['rpcHeaders', 'rpcCallsPerMinute'] as const)
    for (const url of Object.keys(chain[member] ?? {}))
      if (!chain.rpcUrls.includes(url))
        context.addIssue({ code: 'custom', path: [member], message: 'a URL is not one of rpcUrls' })
})
export type NetworkChain = z.infer<typeof NetworkChain>

/** A token in the operator's configuration: its identity, and its identifier in each protocol. */
export const NetworkToken = Token.extend({
  /** The token rejects a new allowance while the old one is not zero. */
  resetsAllowance: z.boolean().default(false),
  /** Whether the token is one that Axelar brought to a chain where another has, or may have, its own name; quotes to it warn. */
  bridged: z.boolean().optional(),
  its: InterchainIdentity.optional(),
  gateway: z
    .object({
      denom: z.string().min(1),
      symbol: z.string().min(1),
      /**
       * The most of it that express executors deliver on this chain per message. Absent: Axelar's deliver without a limit, the
       * operator's own not at all.
       */
      expressCap: PositiveAmountText.optional(),
    })
    .optional(),
  /** Whether solvers may quote the token. */
  intent: z.boolean().default(false),
  /** The name and version of the token's EIP-712 domain, and the standards by which its owner may pay by a signature. */
  signatures: z
    .object({
      name: z.string().min(1).max(100),
      version: z.string().min(1).max(20),
      methods: z.array(z.enum(['erc3009', 'erc2612'])).min(1),
    })
    .optional(),
  /** The program that owns a Solana mint; `token` by default. */
  splProgram: z.enum(['token', 'token-2022']).optional(),
  /** Feeds of its price on EVM chains of this network. */
  priceFeeds: z.array(OnChainFeed).max(4).optional(),
  /** Fixed price of one whole token in USD, decimal text; it takes the place of all others. */
  usdPrice: Decimal.optional(),
})
export type NetworkToken = z.infer<typeof NetworkToken>

/**
 * The solvers that may quote intents, and how long quotes and orders bind everybody: in total less than the 30 days
 * that a settler keeps an escrow.
 */
export const IntentTerms = z.object({
  /** The solvers that may log in; `address` signs their login and is named in their orders. */
  solvers: z
    .array(
      z.object({
        name: z.string().min(1),
        address: EvmAddress,
        /** The solver's accounts for fills and repayments on the chains of other families. */
        accounts: z.object({ solana: z.string().optional(), stellar: z.string().optional() }).optional(),
      }),
    )
    .min(1),
  /**
   * The address whose signature releases escrows for fills on Solana and Stellar; without it such intents are not
   * quoted.
   */
  attester: EvmAddress.optional(),
  /** Where solvers hand their fills over to the attester; its base URL. */
  attesterUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** How long after a quote's expiry a deposit started in time may still be completed on a payment chain. */
  depositGraceSeconds: z.int().min(0).max(600).default(60),
  /** How long after a quote a deposit is accepted. */
  quoteLifetimeSeconds: z.int().min(5).max(600).default(60),
  /** How long after `quoteLifetimeSeconds` the solver may still fill. */
  fillWindowSeconds: z.int().min(5).max(86_400).default(600),
  /** How long after the fill window a refund can be triggered; at least the settlers' proof window. */
  refundDelaySeconds: z.int().min(1).max(2_500_000).default(7_200),
  /**
   * How much better than the reference prices a solver's offer may be, in bps; one that is better still is not shown.
   * Without it, and without a reference price of both assets, every offer is shown.
   */
  maximumAdvantageBps: z.int().min(1).max(100_000).optional(),
})
export type IntentTerms = z.infer<typeof IntentTerms>

/** The chains of sandboxes: signatures for them are worthless elsewhere, and their time can be moved. */
const SANDBOX_CHAINS: ReadonlySet<string> = new Set([
  'eip155:31337',
  'eip155:31338',
  'eip155:31339',
  'solana:Bpu1Qr4aSCoq95PsfUXjxLBPQwLpWpqN',
  'stellar:sandbox',
])

const refuseRealChains = (
  {
    sandboxClock,
    chains,
  }: { readonly sandboxClock?: string | undefined; readonly chains: readonly NetworkChain[] },
  context: z.RefinementCtx,
): void => {
  const real = chains.find(({ chainId }) => !SANDBOX_CHAINS.has(chainId))
  if (sandboxClock === undefined || real === undefined) return
  const message = `only a network of sandbox chains may have one, and ${real.chainId} is none`
  context.addIssue({ code: 'custom', path: ['sandboxClock'], message })
}

/** One address, or several of servers that answer alike. */
const Urls = z.union([z.url(), z.array(z.url()).min(1)])

/** The network configuration of the service; the sandbox writes one too. */
export const Network = z
  .object({
    /** The service's name, which solvers sign; its host name is a good choice. */
    name: printableText(200).default('OpenRFQ'),
    chains: z.array(NetworkChain).min(1),
    tokens: z.array(NetworkToken),
    axelar: z
      .object({
        /** Base URL of the Axelarscan API, or several in order of preference: `/gmp/<method>` is appended. */
        scanUrl: Urls,
        /** Base URL of Axelar's REST node (LCD), or several. The service asks it what axelar-core, the router and the hub carry. */
        lcdUrl: Urls,
        hubChain: z.string().min(1).default('axelar'),
        hubAddress: z.string().min(1),
        /**
         * Axelar's router, and the gateway before the hub. Without both `its` is not quoted; without the router no intent between EVM
         * chains is quoted if one is an amplifier chain.
         */
        routerAddress: z.string().min(1).optional(),
        gatewayAddress: z.string().min(1).optional(),
        /** Multiplier on gas fees in basis points: 12000 pays 1.2 times. */
        gasMarginBps: z.int().min(10_000).default(12_000),
      })
      .optional(),
    intent: IntentTerms.optional(),
    /** Where prices come from; without it only fixed ones and feeds on chain, which no other need confirm. */
    prices: PriceSettings.optional(),
    /** The clock that a sandbox moves together with its chains. */
    sandboxClock: z.url({ protocol: /^http$/ }).optional(),
  })
  .superRefine(refuseRealChains)
export type Network = z.infer<typeof Network>
