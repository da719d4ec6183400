import { uintWord } from '../../src/chains/evm/abi-words.ts'
import type { ContractCalls } from './contract-calls.ts'

/** A JSON-RPC error that a method answers. */
export class RpcFault extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** A mined transaction with its receipt, both as JSON-RPC writes them. */
export type MinedTransaction = {
  readonly transaction: Readonly<Record<string, unknown>> & { readonly hash: string }
  readonly receipt: Readonly<Record<string, unknown>> & { readonly blockNumber: string }
}

type Deps = {
  /** The number in its chain id. */
  readonly chainNumber: number
  readonly blockMs: number
  /** Blocks that the `finalized` tag is behind the newest. */
  readonly finalDepth: bigint
  readonly contracts: ContractCalls
  readonly now: () => number
}

/** A chain that makes blocks by the clock and answers JSON-RPC from its contracts. */
export type PublicChain = {
  readonly chainNumber: number
  readonly blockNumber: () => bigint
  readonly hashOf: (number: bigint) => string
  /** The transactions that were mined, by hash; a test adds them. */
  readonly mined: Map<string, MinedTransaction>
  /** The result of a method; throws RpcFault. */
  readonly call: (method: string, params: readonly unknown[], logBlocks: number) => unknown
}

const FIRST_BLOCK = 20_000_000n
const ZERO_BLOOM = `0x${'0'.repeat(512)}`
const ZERO_HASH = `0x${'0'.repeat(64)}`
const BASE_FEE = 1_000_000_000n
const TIP = 100_000_000n

const quantity = (value: bigint | number): string => `0x${value.toString(16)}`

/** Creates a chain that began to be watched now, at block 20,000,000. */
export const createPublicChain = ({
  chainNumber,
  blockMs,
  finalDepth,
  contracts,
  now,
}: Deps): PublicChain => {
  const startedAt = now()
  const mined = new Map<string, MinedTransaction>()
  const blockNumber = (): bigint => FIRST_BLOCK + BigInt(Math.floor((now() - startedAt) / blockMs))
  const hashOf = (number: bigint): string => `0x${uintWord((BigInt(chainNumber) << 64n) + number)}`
  const timeOf = (number: bigint): number => {
    const blocks = Number(number - FIRST_BLOCK)
    return Math.floor((startedAt + blocks * blockMs) / 1_000)
  }
  const blockAt = (number: bigint): object | null =>
    number > blockNumber() || number < 0n
      ? null
      : {
          number: quantity(number),
          hash: hashOf(number),
          parentHash: number === 0n ? ZERO_HASH : hashOf(number - 1n),
          timestamp: quantity(number === 0n ? 1 : timeOf(number)),
          baseFeePerGas: quantity(BASE_FEE),
          logsBloom: ZERO_BLOOM,
          gasLimit: '0x1c9c380',
          gasUsed: '0x0',
          miner: `0x${'0'.repeat(40)}`,
          extraData: '0x',
          transactions: [],
          uncles: [],
          size: '0x220',
        }
  const numberOf = (tag: unknown): bigint => {
    if (typeof tag === 'string' && tag.startsWith('0x')) return BigInt(tag)
    if (tag === 'finalized' || tag === 'safe') return blockNumber() - finalDepth
    return tag === 'earliest' ? 0n : blockNumber()
  }
  const logs = (filter: unknown, logBlocks: number): readonly unknown[] => {
    const { fromBlock, toBlock, blockHash } = Object(filter)
    if (blockHash !== undefined) return []
    if (numberOf(toBlock) - numberOf(fromBlock) >= BigInt(Number.isFinite(logBlocks) ? logBlocks : 1e15))
      throw new RpcFault(-32_600, `query exceeds max block range ${logBlocks}`)
    return []
  }
  const withHash = (number: unknown): bigint => BigInt(String(number)) - (BigInt(chainNumber) << 64n)
  const methods: Readonly<Record<string, (params: readonly unknown[], logBlocks: number) => unknown>> = {
    eth_chainId: () => quantity(chainNumber),
    net_version: () => String(chainNumber),
    eth_blockNumber: () => quantity(blockNumber()),
    eth_gasPrice: () => quantity(BASE_FEE + TIP),
    eth_maxPriorityFeePerGas: () => quantity(TIP),
    eth_feeHistory: () => ({
      oldestBlock: quantity(blockNumber()),
      baseFeePerGas: [quantity(BASE_FEE), quantity(BASE_FEE)],
      gasUsedRatio: [0.5],
      reward: [[quantity(TIP)]],
    }),
    eth_getBlockByNumber: ([tag]) => blockAt(numberOf(tag)),
    eth_getBlockByHash: ([hash]) => blockAt(withHash(hash)),
    eth_getLogs: ([filter], logBlocks) => logs(filter, logBlocks),
    eth_getCode: ([address]) => contracts.codeAt(String(address)),
    eth_getBalance: () => quantity(10n ** 18n),
    eth_getTransactionCount: () => '0x0',
    eth_getTransactionReceipt: ([hash]) => mined.get(String(hash))?.receipt ?? null,
    eth_getTransactionByHash: ([hash]) => mined.get(String(hash))?.transaction ?? null,
    eth_call: ([call]) => {
      const { to, data } = Object(call)
      const result = contracts.run(String(to), String(data))
      if (result === undefined) throw new RpcFault(3, 'execution reverted')
      return result
    },
  }
  return {
    chainNumber,
    blockNumber,
    hashOf,
    mined,
    call: (method, params, logBlocks) => {
      const run = methods[method]
      if (run === undefined) throw new RpcFault(-32_601, `the method ${method} does not exist`)
      return run(params, logBlocks)
    },
  }
}
