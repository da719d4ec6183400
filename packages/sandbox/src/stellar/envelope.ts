import { createHash } from 'node:crypto'
import { xdr } from '@stellar/stellar-sdk/base'
import { accountNameOf } from './address.ts'

/** A transaction with its signatures; amounts in stroops. The signatures are over the hash. */
export type SignedTransaction = {
  readonly hash: Buffer
  readonly source: string
  readonly fee: bigint
  /** The part of the fee reserved for contract resources. */
  readonly resourceFee: bigint
  /** Whether it declares the resources of its contract call. */
  readonly declaresResources: boolean
  readonly seqNum: bigint
  readonly conditions: xdr.PreconditionsV2
  readonly memo: xdr.Memo
  readonly operations: readonly xdr.Operation[]
  readonly signatures: readonly xdr.DecoratedSignature[]
}

/** The payer of another transaction's fee, and the most it pays. Source: CAP-15. */
export type FeeBump = {
  readonly hash: Buffer
  readonly source: string
  readonly fee: bigint
  readonly signatures: readonly xdr.DecoratedSignature[]
}

/** A submission: a transaction, alone or inside a fee bump. */
export type Submission = {
  readonly envelope: xdr.TransactionEnvelope
  readonly transaction: SignedTransaction
  readonly feeBump: FeeBump | undefined
  /** Its transaction hash in hex. */
  readonly id: string
  /** The account that pays the fee. */
  readonly feeSource: string
  readonly maxFee: bigint
}

const NO_CONDITIONS = {
  timeBounds: null,
  ledgerBounds: null,
  minSeqNum: null,
  minSeqAge: 0n,
  minSeqLedgerGap: 0,
  extraSigners: [],
}

const conditionsOf = (conditions: xdr.Preconditions): xdr.PreconditionsV2 => {
  switch (conditions.type) {
    case 'precondNone':
      return new xdr.PreconditionsV2(NO_CONDITIONS)
    case 'precondTime':
      return new xdr.PreconditionsV2({ ...NO_CONDITIONS, timeBounds: conditions.timeBounds })
    case 'precondV2':
      return conditions.v2
  }
}

const hashOf = (
  networkId: Uint8Array,
  taggedTransaction: xdr.TransactionSignaturePayloadTaggedTransaction,
): Buffer =>
  createHash('sha256')
    .update(new xdr.TransactionSignaturePayload({ networkId, taggedTransaction }).toXdr())
    .digest()

const Tagged = xdr.TransactionSignaturePayloadTaggedTransaction

const signedTransactionOf = (
  { tx, signatures }: xdr.TransactionV1Envelope,
  networkId: Uint8Array,
): SignedTransaction => ({
  hash: hashOf(networkId, Tagged.envelopeTypeTx(tx)),
  source: accountNameOf(tx.sourceAccount).address,
  fee: BigInt(tx.fee),
  resourceFee: tx.ext.type === 'sorobanData' ? tx.ext.sorobanData.resourceFee : 0n,
  declaresResources: tx.ext.type === 'sorobanData',
  seqNum: tx.seqNum,
  conditions: conditionsOf(tx.cond),
  memo: tx.memo,
  operations: tx.operations,
  signatures,
})

/**
 * Decodes a base64 envelope for the network id (SHA-256 of the passphrase); undefined when malformed or older than
 * protocol 13.
 */
export const readEnvelope = (text: string, networkId: Uint8Array): Submission | undefined => {
  let envelope: xdr.TransactionEnvelope
  try {
    envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64')
  } catch {
    return undefined
  }
  if (envelope.type === 'envelopeTypeTxV0') return undefined
  if (envelope.type === 'envelopeTypeTx') {
    const transaction = signedTransactionOf(envelope.v1, networkId)
    const { hash, source: feeSource, fee: maxFee } = transaction
    return { envelope, transaction, feeBump: undefined, id: hash.toString('hex'), feeSource, maxFee }
  }
  const { tx, signatures } = envelope.feeBump
  const transaction = signedTransactionOf(tx.innerTx.v1, networkId)
  const hash = hashOf(networkId, Tagged.envelopeTypeTxFeeBump(tx))
  const feeSource = accountNameOf(tx.feeSource).address
  const feeBump = { hash, source: feeSource, fee: tx.fee, signatures }
  return { envelope, transaction, feeBump, id: hash.toString('hex'), feeSource, maxFee: tx.fee }
}
