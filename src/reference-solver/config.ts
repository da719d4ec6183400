import { z } from 'zod'
import { Network } from '../core/network.ts'

const Decimal = z.string().regex(/^[0-9]{1,12}(\.[0-9]{1,18})?$/, 'expected a decimal such as "1.5"')
const PrivateKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'expected 32 bytes as hex')

/** How the solver prices; the sum of the three spreads is what it keeps of every output, in basis points. */
export const Strategy = z.strictObject({
  spreadBps: z.int().min(0).max(1_000).default(10),
  /** Added always: what prices may move while a quote stands. */
  volatilityBps: z.int().min(0).max(1_000).default(5),
  /** Added in full to an output that takes the whole inventory, and in proportion to smaller ones. */
  sizeSpreadBps: z.int().min(0).max(2_000).default(50),
  /** The share of an asset's free inventory that one order may take. */
  maximumShareBps: z.int().min(1).max(10_000).default(2_500),
  /** The smallest output quoted. */
  minimumUsd: Decimal.default('1'),
  /** Taken from every output for the gas of a fill and its proof. */
  fixedCostUsd: Decimal.default('0'),
  validForMs: z.int().min(1_000).max(60_000).default(5_000),
  /** Below this an asset is reported as one to be refilled. */
  lowInventoryUsd: Decimal.default('100'),
  /** Whole native tokens kept for gas on every chain. */
  gasReserve: Decimal.default('0.1'),
})
export type Strategy = z.infer<typeof Strategy>

/** When a deposit is trusted, and how a fill is proved. */
export const Settlement = z.strictObject({
  /**
   * Deposits worth at most `upToUsd` are filled once `blocks` blocks are on top of them; the first tier that fits counts.
   * A deposit that fits none is filled when it is final.
   */
  confirmations: z
    .array(z.strictObject({ upToUsd: Decimal, blocks: z.int().min(0).max(1_000) }))
    .max(16)
    .default([]),
  /** No fill is sent when less than this is left until the fill deadline. */
  fillMarginSeconds: z.int().min(0).max(3_600).default(10),
  batchSize: z.int().min(1).max(32).default(32),
  /** How long a proof waits for more fills of the same origin. */
  batchWaitMs: z.int().min(0).max(3_600_000).default(2_000),
  /** After this a proof that did not arrive is sent again. */
  proofStallSeconds: z.int().min(10).max(86_400).default(3_600),
  /**
   * Gas that executing a proof on the origin chain is paid for: once, and for each order in it. The settler insists on
   * 404,761 left before each repayment. Source: contracts/intent/Payments.sol.
   */
  proofGas: z.int().min(21_000).default(550_000),
  proofGasPerOrder: z.int().min(21_000).default(80_000),
})
export type Settlement = z.infer<typeof Settlement>

/** The configuration file of the reference solver. Source: docs/running-a-solver.md. */
export const SolverConfig = z
  .strictObject({
    /** The service's WebSocket address, path included. */
    serviceUrl: z.url({ protocol: /^wss?$/ }),
    /** What the service has to call itself; without it any name is taken. */
    serviceName: z.string().min(1).optional(),
    name: z.string().regex(/^[\x20-\x7e]{1,100}$/),
    /** Where the solver keeps its database. */
    dataDirectory: z.string().min(1),
    privateKey: PrivateKey.optional(),
    network: Network,
    strategy: Strategy.prefault({}),
    settlement: Settlement.prefault({}),
  })
  .refine(({ network }) => network.axelar !== undefined, {
    path: ['network', 'axelar'],
    message: 'fills are proved through Axelar, so its addresses are needed',
  })
export type SolverConfig = z.infer<typeof SolverConfig>

/** The configuration with the key that signs for the solver. */
export type KeyedSolverConfig = SolverConfig & { readonly privateKey: `0x${string}` }

/**
 * Reads a configuration; `environmentKey` (RFQ_SOLVER_KEY) goes before the file's own key. Throws an Error that says what
 * is wrong, and never shows a key.
 */
export const readSolverConfig = (text: string, environmentKey: string | undefined): KeyedSolverConfig => {
  const parsed = SolverConfig.safeParse(parseJson(text))
  if (!parsed.success)
    throw new Error(`the solver's configuration is wrong:\n${z.prettifyError(parsed.error)}`)
  const key = PrivateKey.safeParse(environmentKey ?? parsed.data.privateKey)
  if (!key.success)
    throw new Error('no private key: expected 32 bytes as hex in RFQ_SOLVER_KEY or "privateKey"')
  // CAST: the pattern begins with 0x.
  return { ...parsed.data, privateKey: key.data as `0x${string}` }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error("the solver's configuration is not JSON", { cause })
  }
}
