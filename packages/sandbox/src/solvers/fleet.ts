import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from 'openrfq/lib/log'
import type { Network } from 'openrfq/network'
import type { z } from 'zod'
import { SOLVER_PLANS } from './plan.ts'
import {
  type SolverAccounts,
  type SolverMode,
  type SolverProcess,
  startSolverProcess,
} from './solver-process.ts'

/** The sandbox's solvers: child processes that quote to one service. */
export type SolverFleet = {
  /** Starts the solvers once, for the service at the URL, and waits for their quotes, for five seconds by default. */
  readonly connect: (serviceUrl: string, timeoutMs?: number) => Promise<void>
  /** Sets the mode of all solvers, including those started later. Rejects when a running one does not accept it. */
  readonly setMode: (mode: SolverMode) => Promise<void>
  readonly describe: () => readonly {
    readonly name: string
    readonly address: string
    readonly mode: SolverMode
    /** Whether the service has had its quotes since it started. */
    readonly hasQuoted: boolean
    /** For stopping, continuing or killing it with signals; null while it does not run. */
    readonly processId: number | null
  }[]
  readonly stop: () => Promise<void>
}

const QUOTING_TIMEOUT_MS = 5_000
const SOLVER_PATH = '/v1/solver'

const socketUrl = (serviceUrl: string): string => {
  const url = new URL(SOLVER_PATH, serviceUrl)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}

const within = async (timeoutMs: number, work: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Creates the fleet without starting it. `network` is the sandbox's network as solvers reach it; `accounts` are the
 * solvers' secrets on payment chains, in their order.
 */
export const createSolverFleet = ({
  network,
  accounts,
  log,
}: {
  readonly network: z.input<typeof Network>
  readonly accounts: readonly SolverAccounts[]
  readonly log: Log
}): SolverFleet => {
  const running = new Map<string, SolverProcess>()
  let mode: SolverMode = 'normal'
  let directory: string | undefined
  const start = (root: string, serviceUrl: string): void => {
    for (const [index, plan] of SOLVER_PLANS.entries()) {
      const directory = join(root, `solver-${index + 1}`)
      const options = { directory, serviceUrl, network, accounts: accounts[index] ?? {}, log }
      running.set(plan.name, startSolverProcess(plan, options))
    }
  }
  return {
    connect: async (serviceUrl, timeoutMs = QUOTING_TIMEOUT_MS) => {
      if (directory !== undefined) throw new Error('the solvers of the sandbox serve one service only')
      directory = mkdtempSync(join(tmpdir(), 'openrfq-solvers-'))
      start(directory, socketUrl(serviceUrl))
      const all = Promise.all([...running.values()].map(({ quoting }) => quoting))
      const standing = await within(timeoutMs, all).catch(() => false)
      if (!standing) log('warn', 'sandbox_solvers_not_ready')
      if (mode !== 'normal') await Promise.all([...running.values()].map((solver) => solver.setMode(mode)))
    },
    setMode: async (next) => {
      mode = next
      await Promise.all([...running.values()].map((solver) => solver.setMode(next)))
    },
    describe: () =>
      SOLVER_PLANS.map(({ name, address }) => ({
        name,
        address,
        mode,
        hasQuoted: running.get(name)?.hasQuoted() ?? false,
        processId: running.get(name)?.processId() ?? null,
      })),
    stop: async () => {
      await Promise.all([...running.values()].map((solver) => solver.stop()))
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
