import { z } from 'zod'
import type { Block, LandedTransaction } from '../block.ts'
import { encodeStatus, encodeTransaction, memoOf, TransactionEncoding } from '../encoded-transaction.ts'
import { invalidParams, RPC_ERROR_CODES, RpcError } from '../rpc-error.ts'
import type { SimulatedSolana } from '../simulated-solana.ts'
import {
  AddressParam,
  ContextParam,
  contextBlock,
  inContext,
  type Methods,
  parseParams,
  SignatureParam,
} from './params.ts'

const MAX_STATUSES = 256
const MAX_PAGE = 1000
/** Recent blocks whose statuses are known without searching the history. Source: Agave, MAX_RECENT_BLOCKHASHES. */
const RECENT_BLOCKS = 300

const TransactionConfig = z.object({
  ...ContextParam.shape,
  encoding: TransactionEncoding.optional(),
  maxSupportedTransactionVersion: z.int().min(0).max(255).nullish(),
})

const PageConfig = z.object({
  ...ContextParam.shape,
  before: SignatureParam.nullish(),
  until: SignatureParam.nullish(),
  limit: z.int().min(1).max(MAX_PAGE).nullish(),
})

const BlockConfig = z.object({
  ...TransactionConfig.shape,
  transactionDetails: z.enum(['full', 'signatures', 'none']).nullish(),
  rewards: z.boolean().nullish(),
})

const refuseProcessed = (config: { readonly commitment?: string | undefined } | null): void => {
  if (config?.commitment === 'processed')
    throw invalidParams('Method does not support commitment below `confirmed`')
}

const statusOf = (cluster: SimulatedSolana, landed: LandedTransaction) => {
  const { block, execution } = landed
  const confirmationStatus = cluster.blocks.commitmentOf(block)
  return {
    confirmationStatus,
    confirmations:
      confirmationStatus === 'finalized' ? null : cluster.blocks.at('processed').height - block.height,
    err: execution.error,
    slot: block.slot,
    status: encodeStatus(execution.error),
  }
}

const statusMethod = (cluster: SimulatedSolana) => (params: readonly unknown[]) => {
  const Config = z.object({ searchTransactionHistory: z.boolean().nullish() })
  const schema = z.tuple([z.array(SignatureParam).max(MAX_STATUSES), Config.nullable()])
  const [signatures, config] = parseParams(schema, params, 2)
  const tip = cluster.blocks.at('processed')
  const isRecent = ({ height }: Block): boolean => tip.height - height <= RECENT_BLOCKS
  return inContext(
    tip,
    signatures.map((signature) => {
      const landed = cluster.history.find(signature)
      if (landed === undefined) return null
      return config?.searchTransactionHistory === true || isRecent(landed.block)
        ? statusOf(cluster, landed)
        : null
    }),
  )
}

/** Transactions older than `before` and newer than `until`, newest first. */
const pageOf = (newestFirst: readonly LandedTransaction[], config: z.infer<typeof PageConfig> | null) => {
  const positionOf = (signature: string): number =>
    newestFirst.findIndex(({ transaction }) => transaction.signature === signature)
  const before = config?.before ?? undefined
  const start = before === undefined ? 0 : positionOf(before) + 1
  if (before !== undefined && start === 0) return []
  const until = config?.until ?? undefined
  const end = until === undefined ? -1 : positionOf(until)
  const limit = config?.limit ?? MAX_PAGE
  return newestFirst.slice(start, Math.min(end < 0 ? newestFirst.length : end, start + limit))
}

const signaturesMethod = (cluster: SimulatedSolana) => (params: readonly unknown[]) => {
  const [address, config] = parseParams(z.tuple([AddressParam, PageConfig.nullable()]), params, 2)
  refuseProcessed(config)
  const { height } = contextBlock(cluster, config)
  const newestFirst = cluster.history
    .ofAddress(address)
    .filter(({ block }) => block.height <= height)
    .reverse()
  return pageOf(newestFirst, config).map((landed) => ({
    blockTime: landed.block.timeSeconds,
    confirmationStatus: cluster.blocks.commitmentOf(landed.block),
    err: landed.execution.error,
    memo: memoOf(landed),
    signature: landed.transaction.signature,
    slot: landed.block.slot,
  }))
}

const transactionMethod = (cluster: SimulatedSolana) => (params: readonly unknown[]) => {
  const Config = z.union([TransactionEncoding.transform((encoding) => ({ encoding })), TransactionConfig])
  const [signature, config] = parseParams(z.tuple([SignatureParam, Config.nullable()]), params, 2)
  const full: z.infer<typeof TransactionConfig> = config ?? {}
  refuseProcessed({ commitment: full.commitment })
  const landed = cluster.history.find(signature)
  if (landed === undefined || landed.block.height > contextBlock(cluster, full).height) return null
  return {
    blockTime: landed.block.timeSeconds,
    slot: landed.block.slot,
    ...encodeTransaction(landed, full.encoding ?? 'json', full.maxSupportedTransactionVersion),
  }
}

const blockMethod = (cluster: SimulatedSolana) => (params: readonly unknown[]) => {
  const [slot, config] = parseParams(z.tuple([z.int().min(0), BlockConfig.nullable()]), params, 2)
  refuseProcessed(config)
  const block = cluster.blocks.withSlot(slot)
  if (block === undefined || block.height > contextBlock(cluster, config).height)
    throw new RpcError(
      RPC_ERROR_CODES.slotSkipped,
      `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
    )
  const details = config?.transactionDetails ?? 'full'
  const { transactions } = block
  return {
    blockHeight: block.height,
    blockTime: block.timeSeconds,
    blockhash: block.hash,
    parentSlot: block.parentSlot,
    previousBlockhash: block.parentHash,
    rewards: config?.rewards === false ? undefined : [],
    signatures:
      details === 'signatures' ? transactions.map(({ transaction }) => transaction.signature) : undefined,
    transactions:
      details === 'full'
        ? transactions.map((landed) =>
            encodeTransaction(landed, config?.encoding ?? 'json', config?.maxSupportedTransactionVersion),
          )
        : undefined,
  }
}

/** Methods for statuses, transactions, account histories and blocks. Source: solana.com/docs/rpc/http. */
export const historyMethods = (cluster: SimulatedSolana): Methods => ({
  getSignatureStatuses: statusMethod(cluster),
  getSignaturesForAddress: signaturesMethod(cluster),
  getTransaction: transactionMethod(cluster),
  getBlock: blockMethod(cluster),
})
