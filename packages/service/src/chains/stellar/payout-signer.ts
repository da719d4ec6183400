import { formatUnits } from '@openrfq/sdk'
import { isHash } from '../../core/hex.ts'
import type { Payout } from '../../core/payout.ts'
import type { PaymentChain, PaymentChainHead, SignedPayout } from '../payment-chain.ts'
import { PaymentError } from '../payment-error.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { readAccount, type StellarAccount } from './account-reader.ts'
import type { StellarAsset } from './asset-contract.ts'
import { readWindow } from './ledger-window.ts'
import { accountBehind } from './muxed-account.ts'
import { loadStellarSdk, type StellarSdk } from './sdk.ts'
import { accountOfSecret } from './secret-account.ts'
import { writeSigned } from './signed-text.ts'
import type { AssetOfToken } from './token-assets.ts'

type Deps = {
  readonly pool: RpcPool
  readonly passphrase: string
  readonly assetOf: AssetOfToken
  readonly head: () => PaymentChainHead | undefined
  readonly deadlineMs: number
}

/** How long a payment is valid by the ledger's clock. */
export const VALID_SECONDS = 60
/** The least remaining time worth signing for. */
const LEAST_SECONDS = 10
/** The bid is a maximum: the network charges every payment of a ledger the lowest accepted fee. */
const BID_FACTOR = 10n
const LEAST_BID = 10_000n
const MOST_BID = 20_000_000n
/** Of every Stellar asset. */
const DECIMALS = 7

type Signing = {
  readonly account: string
  readonly sequence: bigint
  readonly bid: bigint
  readonly maxTimeSeconds: number
  readonly asset: StellarAsset
}

const bidOf = (paymentFee: bigint): bigint => {
  const bid = paymentFee * BID_FACTOR
  if (bid < LEAST_BID) return LEAST_BID
  return bid > MOST_BID ? MOST_BID : bid
}

const build = (sdk: StellarSdk, passphrase: string, payout: Payout, secret: string, signing: Signing) => {
  const { account, sequence, bid, maxTimeSeconds, asset } = signing
  const transaction = new sdk.TransactionBuilder(new sdk.Account(account, sequence.toString()), {
    fee: bid.toString(),
    networkPassphrase: passphrase,
    memo: sdk.Memo.hash(payout.memo.slice(2)),
    timebounds: { minTime: 0, maxTime: maxTimeSeconds },
  })
    .addOperation(
      sdk.Operation.payment({
        destination: payout.recipient,
        asset: asset === 'native' ? sdk.Asset.native() : new sdk.Asset(asset.code, asset.issuer),
        amount: formatUnits(payout.amount, DECIMALS),
      }),
    )
    .build()
  transaction.sign(sdk.Keypair.fromSecret(secret))
  return transaction
}

const checkPayout = ({ recipient, amount, memo }: Payout): void => {
  if (accountBehind(recipient) === undefined)
    throw new RangeError(`recipient ${recipient} is no account: expected G… or M…`)
  if (amount <= 0n || amount >= 1n << 63n) throw new RangeError(`amount ${amount} cannot be paid`)
  if (!isHash(memo)) throw new RangeError(`memo ${memo} is not 32 bytes in hex`)
}

/** The paying account and the newest closed ledger known to its node. */
const readPayer = async (
  sdk: StellarSdk,
  ask: RpcAsk,
  payer: string,
  known: bigint,
): Promise<{ readonly account: StellarAccount | undefined; readonly closedAtSeconds: number }> => {
  const window = await readWindow(ask)
  const { account, ledger } = await readAccount(sdk, ask, payer, [])
  if (ledger < known || window.latestLedger < known)
    throw new RpcError('NODE_BEHIND', `node is behind, at ledger ${window.latestLedger}`)
  return { account, closedAtSeconds: window.latestLedgerCloseTime }
}

/**
 * Signs one payment with the paying account's next sequence number, so only one may be in flight. It is valid for a
 * minute by the ledger's clock, or until the payout's deadline. Rejects with less than ten seconds left.
 */
export const createPayoutSigner =
  ({ pool, passphrase, assetOf, head, deadlineMs }: Deps): PaymentChain['sign'] =>
  async (payout, secret): Promise<SignedPayout> => {
    checkPayout(payout)
    const account = accountOfSecret(secret)
    const asset = assetOf(payout.token)
    const seen = head()
    if (seen === undefined) throw new RpcError('NO_HEAD', 'the ledger cannot be read')
    const sdk = await loadStellarSdk()
    const payer = await pool.work((ask) => readPayer(sdk, ask, account, seen.number), deadlineMs)
    if (payer.account === undefined)
      throw new PaymentError('NO_ACCOUNT', `paying account ${account} does not exist`)
    const maxTimeSeconds = Math.min(
      payer.closedAtSeconds + VALID_SECONDS,
      payout.notAfterSeconds ?? Number.POSITIVE_INFINITY,
    )
    const leftSeconds = maxTimeSeconds - payer.closedAtSeconds
    if (leftSeconds < LEAST_SECONDS)
      throw new PaymentError(
        'TOO_LATE',
        `${leftSeconds} seconds are left for a payment, at least ${LEAST_SECONDS} are needed`,
      )
    const transaction = build(sdk, passphrase, payout, secret, {
      account,
      sequence: payer.account.sequence,
      bid: bidOf(seen.paymentFee),
      maxTimeSeconds,
      asset,
    })
    return {
      txHash: Buffer.from(transaction.hash()).toString('hex'),
      rawTransaction: writeSigned({
        envelopeXdr: transaction.toEnvelope().toXdr('base64'),
        maxTimeSeconds,
        signedAfterSeconds: payer.closedAtSeconds,
      }),
    }
  }
