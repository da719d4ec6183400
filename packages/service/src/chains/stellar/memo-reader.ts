import { createLru } from '../../lib/lru.ts'
import { askFor } from '../rpc/ask-for.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { TransactionMemo } from './event-payments.ts'
import { placesOfPayments } from './operation-movement.ts'
import { FoundTransaction } from './rpc-answers.ts'
import type { StellarSdk } from './sdk.ts'

/** Reads the memo of an included transaction from one endpoint. */
export type MemoReader = (ask: RpcAsk, endpoint: number, txHash: string) => Promise<TransactionMemo>

const CACHED_MEMOS = 10_000

/**
 * The memo of a transaction's envelope, also of one in a fee bump: text, a number as text, 32 bytes as 0x and hex; undefined
 * without one.
 */
export const memoOf = ({ xdr }: StellarSdk, envelopeXdr: string): string | undefined => {
  const envelope = xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64')
  const { memo } =
    envelope.type === 'envelopeTypeTxFeeBump' ? envelope.value.tx.innerTx.value.tx : envelope.value.tx
  switch (memo.type) {
    case 'memoNone':
      return undefined
    case 'memoText':
      return Buffer.from(memo.text.bytes).toString('utf8')
    case 'memoId':
      return memo.id.toString()
    case 'memoHash':
      return `0x${Buffer.from(memo.hash.value).toString('hex')}`
    case 'memoReturn':
      return `0x${Buffer.from(memo.retHash.value).toString('hex')}`
  }
}

/** The memo of a transaction with the places of the payments that it is about. */
export const transactionMemo = (
  sdk: StellarSdk,
  passphrase: string,
  made: { readonly envelopeXdr: string; readonly resultXdr: string },
): TransactionMemo => ({
  memo: memoOf(sdk, made.envelopeXdr),
  places: placesOfPayments(sdk, passphrase, made),
})

/**
 * Reads memos of transactions named by events; caches the last ten thousand, each for the endpoint that told it. Rejects
 * if the node does not know the transaction.
 */
export const createMemoReader = (sdk: StellarSdk, passphrase: string): MemoReader => {
  const known = createLru<string, TransactionMemo>(CACHED_MEMOS)
  return async (ask, endpoint, txHash) => {
    const key = `${endpoint} ${txHash}`
    const seen = known.get(key)
    if (seen !== undefined) return seen
    const { envelopeXdr, resultXdr } = await askFor(
      ask,
      { method: 'getTransaction', params: { hash: txHash } },
      FoundTransaction,
    )
    if (envelopeXdr === undefined || resultXdr === undefined)
      throw new RpcError('NODE_PRUNED', `node does not know transaction ${txHash}`)
    const memo = transactionMemo(sdk, passphrase, { envelopeXdr, resultXdr })
    known.set(key, memo)
    return memo
  }
}
