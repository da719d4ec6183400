import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../lib/free-port.ts'
import { openOwnedFolder } from '../lib/owned-folder.ts'
import { programFile } from '../lib/program-file.ts'

/** A service started for one command; `stop` ends it with all its processes and may be called twice. */
export type LocalService = { readonly url: string; readonly stop: () => Promise<void> }

const READY_POLL_MS = 200
const READY_ATTEMPTS = 600
const PROBE_TIMEOUT_MS = 2_000
const STOP_TIMEOUT_MS = 15_000
const SHOWN_LOG_LINES = 30

/**
 * Starts this project's service with its sandbox on a free port with its own data folder, and returns the handle
 * immediately; `ready` resolves when `/readyz` answers. It rejects with the end of the log if the service dies or takes
 * longer than two minutes.
 */
export const startLocalService = async (
  environment: Readonly<Record<string, string | undefined>>,
): Promise<LocalService & { readonly ready: Promise<void> }> => {
  const { path: folder, remove } = openOwnedFolder('openrfq-demo')
  const logFile = join(folder, 'service.log')
  const port = await freePort()
  const log = openSync(logFile, 'w')
  const child = spawn(
    process.execPath,
    [programFile('packages/sandbox/src/main.ts', import.meta.resolve('@openrfq/sandbox/main'))],
    {
      // A separate process group, so that its chains can be ended with it.
      detached: true,
      // The channel tells the service when this process is gone.
      stdio: ['ignore', log, log, 'ipc'],
      env: {
        ...environment,
        HOST: '127.0.0.1',
        PORT: String(port),
        DATA_DIR: join(folder, 'data'),
        DRAIN_SECONDS: '1',
        DATABASE_URL: undefined,
        RFQ_CONFIG: undefined,
      },
    },
  )
  closeSync(log)
  const url = `http://127.0.0.1:${port}`
  const ready = untilReady(child, url, logFile)
  ready.catch(() => undefined)
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopping ??= end(child).finally(remove)
    return stopping
  }
  return { url, ready, stop }
}

const untilReady = async (child: ChildProcess, url: string, logFile: string): Promise<void> => {
  for (let attempt = 0; attempt < READY_ATTEMPTS; attempt += 1) {
    if (hasEnded(child)) throw new Error(`the service ended while starting:\n${endOf(logFile)}`)
    if (await isReady(url)) return
    await pause(READY_POLL_MS)
  }
  throw new Error(`the service did not become ready:\n${endOf(logFile)}`)
}

const isReady = async (url: string): Promise<boolean> => {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    return false
  }
}

/** Lets the service drain, then kills the remaining processes of its group. */
const end = async (child: ChildProcess): Promise<void> => {
  if (!hasEnded(child)) {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await Promise.race([exited, pause(STOP_TIMEOUT_MS, undefined, { ref: false })])
  }
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Nothing of the group is left, as expected.
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

const endOf = (logFile: string): string =>
  readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-SHOWN_LOG_LINES).join('\n')
