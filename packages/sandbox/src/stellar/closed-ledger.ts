import { createHash } from 'node:crypto'
import { xdr } from '@stellar/stellar-sdk/base'
import type { AppliedTransaction } from './apply-transaction.ts'
import type { LedgerMoment } from './operation-context.ts'
import { BASE_RESERVE } from './reserves.ts'
import { BASE_FEE } from './transaction-check.ts'

/** The protocol version whose rules and formats the ledger follows. */
export const PROTOCOL_VERSION = 23

/** The total supply of stroops. */
export const TOTAL_STROOPS = 1_000_000_000_000_000_000n

const MAX_TRANSACTIONS = 1000
const HASH_BYTES = 32
const SKIPPED_LEDGERS = 4

/** A closed ledger: its header, its hash in hex, and its transactions. */
export type ClosedLedger = LedgerMoment & {
  readonly hash: string
  readonly header: xdr.LedgerHeader
  readonly transactions: readonly AppliedTransaction[]
}

const digest = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const transactionSetOf = (
  previousLedgerHash: Uint8Array,
  transactions: readonly AppliedTransaction[],
): xdr.GeneralizedTransactionSet => {
  const txs = transactions.map(({ submission }) => submission.envelope)
  const component = xdr.TxSetComponent.txsetCompTxsMaybeDiscountedFee(
    new xdr.TxSetComponentTxsMaybeDiscountedFee({ baseFee: BASE_FEE, txs }),
  )
  return xdr.GeneralizedTransactionSet.v1TxSet(
    new xdr.TransactionSetV1({
      previousLedgerHash,
      phases: [
        xdr.TransactionPhase.v0Components(txs.length === 0 ? [] : [component]),
        xdr.TransactionPhase.v0Components([]),
      ],
    }),
  )
}

const resultPairOf = ({ submission, result }: AppliedTransaction): xdr.TransactionResultPair =>
  new xdr.TransactionResultPair({ transactionHash: Buffer.from(submission.id, 'hex'), result })

type Closing = {
  readonly previous: ClosedLedger | undefined
  readonly moment: LedgerMoment
  readonly transactions: readonly AppliedTransaction[]
  readonly lastOfferId: bigint
}

/**
 * Seals a ledger: the header holds the hashes of the previous header, the transactions and their results. A digest of
 * all changes takes the place of the bucket list.
 */
export const sealLedger = ({ previous, moment, transactions, lastOfferId }: Closing): ClosedLedger => {
  const previousHash = previous === undefined ? Buffer.alloc(HASH_BYTES) : Buffer.from(previous.hash, 'hex')
  const results = new xdr.TransactionResultSet({ results: transactions.map(resultPairOf) })
  const metas = transactions.map(({ meta }) => meta.toXdr())
  const feesBefore = previous === undefined ? 0n : previous.header.feePool
  const header = new xdr.LedgerHeader({
    ledgerVersion: PROTOCOL_VERSION,
    previousLedgerHash: previousHash,
    scpValue: new xdr.StellarValue({
      txSetHash: digest(transactionSetOf(previousHash, transactions).toXdr()),
      closeTime: moment.closeTime,
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: digest(results.toXdr()),
    bucketListHash: digest(
      previous === undefined ? Buffer.alloc(HASH_BYTES) : previous.header.bucketListHash.value,
      ...metas,
    ),
    ledgerSeq: moment.sequence,
    totalCoins: TOTAL_STROOPS,
    feePool: transactions.reduce((sum, { result }) => sum + result.feeCharged, feesBefore),
    inflationSeq: 0,
    idPool: lastOfferId,
    baseFee: Number(BASE_FEE),
    baseReserve: Number(BASE_RESERVE),
    maxTxSetSize: MAX_TRANSACTIONS,
    skipList: Array.from({ length: SKIPPED_LEDGERS }, () => Buffer.alloc(HASH_BYTES)),
    ext: xdr.LedgerHeaderExt.v0(),
  })
  return { ...moment, hash: digest(header.toXdr()).toString('hex'), header, transactions }
}

/** The header with its hash. */
export const headerEntryOf = ({ hash, header }: ClosedLedger): xdr.LedgerHeaderHistoryEntry =>
  new xdr.LedgerHeaderHistoryEntry({
    hash: Buffer.from(hash, 'hex'),
    header,
    ext: xdr.LedgerHeaderHistoryEntryExt.v0(),
  })

/** A ledger's close meta, as indexers read it. */
export const closeMetaOf = (ledger: ClosedLedger): xdr.LedgerCloseMeta =>
  xdr.LedgerCloseMeta.v2(
    new xdr.LedgerCloseMetaV2({
      ext: xdr.LedgerCloseMetaExt.v0(),
      ledgerHeader: headerEntryOf(ledger),
      txSet: transactionSetOf(ledger.header.previousLedgerHash.value, ledger.transactions),
      txProcessing: ledger.transactions.map(
        (transaction) =>
          new xdr.TransactionResultMetaV1({
            ext: xdr.ExtensionPoint.v0(),
            result: resultPairOf(transaction),
            feeProcessing: [...transaction.feeChanges],
            txApplyProcessing: transaction.meta,
            postTxApplyFeeProcessing: [],
          }),
      ),
      upgradesProcessing: [],
      scpInfo: [],
      totalByteSizeOfLiveSorobanState: 0n,
      evictedKeys: [],
    }),
  )
