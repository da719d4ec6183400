import type { AccountEntry } from './entries.ts'
import { type EntryView, findAccount } from './entry-view.ts'

/** What one entry of the ledger keeps from its owner's balance, in stroops: 0.5 XLM. */
export const BASE_RESERVE = 5_000_000n

const ACCOUNT_RESERVES = 2
const MAX_SUBENTRIES = 1000

/** The balance in stroops that an account cannot go below. Source: CAP-33. */
const minimumBalance = ({ subentries, sponsoring, sponsored }: AccountEntry): bigint =>
  BigInt(ACCOUNT_RESERVES + subentries + sponsoring - sponsored) * BASE_RESERVE

/** What an account can spend in stroops: its balance over the minimum and over what its offers bind; negative below. */
export const availableBalance = (account: AccountEntry): bigint =>
  account.balance - minimumBalance(account) - account.selling

/** Who holds reserves for whom in the running transaction: sponsor by sponsored address. */
export type Sponsorships = Map<string, string>

/** Why a reserve cannot be set aside. */
export type ReserveFault = 'LowReserve' | 'tooManySubentries'

/** A reserve set aside, by the sponsor if there is one. */
export type Reserved = { readonly sponsor: string | undefined }

/**
 * Sets aside one base reserve for a new entry under an account, which must exist: from the sponsor's balance when
 * somebody sponsors the account, else from its own.
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

/** Gives back what `reserveSubentry` set aside. */
export const releaseSubentry = (view: EntryView, owner: string, sponsor: string | undefined): void => {
  const account = findAccount(view, owner)
  if (account === undefined) return
  const sponsored = account.sponsored - (sponsor === undefined ? 0 : 1)
  view.put({ ...account, subentries: account.subentries - 1, sponsored })
  if (sponsor !== undefined) releaseFor(view, sponsor, 1)
}

/** Makes the sponsor hold so many base reserves; false when its balance does not allow it. */
export const holdFor = (view: EntryView, sponsor: string, count: number): boolean => {
  const account = findAccount(view, sponsor)
  if (account === undefined || availableBalance(account) < BigInt(count) * BASE_RESERVE) return false
  view.put({ ...account, sponsoring: account.sponsoring + count })
  return true
}

/** Gives a sponsor so many base reserves back. */
export const releaseFor = (view: EntryView, sponsor: string, count: number): void => {
  const account = findAccount(view, sponsor)
  if (account !== undefined) view.put({ ...account, sponsoring: account.sponsoring - count })
}

/** How many base reserves an account itself takes. */
export const RESERVES_OF_ACCOUNT = ACCOUNT_RESERVES
