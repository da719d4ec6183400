import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import { createLru } from '../../lib/lru.ts'
import { type ClientSums, type Position, unowedOf } from './position.ts'

/** An account with the token that it pays. */
export type Source = { readonly chainId: ChainId; readonly token: string; readonly sender: string }

/** Who asks for a quote: the client by the key of its limits, and the input in base units that its sender is known to hold. */
export type Asker = { readonly client: string; readonly held: bigint }

/** A quote's claim on a position; amounts in base units. */
export type QuoteClaim = {
  readonly position: Position
  readonly source: Source
  readonly sourceKey: string
  /** The source with the token that it wants. */
  readonly pairKey: string
  /** The answer that gave the quote; undefined for announced bounds. */
  readonly answer: string | undefined
  readonly input: bigint
  readonly output: bigint
  readonly quotedUntil: Instant
}

/**
 * What a position can promise an asker, in base units: outputs up to `backed` for inputs up to `held`, and outputs up to
 * `shared` for any input.
 */
export type Means = { readonly held: bigint; readonly backed: bigint; readonly shared: bigint }

/** What a position can promise one asker. */
export type MeansOf = (position: Position) => Means

/** The reservations of quotes that have no deposit yet: at most one for a client, a sender and a pair. */
export type QuoteReservations = {
  /** What positions can promise an asker for a pair, until a reservation changes. */
  readonly meansOf: (asker: Asker, keys: Keys) => MeansOf
  /**
   * Reserves the claim in place of the client's older one for the sender and pair. False, without effect, if it is not
   * covered.
   */
  readonly add: (claim: QuoteClaim, asker: Asker) => boolean
  /** Reserves a claim of an earlier run in full, whether or not it is covered. */
  readonly restore: (claim: QuoteClaim) => void
  /**
   * Ends the reservation of the answer. False if it is known to have been in another position; to have ended before,
   * because it was replaced, or the sender's balance fell longer ago than deposits take to be read; or if the orders that
   * were committed since the quote have left too little for it.
   */
  readonly take: (claim: Pick<QuoteClaim, 'pairKey' | 'answer' | 'position'>) => boolean
  readonly isQuoted: (pairKey: string, client: string) => boolean
  /** Ends the oldest backed reservations of a source, for each client, until its balance covers the client's others. */
  readonly setHeld: (sourceKey: string, held: bigint) => void
  /** The sources with backed reservations. */
  readonly sources: () => readonly Source[]
  /** Ends what is quoted until before the instant, in whole seconds. */
  readonly sweep: (at: Instant) => void
}

/** The keys of an order's sender and pair. */
export type Keys = Pick<QuoteClaim, 'sourceKey' | 'pairKey'>
type Kind = 'backed' | 'shared'
type Entry = QuoteClaim & {
  readonly kind: Kind
  readonly client: string
  readonly clientKey: string
  readonly answerKey: string
  /** The most that `taken` may be after the order, as of its quote; undefined for a quote of an earlier run. */
  readonly room: bigint | undefined
}

/**
 * Quotes withhold half of a position from other askers at most, since anybody may name a rich account as the sender. What
 * is promised beyond a position goes to the first deposits; two quotes of a half each are always covered.
 */
const WITHHELD_PART = 2n
/** Quotes whose sender is not known to hold the input withhold an eighth of a position together. */
const SHARED_PART = 8n
/** One client may have such quotes for a 512th of a position, however many other clients have. */
const SHARED_CLIENT_PART = 512n
/** One client may have backed quotes for three quarters of a position. */
const BACKED_LIMIT = { numerator: 3n, denominator: 4n }
const MAX_ENTRIES = 200_000
const MAX_LOST = 200_000
/** A deposit lowers the sender's balance before its event is read. */
const DEPOSIT_READ_MS = 15_000
/** The client of quotes given before a restart. */
const EARLIER_RUN = ''

/** The live quotes by pair, source and the second of their end, with their sums in positions kept in step. */
const createEntries = () => {
  const byPair = new Map<string, Entry>()
  const byAnswer = new Map<string, Entry>()
  const bySource = new Map<string, Map<string, Set<Entry>>>()
  const bySecond = new Map<number, Set<Entry>>()
  const counts = { backed: 0, shared: 0 }
  return {
    byPair,
    byAnswer,
    bySource,
    bySecond,
    isFull: (kind: Kind): boolean => counts[kind] >= MAX_ENTRIES,
    put: (entry: Entry): void => {
      const { position, client, kind, output } = entry
      byPair.set(entry.clientKey, entry)
      byAnswer.set(entry.answerKey, entry)
      setOf(bySecond, secondOf(entry.quotedUntil)).add(entry)
      if (kind === 'backed') {
        const ofSource = bySource.get(entry.sourceKey) ?? new Map<string, Set<Entry>>()
        bySource.set(entry.sourceKey, ofSource)
        setOf(ofSource, client).add(entry)
      }
      const sums = sumsOf(position, client)
      position.clients.set(client, sums)
      sums[kind] += output
      position[kind] += output
      counts[kind] += 1
    },
    end: (entry: Entry): void => {
      const { position, client, kind, output } = entry
      byPair.delete(entry.clientKey)
      if (byAnswer.get(entry.answerKey) === entry) byAnswer.delete(entry.answerKey)
      removeFrom(bySecond, secondOf(entry.quotedUntil), entry)
      const ofSource = kind === 'backed' ? bySource.get(entry.sourceKey) : undefined
      if (ofSource !== undefined) {
        removeFrom(ofSource, client, entry)
        if (ofSource.size === 0) bySource.delete(entry.sourceKey)
      }
      const sums = sumsOf(position, client)
      sums[kind] -= output
      if (sums.backed === 0n && sums.shared === 0n) position.clients.delete(client)
      position[kind] -= output
      counts[kind] -= 1
    },
  }
}

type Entries = ReturnType<typeof createEntries>

const clientKeyOf = (client: string, pairKey: string): string => `${pairKey} ${client}`

const answerKeyOf = ({ pairKey, answer }: Pick<QuoteClaim, 'pairKey' | 'answer'>): string =>
  `${pairKey} ${answer}`

const NO_SUMS: Readonly<ClientSums> = { backed: 0n, shared: 0n }

const sumsOf = ({ clients }: Position, client: string): ClientSums => clients.get(client) ?? { ...NO_SUMS }

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** What an asker can be promised when its older quote for the pair no longer counts. */
const meansFor = ({ byPair }: Entries, { client, held }: Asker, clientKey: string): MeansOf => {
  const older = byPair.get(clientKey)
  return (position) => {
    const own = older?.position === position ? older : undefined
    const freedBacked = own?.kind === 'backed' ? own.output : 0n
    const freedShared = own?.kind === 'shared' ? own.output : 0n
    const { covered, clients } = position
    const sums = clients.get(client) ?? NO_SUMS
    const shared = smaller(position.shared - freedShared, covered / SHARED_PART)
    const unowed = unowedOf(position)
    const free = larger(unowed - (position.backed - freedBacked) - shared, unowed / WITHHELD_PART)
    const limit = (covered * BACKED_LIMIT.numerator) / BACKED_LIMIT.denominator
    return {
      held,
      backed: smaller(free, limit - (sums.backed - freedBacked)),
      shared: smaller(free, covered / SHARED_CLIENT_PART - (sums.shared - freedShared)),
    }
  }
}

/** Ends quotes before their time, and remembers for which of them a deposit finds nothing reserved. */
const createEndings = ({ byPair, byAnswer, bySource, end }: Entries) => {
  /** By answer, the time from which a deposit comes too late. */
  const lost = createLru<string, Instant>(MAX_LOST)
  const lose = (entry: Entry, from: Instant): void => {
    end(entry)
    if (entry.answer !== undefined) lost.set(entry.answerKey, from)
  }
  const setHeldFor = (sourceKey: string, client: string, held: bigint, at: Instant): void => {
    const ofSource = [...(bySource.get(sourceKey)?.get(client) ?? [])]
    let sum = 0n
    for (const { input } of ofSource) sum += input
    for (const entry of ofSource) {
      if (sum <= held) return
      sum -= entry.input
      lose(entry, at + DEPOSIT_READ_MS)
    }
  }
  return {
    replace: (clientKey: string, at: Instant): void => {
      const older = byPair.get(clientKey)
      if (older !== undefined) lose(older, at)
    },
    setHeldFor,
    setHeld: (sourceKey: string, held: bigint, at: Instant): void => {
      for (const client of [...(bySource.get(sourceKey)?.keys() ?? [])])
        setHeldFor(sourceKey, client, held, at)
    },
    take: (claim: Parameters<QuoteReservations['take']>[0], at: Instant): boolean => {
      const answerKey = answerKeyOf(claim)
      const entry = byAnswer.get(answerKey)
      if (entry === undefined) return at < (lost.get(answerKey) ?? Number.POSITIVE_INFINITY)
      end(entry)
      return entry.position === claim.position && isCovered(entry)
    },
  }
}

/** Whether the orders that were committed since the quote leave enough, of what was unowed then or of what is now. */
const isCovered = ({ position, output, room }: Entry): boolean =>
  room === undefined || position.taken + output <= room || output <= unowedOf(position)

/** Keeps the live quotes in memory. */
export const createQuoteReservations = (): QuoteReservations => {
  const entries = createEntries()
  const { byPair, byAnswer, bySource, bySecond, put, end } = entries
  const { replace, setHeldFor, setHeld, take } = createEndings(entries)
  let sweptAt: Instant = Number.NEGATIVE_INFINITY
  let sweptSecond = Number.NEGATIVE_INFINITY

  return {
    meansOf: (asker, { pairKey }) => meansFor(entries, asker, clientKeyOf(asker.client, pairKey)),
    add: (claim, asker) => {
      const { position, input, output, sourceKey, pairKey } = claim
      const { client } = asker
      const clientKey = clientKeyOf(client, pairKey)
      const means = meansFor(entries, asker, clientKey)(position)
      const kind = input <= means.held && output <= means.backed ? 'backed' : 'shared'
      if (output > means[kind] || entries.isFull(kind)) return false
      replace(clientKey, sweptAt)
      // The newest quote is the likeliest to be executed; the balance pays for no more than the rest.
      if (kind === 'backed') setHeldFor(sourceKey, client, means.held - input, sweptAt)
      const room = position.taken + unowedOf(position)
      put({ ...claim, kind, client, clientKey, answerKey: answerKeyOf(claim), room })
      return true
    },
    restore: (claim) => {
      const answerKey = answerKeyOf(claim)
      if (byAnswer.has(answerKey) || entries.isFull('backed')) return
      const clientKey = clientKeyOf(EARLIER_RUN, claim.pairKey)
      replace(clientKey, sweptAt)
      put({ ...claim, kind: 'backed', client: EARLIER_RUN, clientKey, answerKey, room: undefined })
    },
    take: (claim) => take(claim, sweptAt),
    isQuoted: (pairKey, client) => byPair.get(clientKeyOf(client, pairKey))?.answer !== undefined,
    setHeld: (sourceKey, held) => setHeld(sourceKey, held, sweptAt),
    sources: () =>
      [...bySource.values()].flatMap((ofSource) => {
        const [first] = ofSource.values()
        const [entry] = first ?? []
        return entry === undefined ? [] : [entry.source]
      }),
    sweep: (at) => {
      sweptAt = at
      const current = secondOf(at)
      if (current <= sweptSecond) return
      sweptSecond = current
      for (const [second, ended] of bySecond) if (second < current) for (const entry of ended) end(entry)
    },
  }
}

const secondOf = (instant: Instant): number => Math.floor(instant / 1000)

const setOf = <Key>(sets: Map<Key, Set<Entry>>, key: Key): Set<Entry> => {
  const known = sets.get(key)
  if (known !== undefined) return known
  const created = new Set<Entry>()
  sets.set(key, created)
  return created
}

const removeFrom = <Key>(sets: Map<Key, Set<Entry>>, key: Key, entry: Entry): void => {
  const entries = sets.get(key)
  if (entries?.delete(entry) === true && entries.size === 0) sets.delete(key)
}
