import type { EvmChain, EvmLog, EvmReceipt } from '../src/chains/evm/evm-chain.ts'
import type { ChainId } from '../src/core/chain.ts'

const nothing = (): Promise<never> => Promise.reject(new Error('this chain only knows receipts'))

/** A chain that remembers receipts and knows nothing else; for cases no sandbox contract brings about. */
export const memoryChain = (chainId: ChainId, receipts: readonly EvmReceipt[]): EvmChain => ({
  chainId,
  head: () => undefined,
  onHead: () => () => undefined,
  callMany: nothing,
  allowance: () => Promise.resolve(undefined),
  receipt: (txHash) => Promise.resolve(receipts.find((receipt) => receipt.txHash === txHash)),
  findLogs: nothing,
  start: () => Promise.resolve(),
  stop: () => undefined,
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
  final: true,
})
