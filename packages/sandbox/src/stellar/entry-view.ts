import type { AssetName } from './asset-name.ts'
import {
  type AccountEntry,
  accountKey,
  type Entry,
  entryKey,
  type OfferEntry,
  type TrustlineEntry,
  trustlineKey,
} from './entries.ts'

/** An entry with the ledger that last changed it. */
export type StoredEntry = { readonly entry: Entry; readonly modifiedIn: number }

/** The change of one key; both sides are absent for an entry created and removed in the same step. */
export type EntryDelta = {
  readonly key: string
  readonly before: StoredEntry | undefined
  readonly after: StoredEntry | undefined
}

/** The ledger's entries as one step sees them: its own changes on top of the ground below. */
export type EntryView = {
  readonly find: (key: string) => StoredEntry | undefined
  readonly put: (entry: Entry) => void
  readonly remove: (key: string) => void
  readonly keys: () => Iterable<string>
  /** This step's changes, in order of the first change. */
  readonly deltas: () => readonly EntryDelta[]
  /** Writes the changes to the ground below; without it they are discarded. */
  readonly commit: () => void
}

type Ground = Pick<EntryView, 'find' | 'keys'> & {
  readonly write: (key: string, stored: StoredEntry | undefined) => void
}

/** The entries of all closed ledgers. */
export const createEntryStore = (): Ground => {
  const entries = new Map<string, StoredEntry>()
  return {
    find: (key) => entries.get(key),
    keys: () => entries.keys(),
    write: (key, stored) => {
      if (stored === undefined) entries.delete(key)
      else entries.set(key, stored)
    },
  }
}

/** Creates a view for one step of the ledger with the given sequence; further views can be built on it. */
export const createEntryView = (ground: Ground, sequence: number): EntryView & Ground => {
  const changed = new Map<string, StoredEntry | undefined>()
  const find = (key: string): StoredEntry | undefined =>
    changed.has(key) ? changed.get(key) : ground.find(key)
  return {
    find,
    put: (entry) => {
      changed.set(entryKey(entry), { entry, modifiedIn: sequence })
    },
    remove: (key) => {
      changed.set(key, undefined)
    },
    write: (key, stored) => {
      changed.set(key, stored)
    },
    keys: () => [...new Set([...ground.keys(), ...changed.keys()])].filter((key) => find(key) !== undefined),
    deltas: () => [...changed].map(([key, after]) => ({ key, before: ground.find(key), after })),
    commit: () => {
      for (const [key, stored] of changed) ground.write(key, stored)
    },
  }
}

/** The part of a view that lookups need. */
export type EntryLookup = Pick<EntryView, 'find'>

/** The account of a G address, if there is one. */
export const findAccount = (view: EntryLookup, address: string): AccountEntry | undefined => {
  const entry = view.find(accountKey(address))?.entry
  return entry?.kind === 'account' ? entry : undefined
}

/** The account's trustline in the asset, if there is one. */
export const findTrustline = (
  view: EntryLookup,
  account: string,
  asset: AssetName,
): TrustlineEntry | undefined => {
  const entry = view.find(trustlineKey(account, asset))?.entry
  return entry?.kind === 'trustline' ? entry : undefined
}

/** Every offer, in no particular order. */
export const allOffers = (view: Pick<EntryView, 'find' | 'keys'>): readonly OfferEntry[] =>
  [...view.keys()].flatMap((key) => {
    if (!key.startsWith('offer ')) return []
    const entry = view.find(key)?.entry
    return entry?.kind === 'offer' ? [entry] : []
  })
