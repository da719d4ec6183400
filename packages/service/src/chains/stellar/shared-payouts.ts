import type { PaymentChainHead, SharedAccounts } from '../payment-chain.ts'
import { PaymentError } from '../payment-error.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { readAccount } from './account-reader.ts'
import { bidOf, buildPayout } from './payout-signer.ts'
import { loadStellarSdk, type StellarSdk } from './sdk.ts'
import { parseSigned, writeSigned } from './signed-text.ts'
import type { AssetOfToken } from './token-assets.ts'

type Deps = {
  readonly pool: RpcPool
  readonly passphrase: string
  readonly assetOf: AssetOfToken
  readonly head: () => PaymentChainHead | undefined
  readonly deadlineMs: number
}

/** Claiming a balance and paying. */
const MOST_OPERATIONS = 2n
/** By how much the bids of two that read the ledger's fee at different times may differ. */
const BID_MARGIN = 4n

const parse = (
  { TransactionBuilder, Transaction }: StellarSdk,
  passphrase: string,
  rawTransaction: string,
) => {
  const { envelopeXdr } = parseSigned(rawTransaction)
  let parsed: ReturnType<typeof TransactionBuilder.fromXdr> | undefined
  try {
    parsed = TransactionBuilder.fromXdr(envelopeXdr, passphrase)
  } catch {
    // It is told below that these bytes are none.
  }
  if (!(parsed instanceof Transaction)) throw new RangeError('expected a transaction of Stellar')
  return parsed
}

type Parsed = ReturnType<typeof parse>

const hashOf = (transaction: Parsed): string => Buffer.from(transaction.hash()).toString('hex')

/** What the service decides about a payout's transaction, within bounds. */
const termsOf = ({ sequence, fee, timeBounds }: Parsed) => ({
  sequence: BigInt(sequence) - 1n,
  fee: BigInt(fee),
  maxTimeSeconds: Number(timeBounds?.maxTime ?? 0),
})

const hasSigned = ({ Keypair }: StellarSdk, transaction: Parsed, signer: string): boolean => {
  const key = Keypair.fromPublicKey(signer)
  return transaction.signatures.some(({ signature }) => key.verify(transaction.hash(), signature.value))
}

/**
 * What the signers of a shared account need of its payouts. A payout is compared as a whole: who knows what is owed builds
 * the transaction anew, and only equal bytes count.
 */
export const createSharedPayouts = (
  deps: Deps,
): Pick<SharedAccounts, 'readPayout' | 'signatureOf' | 'addSignature' | 'payoutBounds' | 'sourceOf'> => {
  const { pool, passphrase, assetOf, head, deadlineMs } = deps
  const read = async (rawTransaction: string) => {
    const sdk = await loadStellarSdk()
    return { sdk, transaction: parse(sdk, passphrase, rawTransaction) }
  }
  const known = (): PaymentChainHead => {
    const seen = head()
    if (seen === undefined) throw new RpcError('NO_HEAD', 'the ledger cannot be read')
    return seen
  }
  return {
    sourceOf: async (rawTransaction) => (await read(rawTransaction)).transaction.source,
    readPayout: async (rawTransaction, { payout, account, channels, signedBy }) => {
      const { sdk, transaction } = await read(rawTransaction)
      const { source } = transaction
      if (source !== account && !channels.includes(source))
        throw new RangeError(`${source} is neither ${account} nor one of its channels`)
      const { sequence, fee, maxTimeSeconds } = termsOf(transaction)
      const rebuilt = buildPayout(sdk, passphrase, payout, {
        account,
        source,
        sequence,
        bid: fee / BigInt(Math.max(1, transaction.operations.length)),
        maxTimeSeconds,
        asset: assetOf(payout.token),
      })
      if (hashOf(rebuilt) !== hashOf(transaction))
        throw new RangeError('the transaction is not the payout that is owed')
      if (!hasSigned(sdk, transaction, signedBy)) throw new RangeError(`${signedBy} has not signed`)
      return {
        txHash: hashOf(transaction),
        source,
        sequence,
        fee,
        maxTimeSeconds,
        // The times beside the envelope are the sender's word: later they would decide whether the transaction is dead.
        rawTransaction: writeSigned({
          envelopeXdr: transaction.toEnvelope().toXdr('base64'),
          maxTimeSeconds,
          signedAfterSeconds: known().timestampSeconds,
        }),
      }
    },
    signatureOf: async (rawTransaction, secret) => {
      const { sdk, transaction } = await read(rawTransaction)
      return Buffer.from(sdk.Keypair.fromSecret(secret).sign(transaction.hash())).toString('base64')
    },
    addSignature: async (rawTransaction, signer, signature) => {
      const { sdk, transaction } = await read(rawTransaction)
      const bytes = Buffer.from(signature, 'base64')
      if (!sdk.Keypair.fromPublicKey(signer).verify(transaction.hash(), bytes))
        throw new RangeError(`the signature is not ${signer}'s`)
      if (!hasSigned(sdk, transaction, signer)) transaction.addSignature(signer, signature)
      const { maxTimeSeconds, signedAfterSeconds } = parseSigned(rawTransaction)
      const envelopeXdr = transaction.toEnvelope().toXdr('base64')
      return writeSigned({ envelopeXdr, maxTimeSeconds, signedAfterSeconds })
    },
    payoutBounds: async (account) => {
      const { paymentFee } = known()
      const sdk = await loadStellarSdk()
      const found = await pool.agree({
        work: async (ask) => (await readAccount(sdk, ask, account, [])).account,
        keyOf: (one) => one?.sequence.toString() ?? 'none',
        blames: false,
        deadlineMs,
      })
      if (found === undefined) throw new PaymentError('NO_ACCOUNT', `account ${account} does not exist`)
      return { sequence: found.sequence, fee: bidOf(paymentFee) * BID_MARGIN * MOST_OPERATIONS }
    },
  }
}
