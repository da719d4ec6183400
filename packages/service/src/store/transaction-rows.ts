import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { parseOrBlame } from './rows.ts'
import { encodeHashes, MAXIMUM_LISTED, signatureColumns } from './signature-columns.ts'
import type { Sql } from './sql.ts'
import type { Store, StoredTransaction } from './store.ts'

const Nonce = z.coerce.number().int().min(0)
const TransactionRow = z.object({
  transaction_key: z.string(),
  chain_id: ChainId,
  sender: z.string(),
  nonce: Nonce,
  ...signatureColumns,
  outcome: z.enum(['open', 'succeeded', 'reverted', 'replaced']),
})
const NonceRow = z.object({ nonce: Nonce })

const decodeTransaction = (row: unknown): StoredTransaction => {
  const stored = parseOrBlame('a transaction', () => TransactionRow.parse(row))
  return {
    key: stored.transaction_key,
    chainId: stored.chain_id,
    sender: stored.sender,
    nonce: stored.nonce,
    txHash: stored.tx_hash,
    earlierTxHashes: stored.earlier_tx_hashes,
    rawTransaction: stored.raw_transaction,
    signedAt: stored.signed_at,
    outcome: stored.outcome,
  }
}

type TransactionMethods = Pick<
  Store,
  | 'addTransaction'
  | 'resignTransaction'
  | 'findTransaction'
  | 'findTransactionAt'
  | 'listOpenTransactions'
  | 'freeNonce'
  | 'settleTransaction'
  | 'reopenTransaction'
>

/** The signed EVM transactions over either database. */
export const transactionMethods = ({ read, change }: Sql): TransactionMethods => ({
  addTransaction: async (transaction) =>
    (await change('addTransaction', [
      transaction.key,
      transaction.chainId,
      transaction.sender,
      transaction.nonce,
      transaction.txHash,
      encodeHashes(transaction.earlierTxHashes),
      transaction.rawTransaction,
      transaction.signedAt,
      transaction.outcome,
    ])) === 1,
  resignTransaction: async (seen, { txHash, rawTransaction, signedAt, nonce }) =>
    (await change('resignTransaction', [seen.key, seen.txHash, txHash, rawTransaction, signedAt, nonce])) ===
    1,
  findTransaction: async (key) => {
    const [row] = await read('findTransaction', [key])
    return row === undefined ? undefined : decodeTransaction(row)
  },
  findTransactionAt: async (chainId, sender, nonce) => {
    const [row] = await read('findTransactionAt', [chainId, sender, nonce])
    return row === undefined ? undefined : decodeTransaction(row)
  },
  listOpenTransactions: async (chainId, sender) =>
    (await read('listOpenTransactions', [chainId, sender, MAXIMUM_LISTED])).map(decodeTransaction),
  freeNonce: async (chainId, sender, from) => {
    if ((await read('findTransactionAt', [chainId, sender, from])).length === 0) return from
    const [row] = await read('nonceAfterTaken', [chainId, sender, from])
    return parseOrBlame('a nonce', () => NonceRow.parse(row)).nonce
  },
  settleTransaction: async (seen, { outcome, txHash }) =>
    (await change('settleTransaction', [seen.key, seen.txHash, outcome, txHash])) === 1,
  reopenTransaction: async (seen, txHash) =>
    (await change('reopenTransaction', [seen.key, seen.txHash, txHash])) === 1,
})
