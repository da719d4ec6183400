import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programFile } from 'openrfq/lib/program-file'
import type { Network } from 'openrfq/network'
import { z } from 'zod'
import { childEnvironment } from '../child-environment.ts'
import { endChild, endOf, hasEnded } from '../child-process.ts'
import type { Child } from '../kept-child.ts'
import type { SolverPlan } from './plan.ts'

/** How a solver treats deposits; the reference solver's modes. */
export const SolverMode = z.enum(['normal', 'paused', 'declining', 'slow', 'late', 'short'])
export type SolverMode = z.infer<typeof SolverMode>

/** A reference solver as a child process. */
export type SolverProcess = Child & {
  /** Null before the process starts and after it ends. */
  readonly processId: () => number | null
  /** Whether the service has had its quotes since it started, which makes it ready. */
  readonly hasQuoted: () => boolean
  /** Resolves when the solver confirms the mode. Rejects after ten seconds, or when the solver has ended. */
  readonly setMode: (mode: SolverMode) => Promise<void>
}

const ENTRY = programFile('rfq', import.meta.resolve('openrfq/rfq'))
const MODE_TIMEOUT_MS = 10_000

const FromSolver = z.union([z.object({ quoting: z.literal(true) }), z.object({ mode: SolverMode })])

/** Two confirmations and a few seconds of margin, for orders that last half a minute. */
const SETTLEMENT = {
  fillMarginSeconds: 2,
  batchWaitMs: 500,
  proofWaitMs: 500,
  proofStallSeconds: 60,
  claimWaitMs: 500,
}

/**
 * Quotes last long enough that renewing 150 pairs twice per period costs the service little, and not longer than it
 * takes to drop a silent solver.
 */
const QUOTES_VALID_MS = 20_000

/** The secrets of a solver on payment chains, by chain type. */
export type SolverAccounts = Partial<Readonly<Record<'solana' | 'stellar', string>>>

/** The service a solver quotes to, and the solver's configuration beside its key. */
type SolverPart = {
  readonly serviceUrl: string
  readonly network: z.input<typeof Network>
  readonly accounts: SolverAccounts
}

const writeConfig = (plan: SolverPlan, directory: string, part: SolverPart): string => {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, 'solver.json')
  const { name, privateKey, spreadBps, sizeSpreadBps } = plan
  const config = {
    ...part,
    name,
    privateKey,
    dataDirectory: join(directory, 'data'),
    // The sandbox's gas is priced like that of an expensive chain, but it has no value.
    strategy: { spreadBps, sizeSpreadBps, costsBps: 0, validForMs: QUOTES_VALID_MS },
    settlement: SETTLEMENT,
  }
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 })
  return path
}

const modeSetter =
  (child: ChildProcess) =>
  (mode: SolverMode): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (problem?: string): void => {
        clearTimeout(timer)
        child.off('message', take).off('exit', exited)
        if (problem === undefined) resolve()
        else reject(new Error(problem))
      }
      const take = (message: unknown): void => {
        const parsed = FromSolver.safeParse(message)
        if (parsed.success && 'mode' in parsed.data && parsed.data.mode === mode) settle()
      }
      const exited = (): void => settle('the solver has ended')
      const timer = setTimeout(() => settle('the solver does not answer'), MODE_TIMEOUT_MS)
      child.on('message', take).on('exit', exited)
      if (hasEnded(child)) exited()
      else child.send({ mode })
    })

/**
 * Starts a solver in its directory, which may contain data of an earlier run. It ends with this process, whose death
 * closes their channel.
 */
export const startSolverProcess = (
  plan: SolverPlan,
  { directory, ...part }: SolverPart & { readonly directory: string },
): SolverProcess => {
  const path = writeConfig(plan, directory, part)
  const child = fork(ENTRY, ['solver', '--config', path], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    // A separate process group: Ctrl-C reaches only this process, which ends the solvers in order.
    detached: true,
    env: childEnvironment(),
  })
  const ended = endOf(child)
  let hasQuoted = false
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', (message) => {
      const parsed = FromSolver.safeParse(message)
      if (!parsed.success || !('quoting' in parsed.data)) return
      hasQuoted = true
      resolve()
    })
    void ended.then(() => reject(new Error(`solver ${plan.name} has ended`)))
  })
  return {
    processId: () => (hasEnded(child) ? null : (child.pid ?? null)),
    ready,
    ended,
    hasQuoted: () => hasQuoted,
    setMode: modeSetter(child),
    stop: () => endChild(child),
  }
}
