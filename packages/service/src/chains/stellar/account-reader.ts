import assert from 'node:assert/strict'
import type { xdr } from '@stellar/stellar-sdk/base'
import type { AccountKeys } from '../../core/vault-signers.ts'
import { askFor } from '../rpc/ask-for.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { StellarAsset } from './asset-contract.ts'
import { LedgerEntries } from './rpc-answers.ts'
import type { StellarSdk } from './sdk.ts'
import { strKeyText } from './str-key.ts'

/** An account's holding of an issued asset, in base units. */
export type Trustline = {
  readonly balance: bigint
  /** The most it may hold, including what its offers would buy. */
  readonly limit: bigint
  readonly buying: bigint
  readonly selling: bigint
  /** Whether the issuer authorises it to receive and send. */
  readonly isAuthorized: boolean
  /** The ledger that changed it last. */
  readonly modifiedIn: number
}

/** An account as of a ledger; amounts in stroops. */
export type StellarAccount = {
  readonly sequence: bigint
  /** The ledger in which the account took its sequence number; undefined if that was before protocol 19. */
  readonly sequenceLedger: number | undefined
  /** The ledger that changed it last. */
  readonly modifiedIn: number
  readonly balance: bigint
  readonly buying: bigint
  /** The spendable balance: without reserve and selling liabilities, never below zero. */
  readonly spendable: bigint
  readonly keys: AccountKeys
  /** Whether the account asks for a memo with every payment that has no muxed id. Source: SEP-29. */
  readonly wantsMemo: boolean
  /** By the requested code and issuer. */
  readonly trustline: (asset: StellarAsset) => Trustline | undefined
}

/** An account, undefined if it does not exist, and the ledger that this is as of. */
export type AccountRead = { readonly ledger: number; readonly account: StellarAccount | undefined }

type AccountEntry = xdr.AccountEntry
type TrustlineEntry = xdr.TrustLineEntry

const BASE_RESERVE = 5_000_000n
const OWN_ENTRIES = 2
const AUTHORIZED_FLAG = 1
/** The entry by which an account asks payers for a memo, and its value. Source: SEP-29. */
export const MEMO_REQUIRED = { name: 'config.memo_required', value: '1' }

const liabilitiesOf = ({
  ext,
}: AccountEntry | TrustlineEntry): { readonly buying: bigint; readonly selling: bigint } =>
  ext.type === 'v1' ? ext.v1.liabilities : { buying: 0n, selling: 0n }

const secondExtension = ({ ext }: AccountEntry): xdr.AccountEntryExtensionV2 | undefined => {
  const further = ext.type === 'v1' ? ext.v1.ext : undefined
  return further?.type === 'v2' ? further.v2 : undefined
}

/** Source: CAP-21. */
const sequenceLedgerOf = (entry: AccountEntry): number | undefined => {
  const further = secondExtension(entry)?.ext
  return further?.type === 'v3' ? further.v3.seqLedger : undefined
}

/** Entries whose reserve the account holds: its own and those it sponsors, minus those sponsored by others. */
const reservedEntries = (entry: AccountEntry): number => {
  const { numSponsoring, numSponsored } = secondExtension(entry) ?? { numSponsoring: 0, numSponsored: 0 }
  return OWN_ENTRIES + entry.numSubEntries + numSponsoring - numSponsored
}

const spendableOf = (entry: AccountEntry): bigint => {
  const spendable =
    entry.balance - BigInt(reservedEntries(entry)) * BASE_RESERVE - liabilitiesOf(entry).selling
  return spendable > 0n ? spendable : 0n
}

/** An account's own key is that of its address. */
const keysOf = ({ accountId, thresholds, signers }: AccountEntry): AccountKeys => {
  const [own = 0, low = 0, medium = 0, high = 0] = thresholds.value
  const others = signers.map(({ key, weight }) => [signerText(key), weight] as const)
  return {
    weights: new Map(
      [[strKeyText('G', accountId.value.value), own] as const, ...others].filter(([, weight]) => weight > 0),
    ),
    thresholds: { low, medium, high },
  }
}

const signerText = (key: xdr.SignerKey): string =>
  key.type === 'signerKeyTypeEd25519'
    ? strKeyText('G', key.ed25519.value)
    : `${key.type} ${key.toXdr('base64')}`

const trustlineOf = (entry: TrustlineEntry, modifiedIn: number): Trustline => ({
  modifiedIn,
  balance: entry.balance,
  limit: entry.limit,
  ...liabilitiesOf(entry),
  isAuthorized: (entry.flags & AUTHORIZED_FLAG) !== 0,
})

const entriesOf = ({ xdr, Keypair, Asset }: StellarSdk, account: string, assets: readonly StellarAsset[]) => {
  const accountId = Keypair.fromPublicKey(account).xdrAccountId()
  const trustlineKey = (asset: StellarAsset): string | undefined =>
    asset === 'native' || asset.issuer === account
      ? undefined
      : xdr.LedgerKey.trustline(
          new xdr.LedgerKeyTrustLine({
            accountId,
            asset: new Asset(asset.code, asset.issuer).toTrustLineXdrObject(),
          }),
        ).toXdr('base64')
  return {
    account: xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId })).toXdr('base64'),
    memo: xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId, dataName: MEMO_REQUIRED.name })).toXdr(
      'base64',
    ),
    trustlines: new Map(assets.map((asset) => [asset, trustlineKey(asset)])),
  }
}

type Wanted = { readonly account: string; readonly assets: readonly StellarAsset[] }

/**
 * Reads accounts (G…) with trustlines, at most 200 entries with two of each account, all as of one ledger. Source:
 * Stellar RPC getLedgerEntries.
 */
export const readAccounts = async (
  sdk: StellarSdk,
  ask: RpcAsk,
  accounts: readonly Wanted[],
): Promise<readonly AccountRead[]> => {
  const all = accounts.map(({ account, assets }) => entriesOf(sdk, account, assets))
  const keys = all.flatMap(({ account, memo, trustlines }) => [account, memo, ...trustlines.values()])
  const { entries, latestLedger } = await askFor(
    ask,
    { method: 'getLedgerEntries', params: { keys: [...new Set(keys.filter((key) => key !== undefined))] } },
    LedgerEntries,
  )
  const found: Found = new Map(
    entries.map(({ key, xdr, lastModifiedLedgerSeq = latestLedger }) => [
      key,
      { data: sdk.xdr.LedgerEntryData.fromXdr(xdr, 'base64'), modifiedIn: lastModifiedLedgerSeq },
    ]),
  )
  return all.map((wanted) => accountFrom(found, wanted, latestLedger))
}

/** Reads an account (G…) and its trustlines of at most 100 assets, all as of one ledger. */
export const readAccount = async (
  sdk: StellarSdk,
  ask: RpcAsk,
  account: string,
  assets: readonly StellarAsset[],
): Promise<AccountRead> => {
  const [read] = await readAccounts(sdk, ask, [{ account, assets }])
  assert(read !== undefined, 'as many accounts as were asked for')
  return read
}

type Found = ReadonlyMap<string, { readonly data: xdr.LedgerEntryData; readonly modifiedIn: number }>

const isMemoRequired = (entry: xdr.LedgerEntryData | undefined): boolean =>
  entry?.type === 'data' && Buffer.from(entry.value.dataValue.value).toString() === MEMO_REQUIRED.value

const accountFrom = (
  found: Found,
  wanted: ReturnType<typeof entriesOf>,
  latestLedger: number,
): AccountRead => {
  const { data: entry, modifiedIn = latestLedger } = found.get(wanted.account) ?? {}
  if (entry?.type !== 'account') return { ledger: latestLedger, account: undefined }
  const trustline = (asset: StellarAsset): Trustline | undefined => {
    const line = found.get(wanted.trustlines.get(asset) ?? '')
    return line?.data.type === 'trustline' ? trustlineOf(line.data.value, line.modifiedIn) : undefined
  }
  return {
    ledger: latestLedger,
    account: {
      sequence: entry.value.seqNum,
      sequenceLedger: sequenceLedgerOf(entry.value),
      modifiedIn,
      balance: entry.value.balance,
      buying: liabilitiesOf(entry.value).buying,
      spendable: spendableOf(entry.value),
      keys: keysOf(entry.value),
      wantsMemo: isMemoRequired(found.get(wanted.memo)?.data),
      trustline,
    },
  }
}
