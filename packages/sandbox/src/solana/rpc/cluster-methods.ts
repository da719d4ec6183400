import { z } from 'zod'
import type { Block } from '../block.ts'
import { MAX_BLOCKHASH_AGE } from '../blocks.ts'
import { feeOf } from '../fee.ts'
import { isBlockhashValidAt } from '../landing.ts'
import { RPC_ERROR_CODES, RpcError } from '../rpc-error.ts'
import type { SimulatedSolana } from '../simulated-solana.ts'
import { decodeTransactionMessage } from '../transaction.ts'
import {
  AddressParam,
  API_VERSION,
  ContextParam,
  contextBlock,
  inContext,
  type Methods,
  parseParams,
} from './params.ts'

const SLOTS_PER_EPOCH = 432_000
const MAX_BLOCK_RANGE = 500_000
/** The node's identity; no account uses it. */
const NODE_IDENTITY = 'SandboxNode11111111111111111111111111111111'

const Context = z.tuple([ContextParam.nullable()])
const contextOf = (params: readonly unknown[]) => parseParams(Context, params, 1)[0]

const NOT_A_BLOCK = 'was skipped, or missing due to ledger jump to recent snapshot'

const blockAt = (cluster: SimulatedSolana, slot: number): Block => {
  const block = cluster.blocks.withSlot(slot)
  if (block === undefined || cluster.blocks.commitmentOf(block) === 'processed')
    throw new RpcError(RPC_ERROR_CODES.slotSkipped, `Slot ${slot} ${NOT_A_BLOCK}`)
  return block
}

const slotMethods = (cluster: SimulatedSolana): Methods => ({
  getSlot: (params) => contextBlock(cluster, contextOf(params)).slot,
  getBlockHeight: (params) => contextBlock(cluster, contextOf(params)).height,
  getTransactionCount: () => cluster.history.count(),
  getEpochInfo: (params) => {
    const { slot, height } = contextBlock(cluster, contextOf(params))
    return {
      absoluteSlot: slot,
      blockHeight: height,
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: cluster.history.count(),
    }
  },
  getEpochSchedule: () => ({
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    slotsPerEpoch: SLOTS_PER_EPOCH,
    warmup: false,
  }),
  getBlockTime: (params) => {
    const [slot] = parseParams(z.tuple([z.int().min(0)]), params, 1)
    return blockAt(cluster, slot).timeSeconds
  },
  getBlocks: (params) => {
    const [from, to, config] = parseParams(
      z.tuple([z.int().min(0), z.int().min(0).nullable(), ContextParam.nullable()]),
      params,
      3,
    )
    const last = contextBlock(cluster, config).slot
    const end = Math.min(to ?? last, last, from + MAX_BLOCK_RANGE)
    return cluster.blocks
      .recent(MAX_BLOCK_RANGE)
      .map(({ slot }) => slot)
      .filter((slot) => slot >= from && slot <= end)
      .reverse()
  },
  getFirstAvailableBlock: () => Math.max(cluster.blocks.oldest().slot, cluster.history.wholeFrom()),
  minimumLedgerSlot: () => cluster.blocks.oldest().slot,
})

const blockhashMethods = (cluster: SimulatedSolana): Methods => ({
  getLatestBlockhash: (params) => {
    const block = contextBlock(cluster, contextOf(params))
    const lastValidBlockHeight = block.height + MAX_BLOCKHASH_AGE
    return inContext(block, { blockhash: block.hash, lastValidBlockHeight })
  },
  isBlockhashValid: (params) => {
    const [hash, config] = parseParams(z.tuple([AddressParam, ContextParam.nullable()]), params, 2)
    const block = contextBlock(cluster, config)
    return inContext(block, isBlockhashValidAt(cluster.blocks, hash, block.height))
  },
  getFeeForMessage: (params) => {
    const [message, config] = parseParams(z.tuple([z.base64(), ContextParam.nullable()]), params, 2)
    const block = contextBlock(cluster, config)
    const decoded = decodeTransactionMessage(Buffer.from(message, 'base64'))
    const isValid = isBlockhashValidAt(cluster.blocks, decoded.blockhash, block.height)
    return inContext(block, isValid ? feeOf(decoded) : null)
  },
  getRecentPrioritizationFees: (params) => {
    parseParams(z.tuple([z.array(AddressParam).max(128).nullable()]), params, 1)
    const blocks = cluster.blocks.recent(MAX_BLOCKHASH_AGE)
    return blocks.reverse().map(({ slot }) => ({ prioritizationFee: 0, slot }))
  },
})

/** Methods for the cluster, its slots and its blockhashes. Source: solana.com/docs/rpc/http. */
export const clusterMethods = (cluster: SimulatedSolana): Methods => ({
  ...slotMethods(cluster),
  ...blockhashMethods(cluster),
  getGenesisHash: () => cluster.genesisHash,
  getHealth: () => 'ok',
  getIdentity: () => ({ identity: NODE_IDENTITY }),
  getVersion: () => ({ 'feature-set': 0, 'solana-core': API_VERSION }),
  getSlotLeader: () => NODE_IDENTITY,
})
