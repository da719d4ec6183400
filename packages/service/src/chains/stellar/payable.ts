import type { Instant } from '../../core/instant.ts'
import type { UnpayableReason } from '../../core/offer.ts'
import { createSharedReads } from '../../lib/shared-reads.ts'
import type { PaymentChain } from '../payment-chain.ts'
import { createAgreedPayable } from '../rpc/agreed-payable.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { readAccount, type StellarAccount, type Trustline } from './account-reader.ts'
import type { StellarAsset } from './asset-contract.ts'
import { accountBehind } from './muxed-account.ts'
import { loadStellarSdk } from './sdk.ts'
import type { StellarTiming } from './timing.ts'
import type { AssetOfToken } from './token-assets.ts'

type Deps = {
  readonly pool: RpcPool
  readonly assetOf: AssetOfToken
  readonly timing: StellarTiming
  readonly now: () => Instant
}

const CACHED_ACCOUNTS = 10_000
const MAX_AMOUNT = (1n << 63n) - 1n

const whyTrustlineCannot = (
  code: string,
  line: Trustline | undefined,
  amount: bigint,
): UnpayableReason | undefined => {
  if (line === undefined)
    return { reasonCode: 'no_trustline', reason: `the account has no trustline for ${code}` }
  if (!line.isAuthorized)
    return {
      reasonCode: 'not_authorised',
      reason: `the issuer has not authorised the account to hold ${code}`,
    }
  if (line.balance + line.buying + amount > line.limit)
    return {
      reasonCode: 'limit',
      reason: `the account's trustline takes ${line.limit - line.buying - line.balance} base units of ${code} at most`,
    }
  return undefined
}

const whyAccountCannot = (
  account: StellarAccount | undefined,
  asset: StellarAsset,
  amount: bigint,
): UnpayableReason | undefined => {
  if (account === undefined) return { reasonCode: 'no_account', reason: 'the account does not exist' }
  if (asset === 'native')
    return account.balance + account.buying + amount > MAX_AMOUNT
      ? { reasonCode: 'limit', reason: 'the account is full' }
      : undefined
  return whyTrustlineCannot(asset.code, account.trustline(asset), amount)
}

type ReadAccount = (account: string, token: string) => Promise<StellarAccount | undefined>

/**
 * Checks whether a recipient can receive an amount. Contracts are not paid; an account that requires its own memo
 * (SEP-29) can be paid at a muxed address only, because the payment's memo is in use. Accounts are cached for some
 * seconds and reads shared between callers.
 */
export const createPayableReader = ({
  pool,
  assetOf,
  timing,
  now,
}: Deps): Pick<PaymentChain, 'whyNotPayable' | 'agreedWhyNotPayable'> => {
  const share = createSharedReads<string, StellarAccount | undefined>({
    now,
    maxAgeMs: timing.accountMs,
    limit: CACHED_ACCOUNTS,
  })

  const readBy =
    (ask: RpcAsk): ReadAccount =>
    async (account, token) => {
      const asset = assetOf(token)
      return (await readAccount(await loadStellarSdk(), ask, account, [asset])).account
    }
  const recall: ReadAccount = (account, token) =>
    share(`${account} ${token}`, () => pool.work((ask) => readBy(ask)(account, token), timing.readMs))

  const whyNot = async (
    read: ReadAccount,
    ...[recipient, token, amount]: Parameters<PaymentChain['whyNotPayable']>
  ): Promise<UnpayableReason | undefined> => {
    const behind = accountBehind(recipient)
    if (behind === undefined)
      return { reasonCode: 'not_a_wallet', reason: 'contracts are not paid on Stellar, accounts are' }
    if (amount > MAX_AMOUNT)
      return { reasonCode: 'limit', reason: 'the amount is larger than the ledger can hold' }
    const asset = assetOf(token)
    const account = await read(behind.account, token)
    if (account?.wantsMemo === true && behind.muxedId === undefined)
      return {
        reasonCode: 'memo_required',
        reason: 'the account asks for a memo of its own with every payment (SEP-29): name a muxed address',
      }
    if (asset !== 'native' && asset.issuer === behind.account && account !== undefined) return undefined
    return whyAccountCannot(account, asset, amount)
  }
  const agreed = createAgreedPayable(
    { pool, now, deadlineMs: timing.readMs, maxAgeMs: timing.accountMs },
    (ask, ...asked) => whyNot(readBy(ask), ...asked),
  )
  return {
    whyNotPayable: (...asked) => whyNot(recall, ...asked),
    agreedWhyNotPayable: async (recipient, token, amount) => {
      // A token without an asset is no fault of the endpoints.
      assetOf(token)
      return agreed(recipient, token, amount)
    },
  }
}
