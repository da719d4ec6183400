import type { Route } from '../backends/backend.ts'
import { tokenKey } from '../core/token-key.ts'
import { createLru } from '../lib/lru.ts'

/** How long a backend may take to price a route, in milliseconds; called once for each request. */
export type PricingDeadlines = (route: Route) => number

/** The deadline of a backend that has its facts in memory. */
const USUAL_MS = 800
/** The time that a backend has to read the facts of a route, from the first request for it. */
const FIRST_MS = 4_000
/** Facts are kept fresh for at least as long after a request. */
const KEPT_FRESH_MS = 300_000
const MOST_ROUTES = 50_000

type Known = { firstAt: number; lastAt: number }

/**
 * Creates the deadlines: longer for a few seconds after the first request for a route, while the backend reads its facts;
 * a route that was not asked for in five minutes counts as new.
 */
export const createPricingDeadlines = (steady: () => number): PricingDeadlines => {
  const asked = createLru<string, Known>(MOST_ROUTES)
  return ({ backend, from, to }) => {
    const key = `${backend} ${tokenKey(from.token)} ${tokenKey(to.token)}`
    const now = steady()
    const known = asked.get(key)
    if (known === undefined || now - known.lastAt >= KEPT_FRESH_MS) {
      asked.set(key, { firstAt: now, lastAt: now })
      return FIRST_MS
    }
    known.lastAt = now
    return Math.max(USUAL_MS, known.firstAt + FIRST_MS - now)
  }
}
