import { z } from 'zod'

/**
 * What the solver does with deposits; it keeps quoting in every mode. `paused` leaves them alone, `declining` gives them
 * back, `slow` fills late but in time, `late` only after the deadline, `short` with less than was promised: the last two
 * must fail on chain. All but `normal` are for rehearsals.
 */
export const SolverMode = z.enum(['normal', 'paused', 'declining', 'slow', 'late', 'short'])
export type SolverMode = z.infer<typeof SolverMode>

const ModeMessage = z.object({ mode: SolverMode })

/** The mode in force. */
export type ModeSwitch = {
  readonly mode: () => SolverMode
  readonly set: (mode: SolverMode) => void
  /** Takes a message of the parent process; tells whether it was one about the mode. */
  readonly receive: (message: unknown) => boolean
}

/** Starts in `normal`; `onChange` hears of every change. */
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
