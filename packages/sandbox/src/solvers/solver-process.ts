import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Network } from 'openrfq/network'
import { z } from 'zod'
import type { Child } from '../kept-child.ts'
import type { RoleProcess, RoleStarter } from '../role-process.ts'
import type { SolverPlan } from './plan.ts'

/** How a solver treats deposits; the reference solver's modes. */
export const SolverMode = z.enum(['normal', 'paused', 'declining', 'slow', 'late', 'short'])
export type SolverMode = z.infer<typeof SolverMode>

/** A reference solver in a child process. */
export type SolverProcess = Child & {
  readonly processId: RoleProcess['processId']
  /** Whether the service has had its quotes since it started, which makes it ready. */
  readonly hasQuoted: () => boolean
  /** Resolves when the solver confirms the mode. Rejects after half a minute, or when the solver has ended. */
  readonly setMode: (mode: SolverMode) => Promise<void>
}

const MODE_TIMEOUT_MS = 30_000

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

const modeSetter = ({ send, ended, onMessage }: RoleProcess): SolverProcess['setMode'] => {
  const waiting = new Set<(set: SolverMode) => void>()
  onMessage((message) => {
    const parsed = FromSolver.safeParse(message)
    if (parsed.success && 'mode' in parsed.data) for (const take of waiting) take(parsed.data.mode)
  })
  return async (mode) => {
    const answer = Promise.withResolvers<void>()
    const take = (set: SolverMode): void => {
      if (set === mode) answer.resolve()
    }
    waiting.add(take)
    const timer = setTimeout(() => answer.reject(new Error('the solver does not answer')), MODE_TIMEOUT_MS)
    void ended.then(() => answer.reject(new Error('the solver has ended')))
    send({ mode })
    await answer.promise.finally(() => {
      clearTimeout(timer)
      waiting.delete(take)
    })
  }
}

/** Starts a solver in its directory, which may contain data of an earlier run. It ends with this process. */
export const startSolverProcess = (
  plan: SolverPlan,
  { directory, roles, ...part }: SolverPart & { readonly directory: string; readonly roles: RoleStarter },
): SolverProcess => {
  const role = roles.start('solver', writeConfig(plan, directory, part))
  let hasQuoted = false
  const ready = new Promise<void>((resolve, reject) => {
    role.onMessage((message) => {
      const parsed = FromSolver.safeParse(message)
      if (!parsed.success || !('quoting' in parsed.data)) return
      hasQuoted = true
      resolve()
    })
    void role.ended.then(() => reject(new Error(`solver ${plan.name} has ended`)))
  })
  return { ...role, ready, hasQuoted: () => hasQuoted, setMode: modeSetter(role) }
}
