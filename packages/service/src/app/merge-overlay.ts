import { comparableAddress } from '../core/comparable-address.ts'

/** A place in a document: members and indices from its root. */
type Path = readonly PropertyKey[]
type Members = Readonly<Record<string, unknown>>

/** A network file and its overlay as one document, not validated. */
export type MergedNetwork = {
  readonly network: unknown
  /** Where a place of the merged document is written: in the overlay or in the network file. */
  readonly locate: (path: Path) => { readonly isOverlay: boolean; readonly path: Path }
}

/** The positions that an entry of a merged list has in the network file and in the overlay. */
type Origin = { readonly base: number | undefined; readonly overlay: number | undefined }
type MergedList = { readonly entries: unknown; readonly origins: readonly Origin[] }

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members of the overlay take the place of those of the file; null removes one. Lists are replaced whole. */
const mergeValue = (base: unknown, overlay: unknown): unknown => {
  if (!isObject(base) || !isObject(overlay)) return overlay
  const names = new Set([...Object.keys(base), ...Object.keys(overlay)])
  return Object.fromEntries(
    [...names]
      .filter((name) => overlay[name] !== null)
      .map((name) => [
        name,
        Object.hasOwn(overlay, name) ? mergeValue(base[name], overlay[name]) : base[name],
      ]),
  )
}

const keyOf = (entry: unknown): string | undefined => {
  if (!isObject(entry) || typeof entry['chainId'] !== 'string') return undefined
  const { chainId, address } = entry
  return typeof address === 'string' ? `${chainId} ${comparableAddress(address)}` : chainId
}

/** Whether an entry of the overlay only takes the file's entry out. */
const isOmission = (entry: unknown): boolean => isObject(entry) && entry['omit'] === true

/** Entries of one key are one; those that only the overlay has follow the file's. */
const mergeList = (base: unknown, overlay: unknown): MergedList => {
  if (overlay === undefined || !Array.isArray(overlay) || (base !== undefined && !Array.isArray(base))) {
    const entries = overlay === undefined ? base : overlay
    const count = Array.isArray(entries) ? entries.length : 0
    const origins = Array.from({ length: count }, (_, index) =>
      overlay === undefined ? { base: index, overlay: undefined } : { base: undefined, overlay: index },
    )
    return { entries, origins }
  }
  const written: readonly unknown[] = base ?? []
  const places = new Map<string, number>()
  for (const [index, entry] of overlay.entries()) {
    const key = keyOf(entry)
    if (key !== undefined) places.set(key, index)
  }
  const taken = new Set<number>()
  const merged: { readonly entry: unknown; readonly origin: Origin }[] = []
  for (const [index, entry] of written.entries()) {
    const place = places.get(keyOf(entry) ?? '')
    if (place === undefined) {
      merged.push({ entry, origin: { base: index, overlay: undefined } })
      continue
    }
    taken.add(place)
    if (!isOmission(overlay[place]))
      merged.push({ entry: mergeValue(entry, overlay[place]), origin: { base: index, overlay: place } })
  }
  for (const [index, entry] of overlay.entries())
    if (!taken.has(index)) merged.push({ entry, origin: { base: undefined, overlay: index } })
  return { entries: merged.map(({ entry }) => entry), origins: merged.map(({ origin }) => origin) }
}

const omittedChains = (overlay: Members): ReadonlySet<unknown> => {
  const chains: unknown = overlay['chains']
  return new Set(
    Array.isArray(chains) ? chains.filter(isOmission).map((chain: Members) => chain['chainId']) : [],
  )
}

/** Without the tokens of chains that the overlay omits. */
const withoutTokensOf = (omitted: ReadonlySet<unknown>, { entries, origins }: MergedList): MergedList => {
  if (!Array.isArray(entries) || omitted.size === 0) return { entries, origins }
  const isKept = (entry: unknown): boolean => !isObject(entry) || !omitted.has(entry['chainId'])
  return { entries: entries.filter(isKept), origins: origins.filter((_, index) => isKept(entries[index])) }
}

const holds = (document: unknown, path: Path): boolean => {
  const [first, ...rest] = path
  if (first === undefined) return true
  if (typeof document !== 'object' || document === null || !Object.hasOwn(document, first)) return false
  return holds(Reflect.get(document, first), rest)
}

/**
 * Lays an overlay over a network file: chains with one `chainId` and tokens with one `chainId` and `address` become one
 * entry; `"omit": true` takes an entry out, a chain with its tokens.
 */
export const mergeOverlay = (base: unknown, overlay: unknown): MergedNetwork => {
  if (!isObject(base) || !isObject(overlay))
    return {
      network: isObject(overlay) ? base : overlay,
      locate: (path) => ({ isOverlay: !isObject(overlay), path }),
    }
  const chains = mergeList(base['chains'], overlay['chains'])
  const tokens = withoutTokensOf(omittedChains(overlay), mergeList(base['tokens'], overlay['tokens']))
  const { chains: _, tokens: __, ...others } = overlay
  const rest = Object.fromEntries(Object.entries(Object(mergeValue(base, others))))
  const origins: Readonly<Record<string, readonly Origin[]>> = {
    chains: chains.origins,
    tokens: tokens.origins,
  }
  const locate = (path: Path): ReturnType<MergedNetwork['locate']> => {
    const [list, index, ...inner] = path
    const origin = typeof list === 'string' && typeof index === 'number' ? origins[list]?.[index] : undefined
    if (list === undefined || origin === undefined) return { isOverlay: holds(overlay, path), path }
    const inOverlay: Path = [list, origin.overlay ?? 0, ...inner]
    const isOverlay = origin.base === undefined || (origin.overlay !== undefined && holds(overlay, inOverlay))
    return { isOverlay, path: isOverlay ? inOverlay : [list, origin.base, ...inner] }
  }
  return {
    network: {
      ...rest,
      ...(chains.entries === undefined ? {} : { chains: chains.entries }),
      ...(tokens.entries === undefined ? {} : { tokens: tokens.entries }),
    },
    locate,
  }
}
