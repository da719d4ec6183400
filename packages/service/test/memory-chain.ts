import type { ChainId } from '@openrfq/sdk'
import type { EvmChain, EvmLog, EvmLogQuery, EvmReceipt } from '../src/chains/evm/evm-chain.ts'

const nothing = (): Promise<never> => Promise.reject(new Error('the test chain does not know this'))

const EVERYTHING = 2n ** 256n - 1n

/** What a chain in memory knows besides receipts. */
type Known = Partial<Pick<EvmChain, 'head' | 'allowance' | 'heldBy' | 'callMany' | 'callAgreed'>>

type Sought = Pick<EvmLogQuery, 'address' | 'topics'>

const isSought = ({ address, topics }: EvmLog, query: Sought): boolean =>
  address === query.address.toLowerCase() &&
  query.topics.every((topic, index) => topic === null || topics[index] === topic)

const logsIn = (receipts: readonly EvmReceipt[], query: Sought) =>
  receipts.flatMap(({ logs, txHash, blockNumber }) =>
    logs.filter((log) => isSought(log, query)).map((log) => ({ ...log, txHash, blockNumber })),
  )

/** A chain with exactly the given facts, for cases that no sandbox contract produces. */
export const memoryChain = (
  chainId: ChainId,
  receipts: readonly EvmReceipt[],
  {
    head = () => undefined,
    allowance = () => Promise.resolve(undefined),
    heldBy = () => Promise.resolve(EVERYTHING),
    callMany = nothing,
    callAgreed = nothing,
  }: Known = {},
): EvmChain => ({
  chainId,
  head,
  onHead: () => () => undefined,
  callMany,
  callAgreed,
  callStatements: nothing,
  allowance,
  heldBy,
  balances: nothing,
  balancesOfQuorum: nothing,
  hasCode: nothing,
  codeAgreed: nothing,
  receipt: (txHash) => Promise.resolve(receipts.find((receipt) => receipt.txHash === txHash)),
  agreedReceipt: (txHash) => Promise.resolve(receipts.find((receipt) => receipt.txHash === txHash)),
  receiptUnder: (txHash) => Promise.resolve(receipts.find((receipt) => receipt.txHash === txHash)),
  findLogs: (query) => Promise.resolve(logsIn(receipts, query)),
  recentLogs: (query) => (head() === undefined ? nothing() : Promise.resolve(logsIn(receipts, query))),
  blocks: nothing,
  logsOfBlocks: nothing,
  finalBlock: nothing,
  genesisHash: nothing,
  finalLogs: nothing,
  finalLogsOfEach: [],
  transactionCount: nothing,
  isReplaced: nothing,
  sendRawTransaction: nothing,
  counts: () => [],
  faults: () => [],
  isAheadOfClock: () => false,
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
})

/** A successful, final transaction with the given logs. */
export const receiptOf = (txHash: string, timestampSeconds: number, logs: readonly EvmLog[]): EvmReceipt => ({
  txHash,
  blockNumber: 100n,
  blockHash: `0x${'bb'.repeat(32)}`,
  timestampSeconds,
  succeeded: true,
  from: `0x${'01'.repeat(20)}`,
  to: `0x${'02'.repeat(20)}`,
  input: '0x',
  value: 0n,
  logs,
  firstLogIndex: 0,
  final: true,
})
