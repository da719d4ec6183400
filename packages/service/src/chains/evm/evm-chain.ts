import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'

/** The newest block the service has seen on a chain, refreshed in the background. */
export type EvmHead = {
  readonly number: bigint
  readonly hash: string
  /** Seconds since the Unix epoch, as the block says. */
  readonly timestampSeconds: number
  /** The newest block that counts as final under the chain's configured finality. */
  readonly finalNumber: bigint
  /** Suggested fees in wei per unit of gas. */
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** When the service read it; a head older than the staleness bound prices nothing. */
  readonly readAt: Instant
}

/** A log of a receipt; its position in `EvmReceipt.logs` is the event index of an Axelar message id. */
export type EvmLog = {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** A mined transaction: what it was and what it emitted. Addresses are lower case, hashes lower-case hex. */
export type EvmReceipt = {
  readonly txHash: string
  readonly blockNumber: bigint
  readonly blockHash: string
  /** Seconds since the Unix epoch of the block. */
  readonly timestampSeconds: number
  readonly succeeded: boolean
  readonly from: string
  readonly to: string | null
  readonly input: string
  readonly value: bigint
  readonly logs: readonly EvmLog[]
  /** Whether the block counts as final and is still part of the chain. */
  readonly final: boolean
}

/** One contract read; `data` is calldata as hex, the answer the returned bytes as hex (`0x` when empty or reverted). */
export type EvmCall = { readonly to: string; readonly data: string }

/** Which logs are sought: of one contract in a closed range of blocks; a null topic matches any. Topics are lower case. */
export type EvmLogQuery = {
  readonly address: string
  readonly topics: readonly (string | null)[]
  readonly fromBlock: bigint
  readonly toBlock: bigint
}

/** A log with the transaction that emitted it. Addresses and hashes are lower case. */
export type EvmFoundLog = EvmLog & {
  readonly txHash: string
  readonly blockNumber: bigint
}

/** A block's header. */
export type EvmBlock = {
  readonly number: bigint
  readonly hash: string
  readonly parentHash: string
  readonly timestampSeconds: number
}

/** Which logs are wanted: of any of the contracts, with any of the first topics. Lower case. */
export type EvmLogFilter = { readonly addresses: readonly string[]; readonly topics0: readonly string[] }

/** A log with its place in the chain; `position` is its index among the block's logs. Addresses and hashes are lower case. */
export type EvmBlockLog = EvmFoundLog & { readonly blockHash: string; readonly position: number }

/** What the endpoints said to a signed transaction: taken (or known already) by one, or why none took it. */
export type EvmSent = 'taken' | { readonly refused: string }

/** Balances of one account: `amounts` in base units as asked, undefined where a contract answered none. */
export type EvmBalances = {
  /** The balances are at least as new as this block. */
  readonly blockNumber: bigint
  readonly amounts: readonly (bigint | undefined)[]
}

/** A live EVM chain as the backends use it. Every read has a deadline and rejects when no RPC endpoint answers in time. */
export type EvmChain = {
  readonly chainId: ChainId
  /** The cached head, or undefined before the first read and once it is stale. No network. */
  readonly head: () => EvmHead | undefined
  /** Calls `listener` after each new head; returns the unsubscriber. */
  readonly onHead: (listener: (head: EvmHead) => void) => () => void
  /**
   * Several contract reads in one round trip, at the latest block or at the block with the given hash. A call that
   * reverts answers undefined.
   */
  readonly callMany: (
    calls: readonly EvmCall[],
    blockHash?: string,
  ) => Promise<readonly (string | undefined)[]>
  /**
   * The ERC-20 allowance in base units, cached per block and coalesced; undefined when it cannot be read in time (then
   * the approval is included).
   */
  readonly allowance: (token: string, owner: string, spender: string) => Promise<bigint | undefined>
  /** The allowance when it was read under the present head, else undefined. No network. */
  readonly knownAllowance: (token: string, owner: string, spender: string) => bigint | undefined
  /** The balances of an account at the latest block in one round trip; the zero address is the native asset. */
  readonly balances: (owner: string, tokens: readonly string[]) => Promise<EvmBalances>
  /** The receipt with its transaction, or undefined when the chain does not know the transaction (any more). */
  readonly receipt: (txHash: string) => Promise<EvmReceipt | undefined>
  /**
   * The logs that match, oldest first, from an endpoint that has seen the whole range. Throws RangeError for an empty
   * range or one longer than 20,000 blocks.
   */
  readonly findLogs: (query: EvmLogQuery) => Promise<readonly EvmFoundLog[]>
  /** The headers of at most 100 blocks, in the order of the numbers, from one endpoint that has reached all of them. */
  readonly blocks: (numbers: readonly bigint[]) => Promise<readonly EvmBlock[]>
  /** The logs of at most 100 blocks by hash, oldest first, from an endpoint that knows every one of the blocks. */
  readonly logsOfBlocks: (hashes: readonly string[], filter: EvmLogFilter) => Promise<readonly EvmBlockLog[]>
  /** The logs of a closed range of blocks in one query, oldest first, from an endpoint that has reached its end. */
  readonly logsOfRange: (
    range: { readonly fromBlock: bigint; readonly toBlock: bigint },
    filter: EvmLogFilter,
  ) => Promise<readonly EvmBlockLog[]>
  /** How many transactions the address has sent up to a block, or with those that wait (`pending`). */
  readonly transactionCount: (address: string, at: 'pending' | bigint) => Promise<number>
  /** Hands a signed transaction to all endpoints. */
  readonly sendRawTransaction: (rawTransaction: string) => Promise<EvmSent>
  /** Starts polling the head; resolves after the first attempt. */
  readonly start: () => Promise<void>
  readonly stop: () => void
}
