import { z } from 'zod'
import { operatorOf } from '../chains/rpc/operators.ts'

/** A chain in the public list of EVM chains, as far as endpoints go. */
const ListedChain = z.object({
  chainId: z.int().positive(),
  nativeCurrency: z.object({ symbol: z.string().regex(/^[!-~]{1,20}$/) }),
  rpc: z.array(z.string()),
  status: z.string().optional(),
  /** Such as `reusedChainId`. */
  redFlags: z.array(z.string()).default([]),
})
type ListedChain = z.infer<typeof ListedChain>

/** The public list of EVM chains; an entry is parsed when its chain is wanted. Source: ethereum-lists/chains. */
export const ChainList = z.array(z.unknown())
export type ChainList = z.infer<typeof ChainList>

/** An EVM chain whose endpoints are wanted. */
export type WantedChain = {
  readonly chainNumber: number
  readonly symbol: string
  /** The endpoints that other sources name. */
  readonly known: readonly string[]
}

/** Endpoints that are added to the known ones, or why the list's entry gives none. */
export type ListedEndpoints = { readonly urls: readonly string[] } | { readonly reason: string }

/** The list adds endpoints until a chain has so many operators: with three, a majority outlives the loss of one. */
const ENOUGH_OPERATORS = 3
const LONGEST_URL = 200
/** The endpoints of an entry that are looked at. */
const MOST_URLS = 100

/** Operators whose listed endpoints ended or now need a key. Sources: tahowallet/extension#3808, DefiLlama/chainlist#502, ethereum-lists/chains#3464, blastapi.io. */
const ENDED_OPERATORS: ReadonlySet<string> = new Set([
  'ankr.com',
  'blastapi.io',
  'bwarelabs.com',
  'chainstacklabs.com',
  'pokt.network',
])

/** Whether an endpoint's address holds somebody's key: those are not ours to use. */
export const holdsKey = (url: string): boolean => /apikey=|[0-9a-f]{32}/i.test(url)

/** Whether a source may name an address: https at a public name, as it is shown; not one of the operator's own network. */
export const isPublicPlace = (text: string): boolean => {
  const url = text.length <= LONGEST_URL && /^[!-~]+$/.test(text) ? URL.parse(text) : null
  return (
    url?.protocol === 'https:' &&
    `${url.username}${url.password}` === '' &&
    /^([a-z0-9-]+\.)+[a-z]{2,}$/.test(url.hostname) &&
    !/\.(local|localhost|internal|test|invalid)$/.test(url.hostname)
  )
}

/** Whether an address that the list names is an endpoint that anybody may ask: public, without a key or a place for one. */
const isPublicEndpoint = (text: string): boolean =>
  isPublicPlace(text) && !/[$,?#]/.test(text) && !holdsKey(text) && !ENDED_OPERATORS.has(operatorOf(text))

const numberOf = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null && 'chainId' in entry ? entry.chainId : undefined

/** Symbols are compared without the `t` that test networks put before theirs. */
const isSameSymbol = (one: string, other: string): boolean => {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()]
  return first === second || first === `t${second}` || second === `t${first}`
}

const whyNot = (
  { nativeCurrency, status, redFlags }: ListedChain,
  { symbol }: WantedChain,
): string | undefined => {
  if (redFlags.length > 0) return 'the chain list warns of the chain id'
  if (status !== undefined && status !== 'active') return 'the chain list does not call the chain active'
  return isSameSymbol(nativeCurrency.symbol, symbol)
    ? undefined
    : `the chain list has another chain of this id, with ${nativeCurrency.symbol} instead of ${symbol}`
}

/** One endpoint of each operator that is not known yet, until there are enough operators. */
const ofNewOperators = (urls: readonly string[], known: readonly string[]): readonly string[] => {
  const operators = new Set(known.map(operatorOf))
  return urls.slice(0, MOST_URLS).filter((url) => {
    if (operators.size >= ENOUGH_OPERATORS || !isPublicEndpoint(url) || operators.has(operatorOf(url)))
      return false
    operators.add(operatorOf(url))
    return true
  })
}

/** The endpoints that the public list adds to those of a chain: none if it says nothing of the chain, or nothing new. */
export const listedEndpoints = (list: ChainList, wanted: WantedChain): ListedEndpoints => {
  const entries = list.filter((entry) => numberOf(entry) === wanted.chainNumber)
  if (entries.length === 0) return { urls: [] }
  if (entries.length > 1) return { reason: 'the chain list has several chains of this id' }
  const parsed = ListedChain.safeParse(entries[0])
  if (!parsed.success) return { reason: 'its entry in the chain list is malformed' }
  const reason = whyNot(parsed.data, wanted)
  return reason === undefined ? { urls: ofNewOperators(parsed.data.rpc, wanted.known) } : { reason }
}
