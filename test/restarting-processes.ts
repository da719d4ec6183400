import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { childEnvironment } from '@openrfq/sandbox/src/child-environment.ts'
import { ATTESTER } from '@openrfq/sandbox/src/keys.ts'
import type { SolverPlan } from '@openrfq/sandbox/src/solvers/plan.ts'
import type { SolverAccounts } from '@openrfq/sandbox/src/solvers/solver-process.ts'
import type { Network } from 'openrfq/src/core/network.ts'
import type { z } from 'zod'
import { bundled } from './bundled.ts'
import { type RestartingProcess, startRestarting } from './restarting-process.ts'

const ROOT = join(import.meta.dirname, '..')
const SETTLEMENT = {
  fillMarginSeconds: 2,
  batchWaitMs: 500,
  proofWaitMs: 500,
  proofStallSeconds: 60,
  claimWaitMs: 500,
}

/** A solver of the plan with its data in a folder below the root. */
export const startSolver = (
  plan: SolverPlan,
  root: string,
  part: {
    readonly serviceUrl: string
    readonly network: z.input<typeof Network>
    readonly accounts?: SolverAccounts
    readonly validForMs?: number
  },
): RestartingProcess => {
  const directory = join(root, plan.name.replaceAll(' ', '-'))
  mkdirSync(directory, { recursive: true })
  const path = join(directory, 'solver.json')
  const { name, privateKey, spreadBps, sizeSpreadBps } = plan
  const { validForMs, ...rest } = part
  const strategy = {
    spreadBps,
    sizeSpreadBps,
    costsBps: 0,
    ...(validForMs === undefined ? {} : { validForMs }),
  }
  const config = { ...rest, name, privateKey, dataDirectory: directory, strategy, settlement: SETTLEMENT }
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 })
  return startRestarting(name, () =>
    spawn(process.execPath, [bundled('packages/service/src/cli/rfq.ts'), 'solver', '--config', path], {
      cwd: ROOT,
      env: childEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }),
  )
}

/** The service for the network in `network.json` of the root, with its data there too. */
export const startService = (
  port: number,
  root: string,
  secrets: Readonly<Record<string, string>>,
): RestartingProcess => {
  const env = {
    ...childEnvironment(),
    PORT: `${port}`,
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
    RFQ_CONFIG: join(root, 'network.json'),
    DATA_DIR: root,
    ...secrets,
  }
  return startRestarting('service', () =>
    spawn(process.execPath, [bundled('packages/service/src/main.ts')], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  )
}

/** The sandbox's attester with its data in a folder below the root; it reads each chain from the given block. */
export const startAttester = (
  root: string,
  {
    port,
    ...part
  }: {
    readonly network: z.input<typeof Network>
    readonly startAfter: Readonly<Record<string, number>>
    /** The co-signer's key of each vault. */
    readonly vaultSecrets: Readonly<Record<string, string>>
    /** Where it answers solvers. */
    readonly port: number
  },
): RestartingProcess => {
  const directory = join(root, 'attester')
  mkdirSync(directory, { recursive: true })
  const path = join(directory, 'attester.json')
  const config = { ...part, dataDirectory: directory, privateKey: ATTESTER.privateKey, listen: { port } }
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 })
  return startRestarting('attester', () =>
    spawn(process.execPath, [bundled('packages/service/src/cli/rfq.ts'), 'attester', '--config', path], {
      cwd: ROOT,
      env: childEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }),
  )
}
