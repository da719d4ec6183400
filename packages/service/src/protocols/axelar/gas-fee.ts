import { z } from 'zod'
import { type BaseUnits, baseUnits, mulDivUp } from '../../core/amount.ts'
import { parseUnitsCeil } from '../../core/decimal.ts'
import type { RollupCharge } from './execution-data.ts'

const FRACTION_DIGITS = 36
const ONE = 10n ** BigInt(FRACTION_DIGITS)
const BPS = 10_000n
const MILLION = 1_000_000n

/** Gas paid for execution on the hub. */
export const HUB_GAS_LIMIT = 400_000n

const decimal = z.union([z.string(), z.number()])

/** `result` of Axelarscan's `getFees` for one hop; amounts are whole tokens as decimals. */
export const HopFeesRecord = z.object({
  base_fee: decimal.nullish(),
  source_base_fee_string: z.string().nullish(),
  express_supported: z.boolean().nullish(),
  express_fee_string: z.string().nullish(),
  express_fee: decimal.nullish(),
  source_express_fee: z.object({ total: decimal.nullish() }).nullish(),
  execute_gas_multiplier: decimal.nullish(),
  source_token: z.object({
    decimals: z.int().min(6).max(24),
    gas_price: decimal,
    token_price: z.object({ usd: decimal }).nullish(),
  }),
  destination_native_token: z
    .object({
      decimals: z.int().min(6).max(24).nullish(),
      token_price: z.object({ usd: decimal.nullish() }).nullish(),
    })
    .nullish(),
})
type HopFeesRecord = z.infer<typeof HopFeesRecord>

/** The cost of one hop in its source chain's native token; numbers are scaled by 10^36, rounded up. */
export type HopFees = {
  readonly baseFee: bigint
  /** The additional fee of an express executor; undefined if none serves the hop. */
  readonly expressFee?: bigint
  /** The price of one unit of gas on the destination. */
  readonly gasPrice: bigint
  /** Multiplier of the execution gas, at least 1. */
  readonly multiplier: bigint
  /** USD per whole source token; undefined if unknown. */
  readonly sourceUsd: bigint | undefined
  readonly sourceDecimals: number
  /** USD per whole native token of the destination, and its decimals; undefined if unknown. */
  readonly destination?: { readonly usd: bigint; readonly decimals: number } | undefined
  /** What the destination charges for an execution beside its gas, as for its data on the chain below; absent for nothing. */
  readonly rollupFee?: bigint
}

const scaled = (value: string | number | null | undefined): bigint | undefined =>
  value === null || value === undefined ? undefined : parseUnitsCeil(String(value), FRACTION_DIGITS)

/** Above every fee, gas price and price of a native asset, and below what would not fit an amount. */
const MOST = 10n ** 7n * ONE
/** A native asset costs more, in USD. */
const LEAST_USD = ONE / 10n ** 7n
const MOST_MULTIPLIER = 1_000n * ONE

const atMost = (value: bigint | undefined, most: bigint): bigint | undefined =>
  value !== undefined && value <= most ? value : undefined

/** A price in USD; undefined for none, and for one that cannot be. */
const usdOf = (
  price: { readonly usd?: string | number | null | undefined } | null | undefined,
): bigint | undefined => {
  const usd = atMost(scaled(price?.usd), MOST)
  return usd !== undefined && usd >= LEAST_USD ? usd : undefined
}

/**
 * Parses a record into exact numbers; undefined if its base fee, gas price or multiplier is no decimal or cannot be, or if the relay would
 * be free. An express fee or a price that cannot be is unknown.
 */
export const toHopFees = (record: HopFeesRecord): HopFees | undefined => {
  const baseFee = atMost(scaled(record.source_base_fee_string ?? record.base_fee), MOST)
  const gasPrice = atMost(scaled(record.source_token.gas_price), MOST)
  const multiplier = atMost(scaled(record.execute_gas_multiplier ?? 1), MOST_MULTIPLIER)
  if (baseFee === undefined || gasPrice === undefined || multiplier === undefined) return undefined
  // No relay is free: a message that pays nothing is not relayed.
  if (baseFee === 0n && gasPrice === 0n) return undefined
  const named = record.express_fee_string ?? record.express_fee ?? record.source_express_fee?.total
  const expressFee = atMost(scaled(record.express_supported === true ? named : undefined), MOST)
  return {
    baseFee,
    // An executor delivers early for a fee only.
    ...(expressFee === undefined || expressFee === 0n ? {} : { expressFee }),
    gasPrice,
    multiplier: multiplier > ONE ? multiplier : ONE,
    sourceUsd: usdOf(record.source_token.token_price),
    sourceDecimals: record.source_token.decimals,
    destination: destinationOf(record),
  }
}

const NATIVE_DECIMALS = 18

const destinationOf = ({ destination_native_token: native }: HopFeesRecord): HopFees['destination'] => {
  const usd = usdOf(native?.token_price)
  return usd === undefined ? undefined : { usd, decimals: native?.decimals ?? NATIVE_DECIMALS }
}

/**
 * The hop with what its destination charges for an execution beside gas; undefined if a price is missing that turns it into
 * source tokens. Source: Axelar SDK `estimateGasFee`, its L1 and operator execution fees.
 */
export const withRollupCharge = (
  hop: HopFees,
  { once, perMillionGas }: RollupCharge,
): HopFees | undefined => {
  if (once === 0n && perMillionGas === 0n) return hop
  const { sourceUsd, destination } = hop
  if (sourceUsd === undefined || destination === undefined) return undefined
  const unit = 10n ** BigInt(destination.decimals)
  const inSource = (wei: bigint, parts: bigint): bigint =>
    mulDivUp(mulDivUp(wei, ONE, unit * parts), destination.usd, sourceUsd)
  return {
    ...hop,
    gasPrice: hop.gasPrice + inSource(perMillionGas, MILLION),
    rollupFee: inSource(once, 1n),
  }
}

/** The cost of one hop in whole source tokens, scaled by 10^36, rounded up. */
const hopCost = (hop: HopFees, gasLimit: bigint): bigint =>
  hop.baseFee + mulDivUp(hop.gasPrice * gasLimit + (hop.rollupFee ?? 0n), hop.multiplier, ONE)

/** The two hops of an interchain transfer: from the source to the hub, from the hub to the destination. */
export type TransferHops = { readonly toHub: HopFees; readonly fromHub: HopFees }

/**
 * The relay cost of an interchain transfer, in base units of the source's native token, rounded up. The second hop is
 * priced in the hub's token and converted by the USD prices of the fee data; undefined if one is missing. `marginBps`
 * multiplies the sum: 12000 pays 1.2 times. Source: Axelar SDK `estimateGasFee`, once per hop.
 */
export const transferGasFee = (
  hops: TransferHops,
  destinationGasLimit: bigint,
  marginBps: number,
): BaseUnits | undefined => {
  const { toHub, fromHub } = hops
  if (toHub.sourceUsd === undefined || fromHub.sourceUsd === undefined) return undefined
  const second = mulDivUp(hopCost(fromHub, destinationGasLimit), fromHub.sourceUsd, toHub.sourceUsd)
  const cost = hopCost(toHub, HUB_GAS_LIMIT) + second
  const nativeUnits = 10n ** BigInt(toHub.sourceDecimals)
  return baseUnits(mulDivUp(cost * BigInt(marginBps), nativeUnits, BPS * ONE))
}

/**
 * The cost of relaying one message and executing it with `gasLimit`, in base units of the source's native token,
 * rounded up. `marginBps` multiplies it: 12000 pays 1.2 times. Source: Axelar SDK `estimateGasFee`.
 */
export const messageGasFee = (hop: HopFees, gasLimit: bigint, marginBps: number): BaseUnits =>
  baseUnits(
    mulDivUp(hopCost(hop, gasLimit) * BigInt(marginBps), 10n ** BigInt(hop.sourceDecimals), BPS * ONE),
  )
