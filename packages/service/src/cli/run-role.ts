import type { Channel } from '../intents/solver/parent-process.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'

type RoleDeps = Clock & {
  /** The environment variables, which may hold its keys. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly log: Log
  /** The channel to the process that started this one, if any. */
  readonly parent: Channel
  /** Called when that process has ended. */
  readonly onGone: () => void
}

/** Starts a role by the text of its configuration; the result stops it. Throws ConfigError for an invalid configuration. */
export type RunRole = (text: string, deps: RoleDeps) => Promise<() => Promise<void>>
