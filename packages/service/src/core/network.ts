import { Chain, Token } from '@openrfq/sdk'
import { z } from 'zod'

const EvmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const Bytes32 = z.string().regex(/^0x[0-9a-f]{64}$/)
/** Base units as decimal text, more than zero. */
const Units = z.string().regex(/^[1-9][0-9]{0,77}$/, 'expected a positive integer in base units, as text')

/** Where Axelar lives on a chain; `name` is the case-exact registered chain name. */
export const AxelarDeployment = z.object({
  name: z.string().min(1),
  gateway: EvmAddress,
  gasService: EvmAddress,
  its: EvmAddress.optional(),
  /** Whole seconds from inclusion until Axelar confirms a message of this chain. */
  finalitySeconds: z.int().min(0),
  /** Gas that executing a message on this chain is paid for. */
  executeGasLimit: z.int().positive(),
  /** What the hub allows on this chain: bits of the largest amount, and decimals kept when it truncates. */
  maxUintBits: z.int().positive().default(256),
  maxDecimalsWhenTruncating: z.int().min(0).default(255),
})
export type AxelarDeployment = z.infer<typeof AxelarDeployment>

/** A pool of a Uniswap v3 exchange. */
export const ExchangePool = z
  .object({
    address: EvmAddress,
    /** The lower of the two tokens' addresses. */
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

/** The Uniswap v3 exchange that swaps go through on a chain, and the pools that may be used there. */
export const Exchange = z.object({
  /** SwapRouter of v3-periphery. */
  router: EvmAddress,
  factory: EvmAddress,
  /** TickLens of v3-periphery, through which the pools' liquidity is read. */
  tickLens: EvmAddress,
  /** QuoterV2; nothing depends on it. */
  quoter: EvmAddress.optional(),
  /** The native asset as a token, as the router wraps it. */
  wrappedNative: EvmAddress,
  pools: z.array(ExchangePool).max(256),
})
export type Exchange = z.infer<typeof Exchange>

/** A chain as the operator configures it. */
export const NetworkChain = Chain.extend({
  rpcUrls: z.array(z.url()).min(1),
  /** Blocks on top of a block after which it counts as final; `finalized` trusts the node's tag instead. */
  finality: z.union([z.literal('finalized'), z.int().min(0)]),
  axelar: AxelarDeployment.optional(),
  /** The chain's IntentSettler; without one the chain has no intents. */
  intent: z.object({ settler: EvmAddress }).optional(),
  /**
   * What intents between the chain and other families need: `settler` is the AttestedSettler contract of an EVM chain,
   * or the operator's vault account on a ledger. `finalitySeconds`: whole seconds until a solver may rely on a deposit.
   */
  attested: z
    .object({
      settler: z.string().min(1),
      finalitySeconds: z.int().min(0),
      /** Accounts of the operator that fund a vault: what they pay is no deposit. */
      treasury: z.array(z.string().min(1)).optional(),
    })
    .optional(),
  /** Of a Stellar network: what its signatures are bound to. */
  passphrase: z.string().min(1).optional(),
  /** Where tokens are swapped on the chain; without one nothing is. */
  exchange: Exchange.optional(),
  /** The chain's ExpressRouter; it swaps on the chain's exchange. */
  express: z
    .object({
      router: EvmAddress,
      /** The most of the native asset that the keeper pays for the way back of one transfer whose delivery failed here. */
      returnGasCap: Units,
    })
    .optional(),
})
export type NetworkChain = z.infer<typeof NetworkChain>

/** A token as the operator configures it: identity and what each protocol calls it. */
export const NetworkToken = Token.extend({
  /** The token refuses a new allowance while an old one is not zero. */
  resetsAllowance: z.boolean().default(false),
  its: z.object({ tokenId: Bytes32 }).optional(),
  gateway: z
    .object({
      denom: z.string().min(1),
      symbol: z.string().min(1),
      /** The most that Axelar's express executors deliver of it on this chain in one message; absent is unlimited. */
      expressCap: Units.optional(),
    })
    .optional(),
  /** Whether solvers may quote the token. */
  intent: z.boolean().default(false),
  /** The classic asset behind a Stellar token's contract address; the native asset has none. */
  stellar: z.object({ code: z.string().regex(/^[0-9A-Za-z]{1,12}$/), issuer: z.string().min(1) }).optional(),
  /** The program that owns a Solana mint; `token` when left out. */
  splProgram: z.enum(['token', 'token-2022']).optional(),
  /** Fixed price of one whole token in USD, decimal text. */
  usdPrice: z
    .string()
    .regex(/^[0-9]{1,12}(\.[0-9]{1,18})?$/)
    .optional(),
})
export type NetworkToken = z.infer<typeof NetworkToken>

/**
 * Who may quote intents, and for how long everybody is bound: together less than the 30 days that a settler keeps an
 * escrow.
 */
export const IntentTerms = z.object({
  /** The solvers that may log in; `address` signs their login and is named in their orders. */
  solvers: z
    .array(
      z.object({
        name: z.string().min(1),
        address: EvmAddress,
        /** Where the solver pays from and is repaid on the chains of other families. */
        accounts: z.object({ solana: z.string().optional(), stellar: z.string().optional() }).optional(),
      }),
    )
    .min(1),
  /** Whose signature releases escrows against fills on Solana and Stellar; without it such intents are not quoted. */
  attester: EvmAddress.optional(),
  /** How long after a quote's expiry a deposit that was begun in time may still be completed on a ledger. */
  depositGraceSeconds: z.int().min(0).max(600).default(60),
  /** How long a quote may be deposited for. */
  quoteLifetimeSeconds: z.int().min(5).max(600).default(60),
  /** How long after that the solver may still fill. */
  fillWindowSeconds: z.int().min(5).max(86_400).default(600),
  /** How long after the fill window anybody may refund; at least the settlers' proof window. */
  refundDelaySeconds: z.int().min(1).max(2_500_000).default(7_200),
})
export type IntentTerms = z.infer<typeof IntentTerms>

/** All that the service knows of the world outside: what the sandbox writes and an operator configures. */
export const Network = z.object({
  /** What the service calls itself to solvers, who sign it; its host name serves best. */
  name: z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'expected 1 to 200 printable ASCII characters')
    .default('OpenRFQ'),
  chains: z.array(NetworkChain).min(1),
  tokens: z.array(NetworkToken),
  axelar: z
    .object({
      /** Base address of the Axelarscan API: `/gmp/<method>` and `/api/<method>` are appended. */
      scanUrl: z.url(),
      /** Base address of Axelar's REST node (LCD), for transfer fees. */
      lcdUrl: z.url(),
      hubChain: z.string().min(1).default('axelar'),
      hubAddress: z.string().min(1),
      /** Margin on computed gas, in basis points of it: 12000 pays 1.2 times. */
      gasMarginBps: z.int().min(10_000).default(12_000),
    })
    .optional(),
  intent: IntentTerms.optional(),
})
export type Network = z.infer<typeof Network>
