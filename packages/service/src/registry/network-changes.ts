import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { comparableAddress } from '../core/comparable-address.ts'
import type { NetworkFile } from './sync-network.ts'

/** A value of an entry that changes, by its place in it; undefined where it has none. */
type ChangedValue = { readonly place: string; readonly before: unknown; readonly after: unknown }

/** An entry that a new network file adds, removes or changes; `fields` are the changed members, `values` what changes in them. */
export type NetworkChange = {
  readonly entry: string
  readonly kind: 'added' | 'removed' | 'changed'
  readonly fields: readonly string[]
  readonly values: readonly ChangedValue[]
}

const Entry = z.looseObject({ chainId: z.string() })
const Chains = z.array(Entry)
const Tokens = z.array(Entry.extend({ address: z.string(), symbol: z.string() }))

/** What the comparison reads of a network file of any version. */
export const WrittenFile = z.looseObject({ chains: Chains, tokens: Tokens, axelar: z.unknown() })
export type WrittenFile = z.infer<typeof WrittenFile>

type Entries = ReadonlyMap<string, Readonly<Record<string, unknown>>>

const entriesOf = ({ chains, tokens, axelar }: WrittenFile): Entries =>
  new Map<string, Readonly<Record<string, unknown>>>([
    ...chains.map((chain) => [`chain ${chain.chainId}`, chain] as const),
    ...tokens.map((token) => [`token ${token.chainId} ${comparableAddress(token.address)}`, token] as const),
    ['axelar', { axelar }],
  ])

type Members = Readonly<Record<string, unknown>>

const namesOf = (before: Members, after: Members): readonly string[] => [
  ...new Set([...Object.keys(before), ...Object.keys(after)]),
]

const changedFields = (before: Members, after: Members): readonly string[] =>
  namesOf(before, after).filter((name) => !isDeepStrictEqual(before[name], after[name]))

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What changes between two values; lists change whole. */
const changedValues = (place: string, before: unknown, after: unknown): readonly ChangedValue[] => {
  if (isDeepStrictEqual(before, after)) return []
  if (!isMembers(before) || !isMembers(after)) return [{ place, before, after }]
  return namesOf(before, after).flatMap((name) =>
    changedValues(place === '' ? name : `${place}.${name}`, before[name], after[name]),
  )
}

/** What the new file changes of the written one, entry by entry; everything is added where none is written. */
export const networkChanges = (
  written: WrittenFile | undefined,
  file: NetworkFile,
): readonly NetworkChange[] => {
  // Through JSON, because that is what the file will hold.
  const after = entriesOf(WrittenFile.parse(JSON.parse(JSON.stringify(file))))
  const before: Entries = written === undefined ? new Map() : entriesOf(written)
  const nameOf = (key: string, value: Readonly<Record<string, unknown>>): string =>
    typeof value['symbol'] === 'string' ? `${key} (${value['symbol']})` : key
  const removed = [...before].flatMap(([key, value]): readonly NetworkChange[] =>
    after.has(key) ? [] : [{ entry: nameOf(key, value), kind: 'removed', fields: [], values: [] }],
  )
  const others = [...after].flatMap(([key, value]): readonly NetworkChange[] => {
    const old = before.get(key)
    if (old === undefined) return [{ entry: nameOf(key, value), kind: 'added', fields: [], values: [] }]
    const fields = changedFields(old, value)
    return fields.length === 0
      ? []
      : [{ entry: nameOf(key, value), kind: 'changed', fields, values: changedValues('', old, value) }]
  })
  return [...removed, ...others]
}
