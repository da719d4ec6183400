import { formatUnits, parseUnits } from 'viem'
import { HUB } from '../deployment-types.ts'

/** The cost of relaying to a chain; prices are fixed, because the sandbox has no gas market. */
export type ChainGas = {
  readonly nativeName: string
  readonly nativeSymbol: string
  readonly nativeDecimals: number
  /** Price of one whole native token in USD, decimal text with at most 18 fraction digits. */
  readonly nativeUsd: string
  /** Base units of the native token per unit of gas. */
  readonly gasPrice: bigint
  /** The gas limit that a message's execution is charged for. */
  readonly executeGasLimit: bigint
  /** Axelar's fee for confirming and approving a message to the chain, in USD as decimal text. */
  readonly baseFeeUsd: string
  /**
   * The express executor's fee for a delivery to the chain, in USD as decimal text; absent when it does not serve the
   * chain.
   */
  readonly expressFeeUsd?: string
}

/** Gas data of all chains and the hub, by Axelar name; shared by the relayer and the Axelarscan answers. */
export type RelayGas = Readonly<Record<string, ChainGas>>

/** The cost of one hop in base units of the paying chain, each part rounded down so that rounding stalls no message. */
export type HopFee = {
  readonly baseFee: bigint
  readonly executionFee: bigint
  /** Undefined when no express executor serves the hop. */
  readonly expressFee: bigint | undefined
}

const USD_DECIMALS = 18
/** Fraction digits of a gas price in whole tokens, enough for one base unit of another token. */
const PRICE_DECIMALS = 36

const SANDBOX_CHAIN: ChainGas = {
  nativeName: 'Ether',
  nativeSymbol: 'ETH',
  nativeDecimals: 18,
  nativeUsd: '2500.5',
  gasPrice: 1_000_000_000n,
  executeGasLimit: 700_000n,
  baseFeeUsd: '0.25',
  expressFeeUsd: '0.1',
}

const SANDBOX_HUB: ChainGas = {
  nativeName: 'Axelar',
  nativeSymbol: 'AXL',
  nativeDecimals: 6,
  nativeUsd: '0.5',
  gasPrice: 1n,
  executeGasLimit: 400_000n,
  baseFeeUsd: '0.02',
}

/** Solana, whose senders pay in lamports. */
const SANDBOX_SOLANA: ChainGas = {
  ...SANDBOX_CHAIN,
  nativeName: 'Solana',
  nativeSymbol: 'SOL',
  nativeDecimals: 9,
  nativeUsd: '150',
  gasPrice: 1n,
}

/** Gas data for sandbox chains; all but Solana, by its name, have ETH as their native token. */
export const sandboxGas = (axelarNames: readonly string[], solanaName?: string): RelayGas =>
  Object.fromEntries([
    ...axelarNames.map((name) => [name, name === solanaName ? SANDBOX_SOLANA : SANDBOX_CHAIN]),
    [HUB.chain, SANDBOX_HUB],
  ])

const ceilDiv = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

const usdOf = (chain: ChainGas): bigint => parseUnits(chain.nativeUsd, USD_DECIMALS)

/** The price on `source` of a hop to `destination`; `gasLimit` replaces the destination's default. */
export const hopFee = (source: ChainGas, destination: ChainGas, gasLimit?: bigint): HopFee => {
  const oneSource = 10n ** BigInt(source.nativeDecimals)
  const oneDestination = 10n ** BigInt(destination.nativeDecimals)
  const gasCost = (gasLimit ?? destination.executeGasLimit) * destination.gasPrice
  return {
    baseFee: (parseUnits(destination.baseFeeUsd, USD_DECIMALS) * oneSource) / usdOf(source),
    expressFee:
      destination.expressFeeUsd === undefined
        ? undefined
        : (parseUnits(destination.expressFeeUsd, USD_DECIMALS) * oneSource) / usdOf(source),
    executionFee: (gasCost * usdOf(destination) * oneSource) / (usdOf(source) * oneDestination),
  }
}

/** The number as Axelarscan writes it; only the decimal texts beside it are exact. */
const approximate = (text: string): number => Number(text)

const nativeToken = (chain: ChainGas, gasPrice: string) => ({
  contract_address: '0x0000000000000000000000000000000000000000',
  symbol: chain.nativeSymbol,
  name: chain.nativeName,
  decimals: chain.nativeDecimals,
  token_price: { usd: approximate(chain.nativeUsd) },
  gas_price: gasPrice,
})

const wholeGasPrice = (source: ChainGas, destination: ChainGas): string => {
  const scaled = destination.gasPrice * 10n ** BigInt(PRICE_DECIMALS - destination.nativeDecimals)
  return formatUnits(ceilDiv(scaled * usdOf(destination), usdOf(source)), PRICE_DECIMALS)
}

/** USD in whole native tokens of the paying chain, rounded up. */
const wholeOf = (source: ChainGas, usd: string): string => {
  const dividend = parseUnits(usd, USD_DECIMALS) * 10n ** BigInt(source.nativeDecimals)
  return formatUnits(ceilDiv(dividend, usdOf(source)), source.nativeDecimals)
}

/**
 * The `result` of Axelarscan's getFees: fees and gas prices in whole tokens, rounded up. `source_token.gas_price` is
 * the destination's gas price in the source's token. Source: axelarscan-api, recorded answers of axelarjs-sdk.
 */
export const feesResult = (source: ChainGas, destination: ChainGas) => {
  const baseFee = wholeOf(source, destination.baseFeeUsd)
  const destinationBaseFee = wholeOf(destination, destination.baseFeeUsd)
  const { expressFeeUsd } = destination
  return {
    base_fee: approximate(baseFee),
    base_fee_usd: approximate(destination.baseFeeUsd),
    source_base_fee: approximate(baseFee),
    source_base_fee_string: baseFee,
    source_base_fee_usd: approximate(destination.baseFeeUsd),
    destination_base_fee: approximate(destinationBaseFee),
    destination_base_fee_string: destinationBaseFee,
    express_fee: approximate(wholeOf(source, expressFeeUsd ?? '0')),
    express_fee_string: wholeOf(source, expressFeeUsd ?? '0'),
    source_express_fee: {
      total: approximate(wholeOf(source, expressFeeUsd ?? '0')),
      total_usd: approximate(expressFeeUsd ?? '0'),
    },
    express_supported: expressFeeUsd !== undefined,
    execute_gas_multiplier: 1,
    source_token: nativeToken(source, wholeGasPrice(source, destination)),
    destination_native_token: nativeToken(destination, wholeGasPrice(destination, destination)),
    ethereum_token: nativeToken(source, wholeGasPrice(source, source)),
  }
}
