import type { AccountEntry } from './entries.ts'
import { type EntryView, findAccount } from './entry-view.ts'

/** The reserve of one ledger entry in stroops: 0.5 XLM. */
export const BASE_RESERVE = 5_000_000n

const ACCOUNT_RESERVES = 2
const MAX_SUBENTRIES = 1000

/** An account's minimum balance in stroops. Source: CAP-33. */
const minimumBalance = ({ subentries, sponsoring, sponsored }: AccountEntry): bigint =>
  BigInt(ACCOUNT_RESERVES + subentries + sponsoring - sponsored) * BASE_RESERVE

/** An account's spendable stroops: its balance less minimum balance and selling liabilities. May be negative. */
export const availableBalance = (account: AccountEntry): bigint =>
  account.balance - minimumBalance(account) - account.selling

/** Active sponsorships of the running transaction: sponsor by sponsored address. */
export type Sponsorships = Map<string, string>

/** Why an entry's reserve cannot be held. */
export type ReserveFault = 'LowReserve' | 'tooManySubentries'

/** A held reserve, with its sponsor if there is one. */
export type Reserved = { readonly sponsor: string | undefined }

/**
 * Holds one base reserve for a new entry of an existing account, from the sponsor's balance when the account is
 * sponsored, else from its own.
 */
export const reserveSubentry = (
  view: EntryView,
  sponsorships: Sponsorships,
  owner: string,
): Reserved | ReserveFault => {
  const account = findAccount(view, owner)
  if (account === undefined || account.subentries >= MAX_SUBENTRIES) return 'tooManySubentries'
  const sponsor = sponsorships.get(owner)
  if (sponsor === undefined) {
    if (availableBalance(account) < BASE_RESERVE) return 'LowReserve'
    view.put({ ...account, subentries: account.subentries + 1 })
    return { sponsor }
  }
  if (!holdFor(view, sponsor, 1)) return 'LowReserve'
  view.put({ ...account, subentries: account.subentries + 1, sponsored: account.sponsored + 1 })
  return { sponsor }
}

/** Releases what `reserveSubentry` held. */
export const releaseSubentry = (view: EntryView, owner: string, sponsor: string | undefined): void => {
  const account = findAccount(view, owner)
  if (account === undefined) return
  const sponsored = account.sponsored - (sponsor === undefined ? 0 : 1)
  view.put({ ...account, subentries: account.subentries - 1, sponsored })
  if (sponsor !== undefined) releaseFor(view, sponsor, 1)
}

/** Charges base reserves to the sponsor; false when its balance is too small. */
export const holdFor = (view: EntryView, sponsor: string, count: number): boolean => {
  const account = findAccount(view, sponsor)
  if (account === undefined || availableBalance(account) < BigInt(count) * BASE_RESERVE) return false
  view.put({ ...account, sponsoring: account.sponsoring + count })
  return true
}

/** Releases base reserves of a sponsor. */
export const releaseFor = (view: EntryView, sponsor: string, count: number): void => {
  const account = findAccount(view, sponsor)
  if (account !== undefined) view.put({ ...account, sponsoring: account.sponsoring - count })
}

/** Base reserves of the account entry itself. */
export const RESERVES_OF_ACCOUNT = ACCOUNT_RESERVES
