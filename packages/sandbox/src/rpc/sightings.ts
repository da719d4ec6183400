/** When one endpoint learned of a chain's newest blocks. */
export type Sightings = {
  /** The chain's newest block is now this one; `isFork` when blocks below it were replaced. */
  readonly saw: (number: number, isFork: boolean) => void
  /** The newest block that the endpoint knows. */
  readonly view: () => number
  /** Whether the endpoint knows that block for so short that its logs are missing yet. */
  readonly isFresh: () => boolean
  /** Keeps the view where it is, or lets it go on. */
  readonly freeze: (isFrozen: boolean) => void
  /** Makes all known blocks visible. */
  readonly settle: () => void
}

/** How late one endpoint is, by block. */
export type Lateness = {
  readonly blockMs: (number: number) => number
  /** How long the logs of a block are missing after the block itself. */
  readonly logsMs: (number: number) => number
}

/** An endpoint is never more blocks than this behind the chain. */
const MOST_BEHIND = 2

type Sighting = { readonly number: number; readonly at: number }

/** Blocks become visible late, in order, and never more than two behind the newest; the view goes back by forks alone. */
export const createSightings = ({ blockMs, logsMs }: Lateness, now: () => number): Sightings => {
  let recent: readonly Sighting[] = []
  let shown = 0
  let frozenAt: number | undefined

  const visibleAt = ({ number, at }: Sighting): number => at + blockMs(number)
  const current = (): number => {
    const newest = recent.at(-1)?.number ?? 0
    const visible = recent.filter((one) => visibleAt(one) <= now()).at(-1)?.number ?? 0
    shown = Math.min(newest, Math.max(shown, visible, newest - MOST_BEHIND))
    return shown
  }
  const settle = (): void => {
    recent = recent.slice(-1).map(({ number }) => ({ number, at: Number.NEGATIVE_INFINITY }))
    shown = recent.at(-1)?.number ?? 0
  }
  return {
    saw: (number, isFork) => {
      const newest = recent.at(-1)?.number
      if (newest === undefined || isFork || number < newest) {
        recent = [{ number, at: Number.NEGATIVE_INFINITY }]
        shown = number
        return
      }
      if (number === newest) return
      const passed = number - newest > 1 ? [{ number: number - 1, at: now() }] : []
      recent = [...recent, ...passed, { number, at: now() }].slice(-MOST_BEHIND - 1)
    },
    view: () => (frozenAt === undefined ? current() : Math.min(frozenAt, current())),
    isFresh: () => {
      const known = recent.find(({ number }) => number === current())
      return known !== undefined && now() < visibleAt(known) + logsMs(known.number)
    },
    freeze: (isFrozen) => {
      frozenAt = isFrozen ? (frozenAt ?? current()) : undefined
    },
    settle,
  }
}
