import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from 'openrfq/lib/log'
import type { Network } from 'openrfq/network'
import type { z } from 'zod'
import { childEnvironment } from './child-environment.ts'
import { endChild, keepEnd } from './child-process.ts'
import { ATTESTER } from './keys.ts'

/** The sandbox's attester: a child process, once it is started. */
export type SandboxAttester = {
  /** Starts it, once, and waits until it reads the chains, by default five seconds at most. */
  readonly start: (timeoutMs?: number) => Promise<void>
  readonly stop: () => Promise<void>
}

type Options = {
  /** The sandbox's network as a process of its own reaches it. */
  readonly network: z.input<typeof Network>
  /** Where chains are read from: orders may be opened before the attester has started. */
  readonly startAfter: Readonly<Record<string, number>>
  readonly log: Log
}

const ENTRY = fileURLToPath(import.meta.resolve('openrfq/rfq'))
const ATTESTING_TIMEOUT_MS = 5_000

const writeConfig = (directory: string, part: Pick<Options, 'network' | 'startAfter'>): string => {
  const path = join(directory, 'attester.json')
  const config = { ...part, dataDirectory: join(directory, 'data'), privateKey: ATTESTER.privateKey }
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 })
  return path
}

/** Resolves when the child says that it attests, when it ends, and after the time. */
const untilAttesting = (child: ChildProcess, timeoutMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs)
    const settle = (isAttesting: boolean) => () => {
      clearTimeout(timer)
      resolve(isAttesting)
    }
    child.once('message', settle(true)).once('exit', settle(false))
  })

/**
 * An attester that runs from `start` on. It ends with this process, whose death closes the channel between them, and is
 * not started again when it ends by itself: that is logged as an error.
 */
export const createSandboxAttester = ({ log, ...part }: Options): SandboxAttester => {
  let child: ChildProcess | undefined
  let directory: string | undefined
  let isStopping = false
  return {
    start: async (timeoutMs = ATTESTING_TIMEOUT_MS) => {
      if (child !== undefined || isStopping) return
      directory = mkdtempSync(join(tmpdir(), 'openrfq-attester-'))
      const forked = fork(ENTRY, ['attester', '--config', writeConfig(directory, part)], {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        execArgv: [],
        // Not in this process's group, so that Ctrl-C reaches this process alone and it ends the attester in order.
        detached: true,
        env: childEnvironment(),
      })
      child = forked
      const said = keepEnd(forked)
      forked.once('error', (error) => log('error', 'sandbox_attester_start_failed', { error }))
      forked.once('exit', (code, signal) => {
        if (!isStopping) log('error', 'sandbox_attester_exited', { code, signal, said: said() })
      })
      if (!(await untilAttesting(forked, timeoutMs)) && !isStopping) log('warn', 'sandbox_attester_not_ready')
    },
    stop: async () => {
      isStopping = true
      if (child !== undefined) await endChild(child)
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
