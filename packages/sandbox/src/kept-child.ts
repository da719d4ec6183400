import { type Backoff, backoffMs } from 'openrfq/lib/backoff'

/** How a child process ended, and its last output. */
export type ChildEnd = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly said: string
}

/** A child process that runs until it is stopped. */
export type Child = {
  /** Resolves when the child works; rejects when it ends first. */
  readonly ready: Promise<void>
  /** Resolves when the child has ended, for any reason. */
  readonly ended: Promise<ChildEnd>
  readonly stop: () => Promise<void>
}

type Options<Kept extends Child> = {
  readonly start: () => Kept
  /** Called when it ends by itself, once until it works again. */
  readonly onExit: (end: ChildEnd) => void
  /** Called when it works again. */
  readonly onRecovered: (child: Kept) => void
  readonly backoff?: Backoff
}

/** A child process that is restarted, with back-off, each time it ends before `stop`. */
export type KeptChild<Kept extends Child> = {
  /** The process started last. */
  readonly current: () => Kept
  readonly stop: () => Promise<void>
}

const BACKOFF: Backoff = { firstMs: 500, maximumMs: 30_000 }

/** Starts a child process, and restarts it whenever it ends. */
export const keepChild = <Kept extends Child>({
  start,
  onExit,
  onRecovered,
  backoff = BACKOFF,
}: Options<Kept>): KeptChild<Kept> => {
  let failures = 0
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  const begin = (): Kept => {
    const child = start()
    child.ready.then(
      () => {
        if (failures > 0 && !isStopping) onRecovered(child)
        failures = 0
      },
      () => undefined,
    )
    void child.ended.then((end) => {
      if (isStopping) return
      if (failures === 0) onExit(end)
      failures += 1
      timer = setTimeout(
        () => {
          current = begin()
        },
        backoffMs(backoff, failures),
      )
    })
    return child
  }
  let current = begin()
  return {
    current: () => current,
    stop: async () => {
      isStopping = true
      clearTimeout(timer)
      await current.stop()
    },
  }
}
