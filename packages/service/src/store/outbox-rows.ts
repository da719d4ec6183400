import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { parseOrBlame } from './rows.ts'
import type { Sql, SqlValue } from './sql.ts'
import type { OutboxEntry, Store } from './store.ts'

/** Above the limit of open entries per sender, so one query returns all. */
const MAXIMUM_LISTED = 1000

const StoredEntry = z.object({
  entry_key: z.string(),
  chain_id: ChainId,
  sender: z.string(),
  nonce: z.coerce.number().int().min(0),
  tx_hash: z.string(),
  replaced_tx_hashes: z.string(),
  raw_transaction: z.string(),
  signed_at: z.coerce.number().int().min(0),
  outcome: z.enum(['open', 'succeeded', 'reverted', 'displaced']),
})
const LastNonce = z.object({ nonce: z.coerce.number().int().min(0) })

const valuesOf = (entry: OutboxEntry): readonly SqlValue[] => [
  entry.key,
  entry.chainId,
  entry.sender,
  entry.nonce,
  entry.txHash,
  entry.replacedTxHashes.map((txHash) => `${txHash} `).join(''),
  entry.rawTransaction,
  entry.signedAt,
  entry.outcome,
]

const decodeEntry = (row: unknown): OutboxEntry => {
  const stored = parseOrBlame('an outbox entry', () => StoredEntry.parse(row))
  return {
    key: stored.entry_key,
    chainId: stored.chain_id,
    sender: stored.sender,
    nonce: stored.nonce,
    txHash: stored.tx_hash,
    replacedTxHashes: stored.replaced_tx_hashes.split(' ').filter((txHash) => txHash !== ''),
    rawTransaction: stored.raw_transaction,
    signedAt: stored.signed_at,
    outcome: stored.outcome,
  }
}

type OutboxMethods = Pick<
  Store,
  | 'addOutboxEntry'
  | 'replaceOutboxEntry'
  | 'findOutboxEntry'
  | 'listOpenOutbox'
  | 'lastOutboxNonce'
  | 'settleOutboxEntry'
>

/** The outbox methods over either database. */
export const outboxMethods = ({ read, change }: Sql): OutboxMethods => ({
  addOutboxEntry: async (entry) => (await change('addOutboxEntry', valuesOf(entry))) === 1,
  replaceOutboxEntry: async (key, replacedTxHash, { txHash, rawTransaction, signedAt }) =>
    (await change('replaceOutboxEntry', [key, replacedTxHash, txHash, rawTransaction, signedAt])) === 1,
  findOutboxEntry: async (key) => {
    const [row] = await read('findOutboxEntry', [key])
    return row === undefined ? undefined : decodeEntry(row)
  },
  listOpenOutbox: async (chainId, sender) =>
    (await read('listOpenOutbox', [chainId, sender, MAXIMUM_LISTED])).map(decodeEntry),
  lastOutboxNonce: async (chainId, sender) => {
    const [row] = await read('lastOutboxNonce', [chainId, sender])
    return row === undefined ? undefined : LastNonce.parse(row).nonce
  },
  settleOutboxEntry: async (key, outcome, txHash) => {
    await change('settleOutboxEntry', [key, outcome, txHash])
  },
})
