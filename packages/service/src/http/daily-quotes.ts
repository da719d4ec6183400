import type { Instant } from '../core/instant.ts'
import { tooManyRequests } from './rate-limit.ts'

/** Bounds the quotes that one client adds to the store in a day. */
export type DailyQuotes = {
  /** Throws RATE_LIMITED if the client has had its quotes of the day. */
  readonly expectLeft: (client: string) => void
  /** Counts quotes that were answered to the client. */
  readonly add: (client: string, quotes: number) => void
  /** The most quotes that one client has had in its day. */
  readonly busiest: () => number
  /** How many clients have had all quotes of their day. */
  readonly exhausted: () => number
}

type Day = { readonly endsAt: Instant; readonly quotes: number }

const DAY_MS = 86_400_000
/** Clients counted at once; beyond it those are forgotten whose day began first. */
const MAX_CLIENTS = 50_000

/** Creates the counts; a client's day begins with its first quote. Requests in flight may exceed `limit`. */
export const createDailyQuotes = (limit: number, now: () => Instant): DailyQuotes => {
  /** In the order in which the days began. */
  const days = new Map<string, Day>()
  const forgetEnded = (): void => {
    for (const [client, { endsAt }] of days) {
      if (endsAt > now() && days.size < MAX_CLIENTS) return
      days.delete(client)
    }
  }
  const current = (): readonly Day[] => [...days.values()].filter(({ endsAt }) => endsAt > now())
  return {
    expectLeft: (client) => {
      const day = days.get(client)
      const leftMs = day === undefined ? 0 : day.endsAt - now()
      if (day === undefined || leftMs <= 0 || day.quotes < limit) return
      throw tooManyRequests(`this address has had its ${limit} quotes of a day`, leftMs)
    },
    add: (client, quotes) => {
      const day = days.get(client)
      if (day !== undefined && day.endsAt > now()) {
        days.set(client, { ...day, quotes: day.quotes + quotes })
        return
      }
      forgetEnded()
      days.delete(client)
      days.set(client, { endsAt: now() + DAY_MS, quotes })
    },
    busiest: () => current().reduce((most, { quotes }) => Math.max(most, quotes), 0),
    exhausted: () => current().filter(({ quotes }) => quotes >= limit).length,
  }
}
