import { z } from 'zod'
import type { Log } from '../lib/log.ts'
import { StoreError } from './store-error.ts'

/** Runs a statement without parameters on one connection. */
type Connection = { readonly query: (text: string) => Promise<{ readonly rows: readonly unknown[] }> }

/** Watches that every connection leads to the database that was opened, with all that was written to it. */
export type PostgresHistory = {
  /**
   * Compares the connection's database with the one known: another cluster, another timeline, or a log that is shorter
   * than before is a replacement. Rejects if the connection cannot be read.
   */
  readonly compare: (connection: Connection) => Promise<void>
  /** Throws StoreError `replaced` once a comparison has found a replacement; it stays so until a restart. */
  readonly expectSame: () => void
}

/** Only durable log positions are compared: others may be lost in a power cut without harm. */
const PLACE = `select (select system_identifier from pg_control_system())::text as cluster,
  substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8) as timeline,
  (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text as position`
const Place = z.object({ cluster: z.string(), timeline: z.string(), position: z.coerce.bigint() })
type Place = z.infer<typeof Place>

/** SQLSTATE of a function that does not exist, or that the role may not call. */
const NOT_OFFERED: ReadonlySet<unknown> = new Set(['42883', '42501', '0A000'])
const isNotOffered = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NOT_OFFERED.has(error.code)

const follows = (before: Place, place: Place): boolean =>
  place.cluster === before.cluster && place.timeline === before.timeline && place.position >= before.position

const later = (one: Place | undefined, other: Place): Place =>
  one === undefined || one.position < other.position ? other : one

/**
 * Creates the watch; the first comparison names the database. A server that does not tell where its log stands, such as
 * one that only speaks PostgreSQL's protocol, is logged once and not compared.
 */
export const createPostgresHistory = (log: Log): PostgresHistory => {
  let known: Place | undefined
  let isReplaced = false
  let isOffered = true
  return {
    compare: async (connection) => {
      if (!isOffered || isReplaced) return
      const before = known
      let place: Place
      try {
        const { rows } = await connection.query(PLACE)
        place = Place.parse(rows[0])
      } catch (error) {
        if (!isNotOffered(error)) throw error
        if (isOffered) log('warn', 'database_history_unknown', { error })
        isOffered = false
        return
      }
      if (before === undefined || follows(before, place)) known = later(known, place)
      else if (!isReplaced) {
        isReplaced = true
        log('error', 'database_replaced', {
          before: textOf(before),
          now: textOf(place),
        })
      }
    },
    expectSame: () => {
      if (isReplaced)
        throw new StoreError(
          'replaced',
          'the database lacks what was written to it or is another one since the start: restart the service',
        )
    },
  }
}

const textOf = ({ cluster, timeline, position }: Place): string => `${cluster} ${timeline} ${position}`
