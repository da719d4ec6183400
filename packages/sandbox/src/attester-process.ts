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

/** The sandbox's attester, a child process. */
export type SandboxAttester = {
  /** Starts the child once and waits until it reads the chains, for five seconds by default. */
  readonly start: (timeoutMs?: number) => Promise<void>
  readonly stop: () => Promise<void>
}

type Options = {
  /** The sandbox's network as a separate process reaches it. */
  readonly network: z.input<typeof Network>
  /** Blocks to read each chain from: orders may be opened before the attester starts. */
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

/** Resolves when the child reports that it attests, when it ends, or at the deadline. */
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
 * Creates an attester that runs from `start` on. It ends with this process, whose death closes their channel. When it
 * exits by itself, that is logged as an error and it is not restarted.
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
        // A separate process group: Ctrl-C reaches only this process, which ends the attester in order.
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
