import { backoffMs } from './backoff.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import { createPoller } from './poller.ts'

/** A clock that follows a sandbox's time. */
export type FollowedClock = Clock & {
  /** Stops following; the time keeps its present offset. */
  readonly stop: () => Promise<void>
}

type Options = {
  /** The URL of the sandbox's clock; undefined for a network that uses the machine's time. */
  readonly url: string | undefined
  /** A unique name of this process at the sandbox's clock. */
  readonly processName: string
  readonly clock: Clock
  readonly log: Log
}

/** Deadline of a request; the sandbox answers within 20 seconds. */
const ANSWER_MS = 30_000
const MAX_ANSWER_CHARACTERS = 1_000
const RETRY = { firstMs: 100, maximumMs: 5_000 }

const offsetOf = (answer: unknown): number => {
  const offsetMs = typeof answer === 'object' && answer !== null && 'offsetMs' in answer && answer.offsetMs
  if (typeof offsetMs === 'number' && Number.isSafeInteger(offsetMs) && offsetMs >= 0) return offsetMs
  throw new Error(`expected {"offsetMs": n}, got ${JSON.stringify(answer).slice(0, MAX_ANSWER_CHARACTERS)}`)
}

/**
 * Reads the sandbox's offset from the machine's time in milliseconds, once it exceeds `knownMs` or 20 seconds have
 * passed.
 */
const readOffset = async (url: URL, knownMs: number | undefined, stopped: AbortSignal): Promise<number> => {
  if (knownMs !== undefined) url.searchParams.set('offset', `${knownMs}`)
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(ANSWER_MS)])
  const response = await fetch(url, { signal, redirect: 'error' })
  if (!response.ok) throw new Error(`${url.origin} answered ${response.status}`)
  return offsetOf(await response.json())
}

/**
 * Creates the clock of a network's process: the sandbox's time if the network names its clock, else the machine's. Its
 * time never decreases, even when the sandbox restarts. Rejects when the sandbox does not answer.
 */
export const followClock = async ({ url, processName, clock, log }: Options): Promise<FollowedClock> => {
  if (url === undefined) return { ...clock, stop: () => Promise.resolve() }
  const address = new URL(url)
  address.searchParams.set('process', processName)
  const stopping = new AbortController()
  let offsetMs = 0
  const follow = async (knownMs: number | undefined): Promise<void> => {
    const nextMs = await readOffset(new URL(address), knownMs, stopping.signal)
    if (nextMs <= offsetMs) return
    offsetMs = nextMs
    log('info', 'clock_moved', { offsetSeconds: offsetMs / 1000 })
  }
  await follow(undefined).catch((cause: unknown) => {
    throw new Error(`sandboxClock: ${url} does not answer: is the sandbox running?`, { cause })
  })
  const poller = createPoller({
    name: 'clock_read',
    run: () => follow(offsetMs),
    periodMs: 0,
    retryMs: (failures) => backoffMs(RETRY, failures),
    failureLevel: 'warn',
    log,
  })
  void poller.start()
  return {
    now: () => clock.now() + offsetMs,
    steady: clock.steady,
    stop: async () => {
      stopping.abort()
      await poller.stop()
    },
  }
}
