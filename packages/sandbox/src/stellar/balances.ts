import { type AssetName, issues, NATIVE } from './asset-name.ts'
import { MAX_INT64, TRUST_FLAGS, type TrustlineEntry } from './entries.ts'
import { type EntryLookup, type EntryView, findAccount, findTrustline } from './entry-view.ts'
import { availableBalance } from './reserves.ts'

/** Why an account cannot be paid an asset. */
export type CreditFault = 'NoDestination' | 'NoTrust' | 'NotAuthorized' | 'LineFull'

/** Why an account cannot pay an asset. */
export type DebitFault = 'SrcNoTrust' | 'SrcNotAuthorized' | 'Underfunded'

/** Whether the issuer allows the holder to send and receive. */
export const isAuthorized = ({ flags }: TrustlineEntry): boolean => (flags & TRUST_FLAGS.authorized) !== 0

/** Base units that the account can still receive: its trust limit less its balance and buying liabilities. */
export const roomFor = (view: EntryLookup, address: string, asset: AssetName): bigint => {
  if (issues(address, asset)) return MAX_INT64
  if (asset === NATIVE) {
    const account = findAccount(view, address)
    return account === undefined ? 0n : MAX_INT64 - account.balance - account.buying
  }
  const line = findTrustline(view, address, asset)
  return line === undefined || !isAuthorized(line) ? 0n : line.limit - line.balance - line.buying
}

/** Base units that the account can still pay: its balance less reserve and selling liabilities; never negative. */
export const fundsOf = (view: EntryLookup, address: string, asset: AssetName): bigint => {
  if (issues(address, asset)) return MAX_INT64
  if (asset === NATIVE) {
    const account = findAccount(view, address)
    const available = account === undefined ? 0n : availableBalance(account)
    return available > 0n ? available : 0n
  }
  const line = findTrustline(view, address, asset)
  return line === undefined || !isAuthorized(line) ? 0n : line.balance - line.selling
}

/** Pays an account; returns the fault when it cannot be paid. An issuer's own asset is burned. */
export const credit = (
  view: EntryView,
  address: string,
  asset: AssetName,
  amount: bigint,
): CreditFault | undefined => {
  const account = findAccount(view, address)
  if (account === undefined) return 'NoDestination'
  if (issues(address, asset)) return undefined
  const line = findTrustline(view, address, asset)
  if (asset !== NATIVE && line === undefined) return 'NoTrust'
  if (line !== undefined && !isAuthorized(line)) return 'NotAuthorized'
  if (roomFor(view, address, asset) < amount) return 'LineFull'
  if (line !== undefined) view.put({ ...line, balance: line.balance + amount })
  else view.put({ ...account, balance: account.balance + amount })
  return undefined
}

/** Takes from an account; returns the fault when it cannot pay. An issuer mints its own asset. */
export const debit = (
  view: EntryView,
  address: string,
  asset: AssetName,
  amount: bigint,
): DebitFault | undefined => {
  if (issues(address, asset)) return undefined
  const account = findAccount(view, address)
  const line = findTrustline(view, address, asset)
  if (account === undefined || (asset !== NATIVE && line === undefined)) return 'SrcNoTrust'
  if (line !== undefined && !isAuthorized(line)) return 'SrcNotAuthorized'
  if (fundsOf(view, address, asset) < amount) return 'Underfunded'
  if (line !== undefined) view.put({ ...line, balance: line.balance - amount })
  else view.put({ ...account, balance: account.balance - amount })
  return undefined
}
