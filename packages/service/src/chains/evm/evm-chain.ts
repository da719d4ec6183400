import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { BalanceOfQuorum } from '../rpc/balances-of-quorum.ts'
import type { CallCount } from '../rpc/call-meter.ts'
import type { EndpointFaults } from '../rpc/rpc-pool.ts'
import type { Statement } from '../rpc/statements.ts'
import type { L1Cost } from './l1-fee.ts'

/** The newest known block of a chain, refreshed in the background. */
export type EvmHead = {
  readonly number: bigint
  readonly hash: string
  /** The block's timestamp, in seconds since the Unix epoch. */
  readonly timestampSeconds: number
  /** The newest block that is final under the chain's configured finality. */
  readonly finalNumber: bigint
  /** Suggested fees in wei per unit of gas. */
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** What data costs on the chain below a rollup; undefined elsewhere, and while it cannot be read. */
  readonly l1Cost?: L1Cost | undefined
  /** About how many units of the chain's gas stand for one of Ethereum's; undefined for one. */
  readonly gasScale?: bigint | undefined
  /** When the service read it; a head older than the staleness bound prices nothing. */
  readonly readAt: Instant
}

/** A log of a receipt; its index in `EvmReceipt.logs` is the event index of an Axelar message id. */
export type EvmLog = {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** A mined transaction and its logs. Addresses are lower case, hashes lower-case hex. */
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
  /** The index of the first log among its block's logs; 0 without logs. */
  readonly firstLogIndex: number
  /** Whether the block is final and still on the chain. */
  readonly final: boolean
}

/**
 * One contract read; `data` is calldata as hex, the result the returned bytes as hex (`0x` if empty or reverted). `from` is
 * the caller; absent for one that does not matter. `mayRevert`: a revert is an expected answer, not asked for twice.
 */
export type EvmCall = {
  readonly to: string
  readonly data: string
  readonly from?: string
  /** Native value in wei, and the limit of gas, for a call that is run as a transaction would be. */
  readonly value?: bigint
  readonly gas?: bigint
  readonly mayRevert?: true
}

/** What a contract returned as hex; undefined for a revert. */
export type EvmResult = string | undefined

/** What must hold for an endpoint's word to count; one for which it does not is behind. */
export type AgreedCalls = {
  /** A block that its chain must contain; any block of that number without a hash. */
  readonly after?: Pick<EvmBlock, 'number'> & Partial<Pick<EvmBlock, 'hash' | 'timestampSeconds'>>
  /** Whether its results show what they are read for. */
  readonly isReached?: (results: readonly EvmResult[]) => boolean
}

/** A contract's answer that every endpoint is asked about; `about` is the fact as text, the same whenever it is asked about. */
type AskedCall = Pick<AgreedCalls, 'after'> & {
  readonly about: string
  readonly call: EvmCall
  readonly confirms: (result: EvmResult) => boolean
}

/** A log query: one contract and a closed range of blocks; a null topic matches any. Topics are lower case. */
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

/** A watched log; `position` is its index among the block's logs, the timestamp its block's. */
export type WatchedLog = EvmBlockLog & { readonly timestampSeconds: number }

/** A log filter: any of the contracts with any of the first topics. Lower case. */
export type EvmLogFilter = { readonly addresses: readonly string[]; readonly topics0: readonly string[] }

/** A log with its block; `position` is its index among the block's logs. Addresses and hashes are lower case. */
export type EvmBlockLog = EvmFoundLog & { readonly blockHash: string; readonly position: number }

/** The signatures of one nonce of a sender. */
type EvmSignatures = {
  readonly sender: string
  readonly nonce: number
  readonly txHashes: readonly string[]
}

/** Result of sending a signed transaction: taken (or already known) by at least one endpoint, or why all refused. */
export type EvmSent = 'taken' | { readonly refused: string }

/**
 * Balances of one account: `amounts` in base units in the order requested, undefined for a contract that returned none.
 */
export type EvmBalances = {
  /** The balances are at least as new as this block. */
  readonly blockNumber: bigint
  readonly amounts: readonly (bigint | undefined)[]
}

/**
 * A live EVM chain as the backends use it. Every read has a deadline and rejects if no RPC endpoint answers in time.
 */
export type EvmChain = {
  readonly chainId: ChainId
  /** The cached head, or undefined before the first read and when stale. No network. */
  readonly head: () => EvmHead | undefined
  /** Calls `listener` after each new head; returns the unsubscriber. */
  readonly onHead: (listener: (head: EvmHead) => void) => () => void
  /**
   * Several contract reads in one round trip, at the latest block or at the block with the given hash. A reverted call
   * yields undefined.
   */
  readonly callMany: (
    calls: readonly EvmCall[],
    blockHash?: string,
  ) => Promise<readonly (string | undefined)[]>
  /**
   * Several contract reads that a quorum of endpoints answer alike, each at its newest block. Throws RpcError NODE_BEHIND
   * or NO_AGREEMENT without a quorum.
   */
  readonly callAgreed: (calls: readonly EvmCall[], expected: AgreedCalls) => Promise<readonly EvmResult[]>
  /**
   * Which endpoints confirm the result of a contract read at their newest block, and which deny it. Those that have not
   * reached the block `after` say nothing; those that have another one in its place, or are past its time without it,
   * deny. Throws RpcError NODE_BEHIND or NO_ANSWER while endpoints are silent.
   */
  readonly callStatements: (asked: AskedCall) => Promise<readonly Statement[]>
  /**
   * The ERC-20 allowance in base units, cached per block and coalesced; undefined if it cannot be read in time (then
   * the approval is included).
   */
  readonly allowance: (token: string, owner: string, spender: string) => Promise<bigint | undefined>
  /**
   * What an account has held of a token for at least `SETTLED_BLOCKS`, in base units; 0 if no endpoint can tell how much
   * it held then, undefined if none can be read. The zero address is the native asset.
   */
  readonly heldBy: (owner: string, token: string) => Promise<bigint | undefined>
  /** The balances of an account at the latest block in one round trip; the zero address is the native asset. */
  readonly balances: (owner: string, tokens: readonly string[]) => Promise<EvmBalances>
  /** Like `balances`, but of each the lowest that a quorum of endpoints do not exceed; undefined if fewer told one. */
  readonly balancesOfQuorum: (
    owner: string,
    tokens: readonly string[],
  ) => Promise<readonly (BalanceOfQuorum | undefined)[]>
  /** Whether an account has code at the latest block, also by delegation. */
  readonly hasCode: (account: string) => Promise<boolean>
  /**
   * The code of an account at the latest block as lower-case hex, `0x` for none, as a quorum of endpoints tell it. Throws
   * RpcError NO_AGREEMENT without one.
   */
  readonly codeAgreed: (account: string) => Promise<string>
  /**
   * The receipt with its transaction, or undefined if one endpoint at the head does not (or no longer) know the
   * transaction. Only a final one is agreed.
   */
  readonly receipt: (txHash: string) => Promise<EvmReceipt | undefined>
  /**
   * The receipt from one of a quorum of endpoints at the head to which the transaction succeeded, or to which it reverted;
   * undefined if a quorum does not know it. An endpoint that still has the block in which the transaction was seen is behind
   * until that block is final; a receipt of a block that left its chain counts as unknown from then on. Throws RpcError
   * NODE_BEHIND or NO_AGREEMENT without a quorum.
   */
  readonly agreedReceipt: (txHash: string) => Promise<EvmReceipt | undefined>
  /**
   * The receipt that a quorum of endpoints give, each with at least so many blocks on top of the receipt's block; undefined
   * while they do not. It need not be final.
   */
  readonly receiptUnder: (txHash: string, confirmations: number) => Promise<EvmReceipt | undefined>
  /**
   * The matching logs, oldest first, from an endpoint that has seen the whole range. Throws RangeError for an empty
   * range or one longer than 20,000 blocks.
   */
  readonly findLogs: (query: EvmLogQuery) => Promise<readonly EvmFoundLog[]>
  /**
   * The matching logs of the 20,000 blocks up to the head, oldest first; final blocks are searched once in ten minutes. Throws
   * RpcError NO_HEAD without a head.
   */
  readonly recentLogs: (query: Pick<EvmLogQuery, 'address' | 'topics'>) => Promise<readonly EvmFoundLog[]>
  /** The headers of at most 100 blocks, in the order requested, from one endpoint that has reached all of them. */
  readonly blocks: (numbers: readonly bigint[]) => Promise<readonly EvmBlock[]>
  /** The logs of at most 100 blocks by hash, oldest first, from an endpoint that knows every block. */
  readonly logsOfBlocks: (hashes: readonly string[], filter: EvmLogFilter) => Promise<readonly EvmBlockLog[]>
  /**
   * The block at a number, as a quorum of endpoints give it and each of them calls it final. Throws RpcError NODE_BEHIND or
   * NO_AGREEMENT without such a quorum.
   */
  readonly finalBlock: (number: bigint) => Promise<EvmBlock>
  /**
   * The hash of the chain's first block as a quorum of endpoints tell it; undefined if they do not have it. Throws
   * RpcError NO_AGREEMENT without a quorum.
   */
  readonly genesisHash: () => Promise<string | undefined>
  /**
   * The logs above `root` up to a block, oldest first, and that block, as a quorum of endpoints give them to which it is
   * final; undefined if the root is not on their chain. Throws RpcError NODE_BEHIND or NO_AGREEMENT without a quorum.
   */
  readonly finalLogs: (
    root: Pick<EvmBlock, 'number' | 'hash'>,
    last: bigint,
    filter: EvmLogFilter,
  ) => Promise<{ readonly last: EvmBlock; readonly logs: readonly WatchedLog[] } | undefined>
  /**
   * For each endpoint, in configured order: reads the logs of a range of blocks, oldest first, as it tells them if the
   * last block is final to it. Rejects for an endpoint that cannot be read, with RpcError NODE_PRUNED if it no longer
   * has them.
   */
  readonly finalLogsOfEach: readonly ((
    range: { readonly first: bigint; readonly last: bigint },
    filter: EvmLogFilter,
  ) => Promise<readonly EvmBlockLog[]>)[]
  /**
   * The number of mined transactions of the address: the highest count that a quorum of endpoints reach at their newest
   * blocks. Throws RpcError NO_AGREEMENT without one, and if a single endpoint could have lowered it: while one is silent,
   * or of two, a quorum must tell the same count.
   */
  readonly transactionCount: (address: string) => Promise<number>
  /**
   * Whether another transaction than the given signatures used their nonce up to a block, as a quorum of endpoints say
   * to which the block is final. Throws RpcError NODE_BEHIND or NO_AGREEMENT without one.
   */
  readonly isReplaced: (signatures: EvmSignatures, number: bigint) => Promise<boolean>
  /** Sends a signed transaction to all endpoints. */
  readonly sendRawTransaction: (rawTransaction: string) => Promise<EvmSent>
  /** What was sent to each endpoint, as configured. */
  readonly counts: () => readonly CallCount[]
  /** How often each endpoint said what cannot be, as configured. */
  readonly faults: () => readonly EndpointFaults[]
  /** Whether a quorum of the endpoints told block times too far ahead of our clock a moment ago. */
  readonly isAheadOfClock: () => boolean
  /** Starts polling the head; resolves after the first attempt. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}
