import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from 'openrfq/lib/log'
import { type OwnedFolder, openOwnedFolder } from 'openrfq/lib/owned-folder'
import { programFile } from 'openrfq/lib/program-file'
import type { Network } from 'openrfq/network'
import { z } from 'zod'
import { childEnvironment } from './child-environment.ts'
import { endChild, endOf } from './child-process.ts'
import { areReadyWithin, type Child, type KeptChild, keepChild } from './kept-child.ts'
import { ATTESTER } from './keys.ts'

/** The sandbox's attester, a child process. */
export type SandboxAttester = {
  /** Starts the child once and waits until it reads the chains, for five seconds by default. */
  readonly start: (timeoutMs?: number) => Promise<void>
  /** Ends the child until `resume`; its database stays. */
  readonly pause: () => Promise<void>
  /** Starts a paused child again, without waiting for it. */
  readonly resume: () => void
  readonly stop: () => Promise<void>
}

type Options = {
  /** The sandbox's network as a separate process reaches it. */
  readonly network: z.input<typeof Network>
  /** Blocks to read each chain from: orders may be opened before the attester starts. */
  readonly startAfter: Readonly<Record<string, number>>
  /** The co-signers' secrets of the vaults, by chain. */
  readonly vaultSecrets: Readonly<Record<string, string>>
  /** Called with the port at which each started attester answers solvers. */
  readonly onPort: (port: number) => void
  readonly log: Log
}

const ENTRY = programFile('rfq', import.meta.resolve('openrfq/rfq'))
const ATTESTING_TIMEOUT_MS = 5_000
const Attesting = z.object({ attesting: z.literal(true), port: z.int() })

const configIn = (directory: string): string => join(directory, 'attester.json')

const writeConfig = (
  directory: string,
  part: Pick<Options, 'network' | 'startAfter' | 'vaultSecrets'>,
): string => {
  const path = configIn(directory)
  const config = {
    ...part,
    dataDirectory: join(directory, 'data'),
    privateKey: ATTESTER.privateKey,
    listen: { port: 0 },
  }
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 })
  return path
}

/** Starts an attester. It ends with this process, whose death closes their channel. */
const startAttester = (path: string, onPort: Options['onPort']): Child => {
  const child = fork(ENTRY, ['attester', '--config', path], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    // A separate process group: Ctrl-C reaches only this process, which ends the attester in order.
    detached: true,
    env: childEnvironment(),
  })
  const ended = endOf(child)
  const ready = new Promise<void>((resolve, reject) => {
    // Its only message reports that it attests.
    child.once('message', (message) => {
      onPort(Attesting.parse(message).port)
      resolve()
    })
    void ended.then(() => reject(new Error('the attester has ended')))
  })
  return { ready, ended, stop: () => endChild(child) }
}

/** Creates an attester that runs from `start` to `stop` except while paused, and is restarted when it ends by itself. */
export const createSandboxAttester = ({ log, onPort, ...part }: Options): SandboxAttester => {
  let kept: KeptChild<Child> | undefined
  let folder: OwnedFolder | undefined
  let isStopping = false
  const keep = (path: string): KeptChild<Child> =>
    keepChild({
      start: () => startAttester(path, onPort),
      onExit: (end) => log('error', 'sandbox_attester_exited', end),
      onRecovered: () => log('info', 'sandbox_attester_recovered'),
    })
  const pause = async (): Promise<void> => {
    const running = kept
    kept = undefined
    await running?.stop()
  }
  return {
    start: async (timeoutMs = ATTESTING_TIMEOUT_MS) => {
      if (folder !== undefined || isStopping) return
      folder = openOwnedFolder('openrfq-attester')
      kept = keep(writeConfig(folder.path, part))
      await areReadyWithin(timeoutMs, [kept.current()])
    },
    pause,
    resume: () => {
      if (folder !== undefined && !isStopping) kept ??= keep(configIn(folder.path))
    },
    stop: async () => {
      isStopping = true
      await pause()
      folder?.remove()
    },
  }
}
