import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { OrderId } from '../core/intent-order.ts'
import { parseOrBlame } from './rows.ts'
import type { Sql } from './sql.ts'
import type { ChainCursor, ChainEvent, Store } from './store.ts'

/** A stored event: chain, transaction, position, order, block number and body, by column. */
export type ChainEventRow = readonly [string, string, number, string, number, string]

/** A stored cursor: chain, block number, hash and time, and hash of the chain's first block, by column. */
export type ChainCursorRow = readonly [string, number, string, number | null, string | null]

const BlockNumber = z.coerce.bigint().refine((value) => value >= 0n)
const StoredCursor = z.object({
  block_number: BlockNumber,
  block_hash: z.string(),
  block_seconds: z.coerce.number().nullable(),
  genesis_hash: z.string().nullable(),
})
/** Block hash, block timestamp in seconds, topics, data. */
const Body = z.tuple([z.string(), z.int().min(0), z.array(z.string()), z.string()])
const StoredEvent = z.object({
  chain_id: ChainId,
  tx_hash: z.string(),
  log_position: z.int().min(0),
  order_id: OrderId,
  block_number: BlockNumber,
  body: z.string().transform((text) => Body.parse(JSON.parse(text))),
})

const encodeChainEvent = (event: ChainEvent): ChainEventRow => [
  event.chainId,
  event.txHash,
  event.position,
  event.orderId,
  Number(event.blockNumber),
  JSON.stringify([event.blockHash, event.timestampSeconds, event.topics, event.data]),
]

/** Encodes a cursor as its row. */
export const encodeCursor = (
  chainId: ChainId,
  { blockNumber, blockHash, timestampSeconds, genesisHash }: ChainCursor,
): ChainCursorRow => [chainId, Number(blockNumber), blockHash, timestampSeconds ?? null, genesisHash ?? null]

const decodeEvent = (row: unknown): ChainEvent => {
  const stored = parseOrBlame('a chain event', () => StoredEvent.parse(row))
  const [blockHash, timestampSeconds, topics, data] = stored.body
  return {
    orderId: stored.order_id,
    chainId: stored.chain_id,
    txHash: stored.tx_hash,
    position: stored.log_position,
    blockNumber: stored.block_number,
    blockHash,
    timestampSeconds,
    topics,
    data,
  }
}

/** Saves events and the cursor after them atomically; durable against power loss when it resolves. */
export type SaveEventRows = (cursor: ChainCursorRow, events: readonly ChainEventRow[]) => Promise<void>

type ChainEventMethods = Pick<Store, 'findCursor' | 'saveChainEvents' | 'findChainEvents'>

/** The chain-event methods over either database. */
export const chainEventMethods = ({ read }: Sql, save: SaveEventRows): ChainEventMethods => ({
  findCursor: async (chainId) => {
    const [row] = await read('findCursor', [chainId])
    if (row === undefined) return undefined
    const stored = parseOrBlame(`the cursor of ${chainId}`, () => StoredCursor.parse(row))
    const { block_number: blockNumber, block_hash: blockHash } = stored
    return {
      blockNumber,
      blockHash,
      ...(stored.block_seconds === null ? {} : { timestampSeconds: stored.block_seconds }),
      ...(stored.genesis_hash === null ? {} : { genesisHash: stored.genesis_hash }),
    }
  },
  saveChainEvents: (chainId, cursor, events) =>
    save(encodeCursor(chainId, cursor), events.map(encodeChainEvent)),
  findChainEvents: async (orderId) => (await read('findChainEvents', [orderId])).map(decodeEvent),
})
