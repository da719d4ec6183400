import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { PositiveAmount } from '../core/amount.ts'
import { parseOrBlame } from './rows.ts'
import { encodeHashes, MAXIMUM_LISTED, signatureColumns } from './signature-columns.ts'
import type { Sql } from './sql.ts'
import type { Store, StoredPayout } from './store.ts'

const PayoutRow = z.object({
  payout_key: z.string(),
  chain_id: ChainId,
  sender: z.string(),
  recipient: z.string(),
  token: z.string(),
  amount: PositiveAmount,
  memo: z.string(),
  not_after_seconds: z.union([z.null(), z.coerce.number().int().min(0)]),
  claims: z.string().nullable(),
  ...signatureColumns,
  outcome: z.enum(['open', 'succeeded', 'failed', 'expired']),
})

const decodePayout = (row: unknown): StoredPayout => {
  const stored = parseOrBlame('a payout', () => PayoutRow.parse(row))
  return {
    key: stored.payout_key,
    chainId: stored.chain_id,
    sender: stored.sender,
    recipient: stored.recipient,
    token: stored.token,
    amount: stored.amount,
    memo: stored.memo,
    notAfterSeconds: stored.not_after_seconds ?? undefined,
    ...(stored.claims === null ? {} : { claims: stored.claims }),
    txHash: stored.tx_hash,
    earlierTxHashes: stored.earlier_tx_hashes,
    rawTransaction: stored.raw_transaction,
    signedAt: stored.signed_at,
    outcome: stored.outcome,
  }
}

type PayoutMethods = Pick<
  Store,
  'addPayout' | 'resignPayout' | 'findPayout' | 'listOpenPayouts' | 'settlePayout'
>

/** The signed payments on Solana and Stellar over either database. */
export const payoutMethods = ({ read, change }: Sql): PayoutMethods => ({
  addPayout: async (payout) =>
    (await change('addPayout', [
      payout.key,
      payout.chainId,
      payout.sender,
      payout.recipient,
      payout.token,
      payout.amount.toString(),
      payout.memo,
      payout.notAfterSeconds ?? null,
      payout.txHash,
      encodeHashes(payout.earlierTxHashes),
      payout.rawTransaction,
      payout.signedAt,
      payout.outcome,
      payout.claims ?? null,
    ])) === 1,
  resignPayout: async (seen, { txHash, rawTransaction, signedAt }) =>
    (await change('resignPayout', [seen.key, seen.txHash, txHash, rawTransaction, signedAt])) === 1,
  findPayout: async (key) => {
    const [row] = await read('findPayout', [key])
    return row === undefined ? undefined : decodePayout(row)
  },
  listOpenPayouts: async (chainId, sender) =>
    (await read('listOpenPayouts', [chainId, sender, MAXIMUM_LISTED])).map(decodePayout),
  settlePayout: async (seen, outcome) =>
    (await change('settlePayout', [seen.key, seen.txHash, outcome])) === 1,
})
