import type { Instant } from '../core/instant.ts'
import type { Clock } from '../lib/clock.ts'
import type { Lifecycle } from '../lib/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import { createPoller } from '../lib/poller.ts'
import type { ChainHealth } from './chain-health.ts'

/** Whether requests should be sent to this process, and which parts do not serve. */
export type Readiness = {
  /** False while anything is missing. */
  readonly ready: boolean
  /** The parts that do not serve and keep requests away. */
  readonly missing: readonly string[]
  /** The parts that do not serve while the rest does. */
  readonly degraded: readonly string[]
  /** Since when each of them has not served, as far as this process knows. */
  readonly since: ReadonlyMap<string, Instant>
}

/** Watches whether everything that the configuration names serves; it is started when all stages of the start have ended. */
export type ReadinessWatch = Lifecycle & { readonly read: () => Promise<Readiness> }

type Deps = {
  /** Rejects while quotes cannot be stored. */
  readonly ping: () => Promise<unknown>
  readonly hasRoutes: boolean
  readonly health: Pick<ChainHealth, 'missing' | 'isAnyReadable'>
  /** The parts of intents that do not serve: solvers, and chains that the attester does not read or whose payouts are held. */
  readonly hindrances: () => readonly string[]
  /** Called when every part serves for the first time. */
  readonly onWhole: () => void
  readonly clock: Clock
  readonly log: Log
}

/** How long parts that have not served yet keep requests away. */
const PATIENCE_MS = 30_000
const LOOK_MS = 250

/**
 * Creates the watch. Until every part serves for the first time, and for thirty seconds at most, a part that does not serve is
 * missing. From then on it degrades the service: solvers and endpoints belong to other parties, who could otherwise take the
 * service out of its balancer. The store, the clock, the routes and the last readable chain are missing whenever they fail.
 */
export const createReadiness = (deps: Deps): ReadinessWatch => {
  const { ping, hasRoutes, health, hindrances, onWhole, clock, log } = deps
  const since = new Map<string, Instant>()
  let startedAt: number | undefined
  let isStored = true
  let wasWhole = false
  let isWaiting = true

  const note = (absent: readonly string[]): void => {
    for (const name of absent) if (!since.has(name)) since.set(name, clock.now())
    for (const name of since.keys()) if (!absent.includes(name)) since.delete(name)
  }
  /** Ends the wait for the parts once all serve, or its time is over. */
  const wait = (absent: readonly string[]): void => {
    if (!wasWhole && absent.length === 0) {
      wasWhole = true
      onWhole()
    }
    if (!isWaiting || startedAt === undefined) return
    if (!wasWhole && clock.steady() - startedAt < PATIENCE_MS) return
    isWaiting = false
    if (!wasWhole) log('warn', 'start_incomplete', { missing: absent })
  }
  const look = (): Omit<Readiness, 'since'> => {
    const vital = [
      ...(startedAt === undefined ? ['start'] : []),
      ...(isStored ? [] : ['store']),
      ...(hasRoutes ? [] : ['routes']),
    ]
    const [chains, others] = startedAt === undefined ? [[], []] : [health.missing(), hindrances()]
    const absent = [...vital, ...chains, ...others]
    note(absent)
    wait(absent)
    if (isWaiting) return { ready: absent.length === 0, missing: absent, degraded: [] }
    const [missing, degraded] = health.isAnyReadable()
      ? [vital, [...chains, ...others]]
      : [[...vital, ...chains], others]
    return { ready: missing.length === 0, missing, degraded }
  }
  const poller = createPoller({
    name: 'readiness_look',
    periodMs: LOOK_MS,
    run: async () => {
      look()
    },
    log,
  })
  return {
    start: () => {
      startedAt = clock.steady()
      return poller.start()
    },
    stop: poller.stop,
    read: async () => {
      isStored = await ping().then(
        () => true,
        () => false,
      )
      return { ...look(), since }
    },
  }
}
