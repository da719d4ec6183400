import { mulDivUp } from '../../core/amount.ts'
import type { NetworkChain } from '../../core/network.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { addressWord, bytesTail, uintAt, uintWord } from './abi-words.ts'
import { keccakHex } from './keccak.ts'
import { Bytes, isRevert } from './rpc-answers.ts'

/** How a rollup charges for the data of a transaction on the chain below it. */
type L1FeeKind = NonNullable<NetworkChain['l1Fee']>

/** What a rollup's operator charges for a transaction beside all else, in wei: for each million units of its gas, and once. */
type OperatorFee = { readonly perMillionGas: bigint; readonly fixed: bigint }

/** What the data of the sample transaction costs: wei beside the gas, or gas that the transaction uses in addition. */
export type L1Cost = {
  readonly unit: 'wei' | 'gas'
  readonly ofSample: bigint
  /** Absent where the operator charges nothing. */
  readonly operator?: OperatorFee
}

const GET_L1_FEE = '0x49948e0e'
const GET_OPERATOR_FEE = '0x275aedd2'
const TOKEN_RATIO = '0x06f837d3'
const GAS_ESTIMATE_L1_COMPONENT = '0x77d488a2'

/** GasPriceOracle of the OP stack, L1GasPriceOracle of Scroll, NodeInterface of Arbitrum: the same on all their chains. */
const ORACLES = {
  'op-stack': '0x420000000000000000000000000000000000000f',
  mantle: '0x420000000000000000000000000000000000000f',
  scroll: '0x5300000000000000000000000000000000000002',
  arbitrum: '0x00000000000000000000000000000000000000c8',
} as const satisfies Record<L1FeeKind, string>

/** Nonce, fees, gas limit, addresses, value and the quote's tag of a transaction as bytes, in hex digits. */
const ENVELOPE_DIGITS = 'e7'.repeat(116)
const SAMPLE_WORDS = 13

/** Calldata of so many words like an address or an amount, in hex digits; no two words are alike. */
export const calldataWords = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `${'0'.repeat(24)}${keccakHex(Buffer.from([index])).slice(0, 40)}`,
  ).join('')

/** A transaction with calldata like a transfer's. */
export const SAMPLE_DATA = `0x${ENVELOPE_DIGITS}${calldataWords(SAMPLE_WORDS)}`

const ZERO_BYTE_GAS = 4n
const BYTE_GAS = 16n

/** The gas of bytes as calldata, by which L1 fees grow. Source: EIP-2028. */
const dataGas = (hex: string): bigint => {
  let gas = 0n
  for (let at = 2; at < hex.length; at += 2) gas += hex.startsWith('00', at) ? ZERO_BYTE_GAS : BYTE_GAS
  return gas
}

const ENVELOPE_GAS = dataGas(`0x${ENVELOPE_DIGITS}`)
const SAMPLE_GAS = dataGas(SAMPLE_DATA)
/** The most gas that is added to a limit: our calldata never costs more, so a higher estimate of an endpoint is wrong. */
const MAXIMUM_GAS = 20_000_000n
/** The most wei that an endpoint is believed: a thousand native tokens. */
const MAXIMUM_WEI = 10n ** 21n

const MILLION = 1_000_000n

const callOf = (to: string, data: string): RpcCall => ({
  method: 'eth_call',
  params: [{ to, data }, 'latest'],
})

/** The calls that tell what the sample costs now, in the order that `parseL1Cost` expects. */
export const l1FeeCalls = (kind: L1FeeKind): readonly RpcCall[] => {
  const oracle = ORACLES[kind]
  const fee = callOf(oracle, `${GET_L1_FEE}${uintWord(32n)}${bytesTail(SAMPLE_DATA)}`)
  const operatorFees = [0n, MILLION].map((gas) => callOf(oracle, `${GET_OPERATOR_FEE}${uintWord(gas)}`))
  if (kind === 'op-stack') return [fee, ...operatorFees]
  if (kind === 'mantle') return [fee, ...operatorFees, callOf(oracle, TOKEN_RATIO)]
  if (kind === 'scroll') return [fee]
  const words = `${addressWord(oracle)}${uintWord(0n)}${uintWord(96n)}${bytesTail(SAMPLE_DATA)}`
  return [callOf(oracle, `${GAS_ESTIMATE_L1_COMPONENT}${words}`)]
}

const numberIn = (answer: RpcAnswer | undefined): bigint | undefined =>
  answer?.ok === true ? uintAt(expectResult(answer, Bytes), 0) : undefined

const NO_CHARGE: OperatorFee = { perMillionGas: 0n, fixed: 0n }

/**
 * What the operator charges, from its fee for no gas and for a million: both forks compute it as gas times a number, plus another.
 * An oracle older than the fee reverts, and nothing is charged; undefined if it does not say, or more than can be.
 * Source: `getOperatorFee` of the OP stack's GasPriceOracle since Isthmus, and of Mantle's since Arsia.
 */
const parseOperatorFee = (answers: readonly (RpcAnswer | undefined)[]): OperatorFee | undefined => {
  const [ofNone, ofMillion] = answers.map((answer) => (isRevert(answer) ? 0n : numberIn(answer)))
  if (ofNone === undefined || ofMillion === undefined) return undefined
  if (ofMillion < ofNone || ofMillion > MAXIMUM_WEI) return undefined
  return { perMillionGas: ofMillion - ofNone, fixed: ofNone }
}

/** What the sample costs; undefined if the oracle does not say, or more than can be. */
export const parseL1Cost = (kind: L1FeeKind, answers: readonly RpcAnswer[]): L1Cost | undefined => {
  const first = numberIn(answers[0])
  if (first === undefined) return undefined
  if (kind === 'arbitrum') return { unit: 'gas', ofSample: first < MAXIMUM_GAS ? first : MAXIMUM_GAS }
  // Mantle tells the fee for data in ETH, and how many of its own token one ETH is.
  const factor = kind === 'mantle' ? numberIn(answers[3]) : 1n
  if (factor === undefined || first * factor > MAXIMUM_WEI) return undefined
  const cost: L1Cost = { unit: 'wei', ofSample: first * factor }
  if (kind === 'scroll') return cost
  const operator = parseOperatorFee(answers.slice(1, 3))
  return operator && { ...cost, operator }
}

const costOf = (cost: L1Cost | undefined, unit: L1Cost['unit'], data: string): bigint =>
  cost?.unit === unit ? mulDivUp(cost.ofSample, ENVELOPE_GAS + dataGas(data), SAMPLE_GAS) : 0n

/**
 * The wei that a transaction with this calldata and so much gas costs beside its gas, rounded up: for its data, and for the
 * operator. It is charged for the limit at first, and given back for what was not used.
 */
export const weiBesideGas = (cost: L1Cost | undefined, data: string, gas: bigint): bigint => {
  const { perMillionGas, fixed } = cost?.operator ?? NO_CHARGE
  return costOf(cost, 'wei', data) + fixed + mulDivUp(perMillionGas, gas, MILLION)
}

/** The gas that a transaction with this calldata uses for its data, rounded up. */
export const l1Gas = (cost: L1Cost | undefined, data: string): bigint => costOf(cost, 'gas', data)
