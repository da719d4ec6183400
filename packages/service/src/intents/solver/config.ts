import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { parseSolanaSecret } from '../../chains/solana/secret-key.ts'
import { accountOfSecret } from '../../chains/stellar/secret-account.ts'
import { ConfigError } from '../../core/config-error.ts'
import { Decimal } from '../../core/decimal-text.ts'
import { EvmPrivateKey } from '../../core/evm-private-key.ts'
import { Network } from '../../core/network.ts'
import { printableText } from '../../core/printable-text.ts'
import { parseKeyedConfig, parseSecretJson } from '../../core/process-config.ts'

const Secret = z.string().regex(/^[0-9A-Za-z]{1,128}$/, 'expected a secret')

/** The solver's pricing; the sum of the three spreads is its margin on every output, in basis points. */
export const Strategy = z.strictObject({
  spreadBps: z.int().min(0).max(1_000).default(10),
  /** Always added, for price changes during a quote's validity. */
  volatilityBps: z.int().min(0).max(1_000).default(5),
  /** Added in full to an output that takes the whole inventory, and proportionally to smaller ones. */
  sizeSpreadBps: z.int().min(0).max(2_000).default(50),
  /** The share of an asset's free inventory that one order may take. */
  maximumShareBps: z.int().min(1).max(10_000).default(2_500),
  /** The smallest output quoted. */
  minimumUsd: Decimal.default('1'),
  /** The share of what an order costs at present gas prices that is deducted from every output. */
  costsBps: z.int().min(0).max(20_000).default(10_000),
  /** Deducted from every output, beside those costs. */
  fixedCostUsd: Decimal.default('0'),
  /** The margin on an order that another solver did not fill, beside what its fill costs then; the size spread is added. */
  takeoverSpreadBps: z.int().min(0).max(1_000).default(5),
  validForMs: z.int().min(1_000).max(60_000).default(5_000),
  /** An asset below this value is reported as low. */
  lowInventoryUsd: Decimal.default('100'),
  /** Whole native tokens reserved for gas on every chain. */
  gasReserve: Decimal.default('0.1'),
})
export type Strategy = z.infer<typeof Strategy>

/** When a deposit is trusted, and how fills are proven. */
export const Settlement = z.strictObject({
  /**
   * Deposits worth at most `upToUsd` are filled after `blocks` confirmations; the first matching tier applies. A
   * deposit above all tiers is filled when it is final.
   */
  confirmations: z
    .array(z.strictObject({ upToUsd: Decimal, blocks: z.int().min(0).max(1_000) }))
    .max(16)
    .default([]),
  /** No fill is sent with less time left until the fill deadline. */
  fillMarginSeconds: z.int().min(0).max(3_600).default(10),
  /** The most fills that one proof holds. */
  batchSize: z.int().min(1).max(100).default(100),
  /** How long a proof waits for more fills of the same origin in any case. */
  batchWaitMs: z.int().min(0).max(3_600_000).default(2_000),
  /** How long it waits for so many that it pays (`batchCostBps`); less near an order's `refundAfter`. */
  proofWaitMs: z.int().min(0).max(3_600_000).default(600_000),
  /** A proof or claim pays if it costs at most this share of what it repays. */
  batchCostBps: z.int().min(0).max(10_000).default(5),
  /** A proof that has not arrived after this time is sent again. */
  proofStallSeconds: z.int().min(10).max(86_400).default(3_600),
  /**
   * Gas paid for executing a proof on the origin chain: a base amount, and an amount per order. Source:
   * docs/decisions/0040.
   */
  proofGas: z.int().min(21_000).default(60_000),
  proofGasPerOrder: z.int().min(5_000).default(15_000),
  /** The most repayments that one claim collects. */
  claimSize: z.int().min(1).max(100).default(32),
  /** How long a claim waits for so many repayments of the same token that it pays; `batchWaitMs` in any case. */
  claimWaitMs: z.int().min(0).max(86_400_000).default(600_000),
})
export type Settlement = z.infer<typeof Settlement>

/** The reference solver's configuration file. Source: docs/running-a-solver.md. */
export const SolverConfig = z
  .strictObject({
    /** The service's WebSocket URL, path included. */
    serviceUrl: z.url({ protocol: /^wss?$/ }),
    /** The expected name of the service; any name is accepted without it. */
    serviceName: z.string().min(1).optional(),
    name: printableText(100),
    /** The folder of the solver's database. */
    dataDirectory: z.string().min(1),
    privateKey: EvmPrivateKey.optional(),
    /** Secrets for the payment chains: base58 of 64 bytes on Solana, S… on Stellar. */
    accounts: z.strictObject({ solana: Secret.optional(), stellar: Secret.optional() }).prefault({}),
    network: Network,
    strategy: Strategy.prefault({}),
    settlement: Settlement.prefault({}),
  })
  .refine(({ network }) => network.axelar !== undefined, {
    path: ['network', 'axelar'],
    message: 'fills are proved through Axelar, so its addresses are needed',
  })
export type SolverConfig = z.infer<typeof SolverConfig>

/** An account on the chains of a family, and its secret. */
type PaymentAccount = { readonly address: string; readonly secret: string }

/** The accounts on payment chains; a family without one is not served. */
export type PaymentAccounts = Partial<Readonly<Record<'solana' | 'stellar', PaymentAccount>>>

/** The configuration with the solver's keys. */
export type KeyedSolverConfig = Omit<SolverConfig, 'accounts' | 'privateKey'> & {
  readonly privateKey: EvmPrivateKey
  readonly accounts: PaymentAccounts
}

/** Secrets from the environment, which take precedence over those in the file. */
export type SolverSecrets = {
  /** RFQ_SOLVER_KEY. */
  readonly evm?: string | undefined
  /** RFQ_SOLVER_SOLANA_KEY. */
  readonly solana?: string | undefined
  /** RFQ_SOLVER_STELLAR_KEY. */
  readonly stellar?: string | undefined
}

const ADDRESS_OF = {
  solana: (secret: string) => parseSolanaSecret(secret).address,
  stellar: accountOfSecret,
} as const

const addressOf = (family: 'solana' | 'stellar', secret: string): string => {
  try {
    return ADDRESS_OF[family](secret)
  } catch (cause) {
    // The message of the cause contains no secret.
    throw new ConfigError(`accounts.${family} is no secret of the family`, { cause })
  }
}

/** The family's account, which must be the one that orders name. */
const accountOf = (
  family: 'solana' | 'stellar',
  secret: string | undefined,
  { network, evmAddress }: { readonly network: Network; readonly evmAddress: string },
): PaymentAccounts => {
  if (secret === undefined) return {}
  const address = addressOf(family, secret)
  const named = network.intent?.solvers.find((one) => one.address.toLowerCase() === evmAddress.toLowerCase())
  const expected = named?.accounts?.[family]
  if (expected !== address)
    throw new ConfigError(
      `accounts.${family} signs for ${address}, but network.intent.solvers names ${expected ?? 'none'} for ${evmAddress}`,
    )
  return { [family]: { address, secret } }
}

/** Why the network is invalid for a solver, or undefined. */
const whyUnfit = ({ chains, intent }: Network): string | undefined => {
  const ledger = chains.find(({ chainType, attested }) => chainType !== 'evm' && attested !== undefined)
  return ledger === undefined || intent?.attester === undefined || intent.attesterUrl !== undefined
    ? undefined
    : `network.intent.attesterUrl: expected where the fills of orders from and to ${ledger.chainId} are handed over`
}

/**
 * Parses a configuration; secrets from the environment take precedence over those in the file. Throws ConfigError that
 * names the problem and never contains a secret.
 */
export const readSolverConfig = (text: string, environment: SolverSecrets): KeyedSolverConfig => {
  const subject = "the solver's configuration"
  const named = { subject, key: environment.evm, variable: 'RFQ_SOLVER_KEY' }
  const config = parseKeyedConfig(parseSecretJson(text, subject), SolverConfig, named)
  const { accounts, network, privateKey } = config
  const why = whyUnfit(network)
  if (why !== undefined) throw new ConfigError(`${subject} is wrong:\n${why}`)
  const owner = { network, evmAddress: privateKeyToAccount(privateKey).address }
  return {
    ...config,
    accounts: {
      ...accountOf('solana', environment.solana ?? accounts.solana, owner),
      ...accountOf('stellar', environment.stellar ?? accounts.stellar, owner),
    },
  }
}
