import { formatUnits } from '@openrfq/sdk'
import { isHash } from '../../core/hex.ts'
import type { Instant } from '../../core/instant.ts'
import type { Payout } from '../../core/payout.ts'
import type { PaymentChainHead, SharedAccounts, SignedPayout } from '../payment-chain.ts'
import { PaymentError } from '../payment-error.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { readAccount, type StellarAccount } from './account-reader.ts'
import type { StellarAsset } from './asset-contract.ts'
import { readWindow } from './ledger-window.ts'
import { accountBehind } from './muxed-account.ts'
import { loadStellarSdk, type StellarSdk } from './sdk.ts'
import { writeSigned } from './signed-text.ts'
import { strKeyBytes } from './str-key.ts'
import type { AssetOfToken } from './token-assets.ts'

type Deps = {
  readonly pool: RpcPool
  readonly passphrase: string
  readonly assetOf: AssetOfToken
  readonly head: () => PaymentChainHead | undefined
  /** The clock of the ledgers' close times. */
  readonly wallTime: () => Instant
  readonly deadlineMs: number
}

/** How long a payment is valid by the ledger's clock. */
export const VALID_SECONDS = 60
/** The least remaining time worth signing for. */
const LEAST_SECONDS = 10
/** The greatest age of a node's newest ledger, so that enough time is left by our clock too. */
const OLDEST_CLOSE_SECONDS = VALID_SECONDS - LEAST_SECONDS
/** The bid is a maximum: the network charges every payment of a ledger the lowest accepted fee. */
const BID_FACTOR = 10n
const LEAST_BID = 10_000n
const MOST_BID = 20_000_000n
/** Of every Stellar asset. */
const DECIMALS = 7

/** What a payout's transaction consists of besides the payout. */
type PayoutTerms = {
  /** Who pays. */
  readonly account: string
  /** Whose sequence number the transaction uses, and who pays its fee. */
  readonly source: string
  /** The source's sequence number before the transaction. */
  readonly sequence: bigint
  /** For each operation, in stroops. */
  readonly bid: bigint
  readonly maxTimeSeconds: number
}

type Signing = PayoutTerms & { readonly asset: StellarAsset }

/** The bid for an operation at a fee of the ledger, in stroops. */
export const bidOf = (paymentFee: bigint): bigint => {
  const bid = paymentFee * BID_FACTOR
  if (bid < LEAST_BID) return LEAST_BID
  return bid > MOST_BID ? MOST_BID : bid
}

/** The unsigned transaction of a payout; equal arguments give equal bytes. */
export const buildPayout = (sdk: StellarSdk, passphrase: string, payout: Payout, signing: Signing) => {
  const { account, source, sequence, bid, maxTimeSeconds, asset } = signing
  const by = source === account ? {} : { source: account }
  const builder = new sdk.TransactionBuilder(new sdk.Account(source, sequence.toString()), {
    fee: bid.toString(),
    networkPassphrase: passphrase,
    memo: sdk.Memo.hash(payout.memo.slice(2)),
    timebounds: { minTime: 0, maxTime: maxTimeSeconds },
  })
  if (payout.claims !== undefined)
    builder.addOperation(
      sdk.Operation.claimClaimableBalance({ balanceId: balanceIdOf(payout.claims), ...by }),
    )
  return builder
    .addOperation(
      sdk.Operation.payment({
        destination: payout.recipient,
        asset: asset === 'native' ? sdk.Asset.native() : new sdk.Asset(asset.code, asset.issuer),
        amount: formatUnits(payout.amount, DECIMALS),
        ...by,
      }),
    )
    .build()
}

/** The id of a balance as the SDK takes it: type and hash in hex. */
const balanceIdOf = (balance: string): string =>
  `000000${Buffer.from(strKeyBytes('B', balance)).toString('hex')}`

const checkPayout = ({ recipient, amount, memo }: Payout): void => {
  if (accountBehind(recipient) === undefined)
    throw new RangeError(`recipient ${recipient} is no account: expected G… or M…`)
  if (amount <= 0n || amount >= 1n << 63n) throw new RangeError(`amount ${amount} cannot be paid`)
  if (!isHash(memo)) throw new RangeError(`memo ${memo} is not 32 bytes in hex`)
}

/** The agreed paying account, and the close times of newest ledgers, in seconds; those of one endpoint may be wrong. */
type Payer = {
  readonly account: StellarAccount | undefined
  readonly lowestCloseTime: number
  readonly highestCloseTime: number
}

/**
 * Asks a quorum for the account's sequence number. A sound endpoint's newest ledger, at most `OLDEST_CLOSE_SECONDS` old by
 * our clock, is among those whose close times it returns. A lone endpoint must have reached the known head.
 */
const readPayer = async (
  sdk: StellarSdk,
  { pool, wallTime, deadlineMs }: Pick<Deps, 'pool' | 'wallTime' | 'deadlineMs'>,
  payer: string,
  head: PaymentChainHead,
): Promise<Payer> => {
  const closeTimes: number[] = []
  const known = pool.quorum === 1 ? head.number : 0n
  const account = await pool.agree({
    work: async (ask) => {
      const { latestLedger, latestLedgerCloseTime } = await readWindow(ask)
      const ageSeconds = Math.floor(wallTime() / 1000) - latestLedgerCloseTime
      if (ageSeconds > OLDEST_CLOSE_SECONDS)
        throw new RpcError('NODE_BEHIND', `the newest ledger of the node is ${ageSeconds} seconds old`)
      const read = await readAccount(sdk, ask, payer, [])
      if (read.ledger < latestLedger || read.ledger < known)
        throw new RpcError('NODE_BEHIND', `node is behind, at ledger ${read.ledger}`)
      closeTimes.push(latestLedgerCloseTime)
      return read.account
    },
    keyOf: (found) => found?.sequence.toString() ?? 'none',
    blames: false,
    deadlineMs,
  })
  return {
    account,
    lowestCloseTime: Math.min(...closeTimes),
    highestCloseTime: Math.max(...closeTimes),
  }
}

/**
 * Signs one payment with its source's next sequence number as a quorum of endpoints tells it, so of each source only one may be
 * in flight. It is valid for a minute by the ledger's clock, or until the payout's deadline. Rejects without a quorum, and
 * with less than ten seconds left. One endpoint's wrong close time moves the end of validity by less than a minute.
 */
export const createPayoutSigner = (deps: Deps): SharedAccounts['signPayout'] => {
  const { passphrase, assetOf, head, wallTime } = deps
  return async (payout, { account, secret, source = account }): Promise<SignedPayout> => {
    checkPayout(payout)
    const asset = assetOf(payout.token)
    const seen = head()
    if (seen === undefined) throw new RpcError('NO_HEAD', 'the ledger cannot be read')
    const sdk = await loadStellarSdk()
    const payer = await readPayer(sdk, deps, source, seen)
    if (payer.account === undefined)
      throw new PaymentError('NO_ACCOUNT', `paying account ${source} does not exist`)
    const maxTimeSeconds = Math.min(
      // An endpoint may date its ledger some seconds ahead of our clock.
      Math.min(payer.highestCloseTime, Math.floor(wallTime() / 1000)) + VALID_SECONDS,
      payout.notAfterSeconds ?? Number.POSITIVE_INFINITY,
    )
    const leftSeconds = maxTimeSeconds - payer.highestCloseTime
    if (leftSeconds < LEAST_SECONDS)
      throw new PaymentError(
        'TOO_LATE',
        `${leftSeconds} seconds are left for a payment, at least ${LEAST_SECONDS} are needed`,
      )
    const transaction = buildPayout(sdk, passphrase, payout, {
      account,
      source,
      sequence: payer.account.sequence,
      bid: bidOf(seen.paymentFee),
      maxTimeSeconds,
      asset,
    })
    transaction.sign(sdk.Keypair.fromSecret(secret))
    return {
      txHash: Buffer.from(transaction.hash()).toString('hex'),
      rawTransaction: writeSigned({
        envelopeXdr: transaction.toEnvelope().toXdr('base64'),
        maxTimeSeconds,
        signedAfterSeconds: payer.lowestCloseTime,
      }),
    }
  }
}
