import { spawnSync } from 'node:child_process'

const GRACE_MS = 5_000
const POLL_MS = 100

/** Ends all processes below this one: with SIGTERM, and with SIGKILL those that still run five seconds later. Blocks until then. */
export const endDescendants = (): void => {
  const ids = freezeDescendants()
  for (const id of ids) {
    send(id, 'SIGTERM')
    send(id, 'SIGCONT')
  }
  const running = (): readonly number[] => listProcesses().flatMap(({ id }) => (ids.has(id) ? [id] : []))
  const giveUpAt = performance.now() + GRACE_MS
  while (running().length > 0 && performance.now() < giveUpAt) sleep(POLL_MS)
  for (const id of running()) send(id, 'SIGKILL')
}

/** Stops all processes below this one, parents first, so that none starts another one unseen. Returns their ids. */
const freezeDescendants = (): ReadonlySet<number> => {
  const stopped = new Set<number>()
  const isBelow = (parent: number): boolean => parent === process.pid || stopped.has(parent)
  const findNew = () => listProcesses().filter(({ id, parent }) => isBelow(parent) && !stopped.has(id))
  for (let found = findNew(); found.length > 0; found = findNew())
    for (const { id } of found) {
      send(id, 'SIGSTOP')
      stopped.add(id)
    }
  return stopped
}

/** The processes of this system, without those that have ended and wait for their parent. */
const listProcesses = (): readonly { readonly id: number; readonly parent: number }[] => {
  const { pid, stdout, error } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' })
  if (error !== undefined)
    throw new Error('ps does not run: the processes of the tests are left', { cause: error })
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([id, , state]) => Number(id) !== pid && state?.startsWith('Z') === false)
    .map(([id, parent]) => ({ id: Number(id), parent: Number(parent) }))
}

const send = (id: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(id, signal)
  } catch {
    // It has ended.
  }
}

const sleep = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
