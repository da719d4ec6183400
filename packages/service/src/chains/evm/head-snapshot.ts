import { z } from 'zod'
import type { NetworkChain } from '../../core/network.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { type EvmFees, feesFromBase, feesFromGasPrice } from './gas.ts'
import { type L1Cost, l1FeeCalls, parseL1Cost } from './l1-fee.ts'
import { Quantity, RpcBlock } from './rpc-answers.ts'

/** The node's fee suggestion in wei per unit of gas; either may be missing. */
export type FeeSuggestion = { readonly tip: bigint | undefined; readonly gasPrice: bigint | undefined }

/** The fee suggestion and the newest block's base fee, in wei per unit of gas. */
export type Prices = FeeSuggestion & { readonly baseFee: bigint | undefined }

/** The newest and the final block in one read; `suggestion` is undefined if it was not requested. */
export type HeadSnapshot = {
  readonly block: RpcBlock
  readonly finalized: bigint | undefined
  readonly suggestion: FeeSuggestion | undefined
  readonly l1Cost: L1Cost | undefined
}

/** What to read besides the newest block: the final block by the node's tag, and suggested fees with what data costs. */
export type HeadSnapshotOptions = {
  readonly finalized: boolean
  readonly fees: boolean
  readonly l1Fee?: NetworkChain['l1Fee']
}

const blockCall = (tag: string): RpcCall => ({ method: 'eth_getBlockByNumber', params: [tag, false] })
/** The calls of a fee suggestion, in the order that `parseFees` expects. Source: Ethereum JSON-RPC. */
const FEE_CALLS: readonly RpcCall[] = [
  { method: 'eth_maxPriorityFeePerGas', params: [] },
  { method: 'eth_gasPrice', params: [] },
]
/** The calls of a node's prices, in the order that `parsePrices` expects. */
export const PRICE_CALLS: readonly RpcCall[] = [...FEE_CALLS, blockCall('latest')]
const Numbered = z.object({ number: Quantity })

/** The calls of a head snapshot, in the order that `parseHeadSnapshot` expects. Source: Ethereum JSON-RPC. */
export const headSnapshotCalls = (wanted: HeadSnapshotOptions): readonly RpcCall[] => [
  blockCall('latest'),
  ...(wanted.finalized ? [blockCall('finalized')] : []),
  ...(wanted.fees ? FEE_CALLS : []),
  ...(wanted.fees && wanted.l1Fee !== undefined ? l1FeeCalls(wanted.l1Fee) : []),
]

/** A node without `eth_maxPriorityFeePerGas` rejects it; then the gas price is used. */
const optionalQuantity = (answer: RpcAnswer | undefined): bigint | undefined =>
  answer?.ok === true ? Quantity.safeParse(answer.result).data : undefined

/** The fee suggestion in the answers to `FEE_CALLS`. */
const parseFees = (answers: readonly RpcAnswer[]): FeeSuggestion => {
  const [tip, gasPrice] = answers.map(optionalQuantity)
  return { tip, gasPrice }
}

/** The prices in the answers to `PRICE_CALLS`. Throws if the newest block cannot be read. */
export const parsePrices = (answers: readonly RpcAnswer[]): Prices => ({
  ...parseFees(answers),
  baseFee: expectResult(answers[2], RpcBlock).baseFeePerGas ?? undefined,
})

/** Parses the answers. Throws if the newest or the final block cannot be read. */
export const parseHeadSnapshot = (
  answers: readonly RpcAnswer[],
  wanted: HeadSnapshotOptions,
): HeadSnapshot => {
  const first = wanted.finalized ? 2 : 1
  return {
    block: expectResult(answers[0], RpcBlock),
    finalized: wanted.finalized ? expectResult(answers[1], Numbered).number : undefined,
    suggestion: wanted.fees ? parseFees(answers.slice(first, first + FEE_CALLS.length)) : undefined,
    l1Cost:
      wanted.fees && wanted.l1Fee !== undefined
        ? parseL1Cost(wanted.l1Fee, answers.slice(first + FEE_CALLS.length))
        : undefined,
  }
}

/**
 * Fees for a transaction in the next block: from the base fee and the node's tip, or the gas price without a base fee.
 * Throws if the node reported neither. Source: EIP-1559.
 */
export const suggestedFees = ({ tip, gasPrice, baseFee }: Prices): EvmFees => {
  // Nodes of Hedera tell a base fee and a tip of zero beside the price that is paid.
  const isUnpriced = baseFee === 0n && (tip ?? 0n) === 0n && gasPrice !== undefined && gasPrice > 0n
  if (baseFee !== undefined && !isUnpriced) {
    const aboveBase = gasPrice === undefined || gasPrice < baseFee ? 0n : gasPrice - baseFee
    return feesFromBase(baseFee, tip ?? aboveBase)
  }
  if (gasPrice === undefined) throw new RpcError('MALFORMED', 'neither a base fee nor a gas price')
  return feesFromGasPrice(gasPrice)
}
