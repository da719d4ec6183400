import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from 'openrfq/lib/log'
import { type OwnedFolder, openOwnedFolder } from 'openrfq/lib/owned-folder'
import type { Network } from 'openrfq/network'
import { z } from 'zod'
import { type Child, type KeptChild, keepChild } from './kept-child.ts'
import { ATTESTER } from './keys.ts'
import type { RoleStarter } from './role-process.ts'

/** The sandbox's attester, in a child process. */
export type SandboxAttester = {
  /** Starts the attester once, and resolves when it reads the chains, or has ended. */
  readonly start: () => Promise<void>
  /** Ends the attester until `resume`; its database stays. */
  readonly pause: () => Promise<void>
  /** Starts a paused attester again, without waiting for it. */
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
  readonly roles: RoleStarter
  readonly log: Log
}

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

const startAttester = (path: string, { roles, onPort }: Pick<Options, 'roles' | 'onPort'>): Child => {
  const { ended, onMessage, stop } = roles.start('attester', path)
  const ready = new Promise<void>((resolve, reject) => {
    // Its only message reports that it attests.
    onMessage((message) => {
      onPort(Attesting.parse(message).port)
      resolve()
    })
    void ended.then(() => reject(new Error('the attester has ended')))
  })
  return { ready, ended, stop }
}

/** Creates an attester that runs from `start` to `stop` except while paused, and is restarted when it ends by itself. */
export const createSandboxAttester = ({ log, onPort, roles, ...part }: Options): SandboxAttester => {
  let kept: KeptChild<Child> | undefined
  let folder: OwnedFolder | undefined
  let isStopping = false
  const keep = (path: string): KeptChild<Child> =>
    keepChild({
      start: () => startAttester(path, { roles, onPort }),
      onExit: (end) => log('error', 'sandbox_attester_exited', end),
      onRecovered: () => log('info', 'sandbox_attester_recovered'),
    })
  const pause = async (): Promise<void> => {
    const running = kept
    kept = undefined
    await running?.stop()
  }
  return {
    start: async () => {
      folder = openOwnedFolder('openrfq-attester')
      kept = keep(writeConfig(folder.path, part))
      await kept.current().ready.catch(() => undefined)
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
