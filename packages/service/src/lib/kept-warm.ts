import { backoffMs } from './backoff.ts'
import { createBatches } from './batches.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Log } from './log.ts'
import { createLru } from './lru.ts'
import { createPoller } from './poller.ts'
import { shareInFlight } from './share-in-flight.ts'

/** Values that are read when somebody asks, and refreshed in the background while somebody keeps asking. */
export type KeptWarm<Key, Value> = Lifecycle & {
  /** The value: the known one while it is fresh, else a new one; undefined if it cannot be read. */
  readonly get: (key: Key) => Promise<Value | undefined>
  /** The known value while it is fresh; undefined otherwise, and then it is read in the background. */
  readonly peek: (key: Key) => Value | undefined
}

/** Reads the values of keys together, in their order; undefined for one that cannot be read. Rejects if none can. */
export type ReadTogether<Key, Value> = (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>

type Options<Key, Value> = {
  readonly read: ReadTogether<Key, Value>
  /** The clock, in milliseconds. */
  readonly now: () => number
  /** Age at which a value is used no longer. */
  readonly maxAgeMs: number
  /** Age at which a wanted value is read again; well below `maxAgeMs`. */
  readonly refreshMs: number
  /** How long after it was asked for a value is kept fresh. */
  readonly wantedMs: number
  /** The most values kept; the least recently asked for are evicted, but never the half that was asked for last. */
  readonly limit: number
  /** The most values read together. */
  readonly together: number
  /** Prefix of the events `<name>_failed` and `<name>_recovered`. */
  readonly name: string
  readonly log: Log
  /** Further fields of those events. */
  readonly fields?: Readonly<Record<string, unknown>>
}

type Entry<Value> = {
  value: Value | undefined
  readAt: number
  wantedAt: number
  /** Failed reads in a row, and the time before which none follows. */
  failures: number
  notBefore: number
}

/** The outcome of one key in a read that did not fail as a whole. */
type Read<Value> = { readonly value: Value | undefined }

/** How often wanted values are looked through. */
const LOOK_MS = 1_000
const BATCHES = 4
const MAX_WAITING = 5_000
/** Pauses of a key that alone cannot be read, and of keys whose whole read failed. */
const RETRY_ONE = { firstMs: 1_000, maximumMs: 300_000 }
const RETRY_ALL = { firstMs: 1_000, maximumMs: 5_000 }

/** Reads keys that are asked for in one turn together; logs when reads begin to fail and when they recover. */
const createTogether = <Key, Value>({ read, together, name, log, fields = {} }: Options<Key, Value>) => {
  let failing = false
  const note = (isFailing: boolean, error?: unknown): void => {
    if (isFailing && !failing) log('warn', `${name}_failed`, { ...fields, error })
    if (!isFailing && failing) log('info', `${name}_recovered`, fields)
    failing = isFailing
  }
  return createBatches<Key, Read<Value>>({
    run: async (keys) => {
      try {
        const values = await read(keys)
        note(false)
        return keys.map((_key, position) => ({ value: values[position] }))
      } catch (error) {
        note(true, error)
        return []
      }
    },
    maximumItems: together,
    maximumBatches: BATCHES,
    maximumWaiting: MAX_WAITING,
  })
}

/**
 * Creates an empty cache. Callers share reads; keys that are asked for in one turn are read together. A key that alone
 * cannot be read is not tried again for a while, for longer with each failure in a row; after a read that failed for all
 * keys the next follows within five seconds.
 */
export const createKeptWarm = <Key, Value>(options: Options<Key, Value>): KeptWarm<Key, Value> => {
  const { now, maxAgeMs, refreshMs, wantedMs, limit, name } = options
  const entries = createLru<Key, Entry<Value>>(limit)
  const wanted = new Set<Key>()
  const share = shareInFlight<Key, Value | undefined>()
  const batched = createTogether(options)

  const readOne = (key: Key, entry: Entry<Value>): Promise<Value | undefined> =>
    share(key, async () => {
      const read = await batched(key)
      if (read?.value === undefined) {
        entry.failures += 1
        entry.notBefore = now() + backoffMs(read === undefined ? RETRY_ALL : RETRY_ONE, entry.failures)
        return undefined
      }
      Object.assign(entry, { value: read.value, readAt: now(), failures: 0, notBefore: 0 })
      return read.value
    })
  const wantedEntry = (key: Key): Entry<Value> => {
    const known = entries.get(key)
    const entry = known ?? { value: undefined, readAt: 0, wantedAt: 0, failures: 0, notBefore: 0 }
    entry.wantedAt = now()
    if (known === undefined) entries.set(key, entry)
    wanted.add(key)
    return entry
  }
  const freshValue = ({ value, readAt }: Entry<Value>): Value | undefined =>
    value !== undefined && now() - readAt < maxAgeMs ? value : undefined

  const isDue = (entry: Entry<Value>): boolean =>
    entry.notBefore <= now() && (entry.value === undefined || now() - entry.readAt >= refreshMs)
  const poller = createPoller({
    name,
    periodMs: LOOK_MS,
    run: async () => {
      const due = [...wanted].flatMap((key) => {
        const entry = entries.get(key)
        if (entry !== undefined && now() - entry.wantedAt < wantedMs)
          return isDue(entry) ? [readOne(key, entry)] : []
        wanted.delete(key)
        return []
      })
      await Promise.all(due)
    },
  })
  return {
    start: async () => {
      void poller.start()
    },
    stop: poller.stop,
    get: async (key) => {
      const entry = wantedEntry(key)
      const fresh = freshValue(entry)
      if (fresh !== undefined) return fresh
      return entry.notBefore > now() ? undefined : readOne(key, entry)
    },
    peek: (key) => freshValue(wantedEntry(key)),
  }
}
