import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { comparableAddress } from '../core/comparable-address.ts'
import type { NetworkFile } from './sync-network.ts'

/** An entry that a new network file adds, removes or changes; `fields` are the changed members. */
export type NetworkChange = {
  readonly entry: string
  readonly kind: 'added' | 'removed' | 'changed'
  readonly fields: readonly string[]
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

const changedFields = (
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )

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
    after.has(key) ? [] : [{ entry: nameOf(key, value), kind: 'removed', fields: [] }],
  )
  const others = [...after].flatMap(([key, value]): readonly NetworkChange[] => {
    const old = before.get(key)
    if (old === undefined) return [{ entry: nameOf(key, value), kind: 'added', fields: [] }]
    const fields = changedFields(old, value)
    return fields.length === 0 ? [] : [{ entry: nameOf(key, value), kind: 'changed', fields }]
  })
  return [...removed, ...others]
}
