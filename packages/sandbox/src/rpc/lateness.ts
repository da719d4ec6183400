import { draw } from './draw.ts'
import type { Lateness } from './sightings.ts'

/** How an endpoint lives: whether it is late and restarts, all drawn from one seed. */
export type EndpointLife = {
  readonly lateness: Lateness
  /** Whether the endpoint is restarting at a time in milliseconds. */
  readonly isRestarting: (at: number) => boolean
}

/** Every endpoint restarts once in this time, its chain's three never at once. */
const RESTART_EVERY_MS = 300_000
const RESTART_MS = 800
const ENDPOINTS = 3
const SHARE_IN_TIME = 0.5
const MOST_LATE_MS = 800
const SHARE_WITHOUT_LOGS = 0.25
const LOGS_LATE_MS = 200

const PROMPT: EndpointLife = {
  lateness: { blockMs: () => 0, logsMs: () => 0 },
  isRestarting: () => false,
}

/** The life of one of a chain's endpoints; without a seed it is never late. */
export const endpointLife = (seed: number | undefined, chain: number, endpoint: number): EndpointLife => {
  if (seed === undefined) return PROMPT
  const luck = (kind: number, block: number): number => draw(seed, chain, endpoint, kind, block)
  const restartsAt = ((endpoint + luck(0, 0) / 2) / ENDPOINTS) * RESTART_EVERY_MS
  return {
    lateness: {
      blockMs: (number) => (luck(1, number) < SHARE_IN_TIME ? 0 : Math.floor(luck(2, number) * MOST_LATE_MS)),
      logsMs: (number) =>
        luck(3, number) < SHARE_WITHOUT_LOGS ? Math.floor(luck(4, number) * LOGS_LATE_MS) : 0,
    },
    isRestarting: (at) => {
      const since = (at % RESTART_EVERY_MS) - restartsAt
      return since >= 0 && since < RESTART_MS
    },
  }
}
