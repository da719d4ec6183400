import { z } from 'zod'

/**
 * How the solver treats deposits; it keeps quoting in every mode. `paused` ignores them, `declining` declines them,
 * `slow` fills late but in time, `late` only after the deadline, `short` with less than promised: the last two must
 * fail on chain. All but `normal` are for testing.
 */
export const SolverMode = z.enum(['normal', 'paused', 'declining', 'slow', 'late', 'short'])
export type SolverMode = z.infer<typeof SolverMode>

const ModeMessage = z.object({ mode: SolverMode })

/** The current mode. */
export type ModeSwitch = {
  readonly mode: () => SolverMode
  readonly set: (mode: SolverMode) => void
  /** Handles a message of the parent process; returns whether it was about the mode. */
  readonly receive: (message: unknown) => boolean
}

/** Starts in `normal`; `onChange` is called for every change. */
export const createModeSwitch = (onChange: (mode: SolverMode) => void): ModeSwitch => {
  let current: SolverMode = 'normal'
  const set = (mode: SolverMode): void => {
    if (mode === current) return
    current = mode
    onChange(mode)
  }
  return {
    mode: () => current,
    set,
    receive: (message) => {
      const parsed = ModeMessage.safeParse(message)
      if (parsed.success) set(parsed.data.mode)
      return parsed.success
    },
  }
}
