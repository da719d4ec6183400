import { join } from 'node:path'
import type { Log } from 'openrfq/lib/log'
import { type OwnedFolder, openOwnedFolder } from 'openrfq/lib/owned-folder'
import type { Network } from 'openrfq/network'
import type { z } from 'zod'
import { type KeptChild, keepChild } from '../kept-child.ts'
import type { RoleStarter } from '../role-process.ts'
import { SOLVER_PLANS } from './plan.ts'
import {
  type SolverAccounts,
  type SolverMode,
  type SolverProcess,
  startSolverProcess,
} from './solver-process.ts'

/** The sandbox's solvers, which quote to one service; each is restarted when it ends by itself. */
export type SolverFleet = {
  /** Starts the solvers once, for the service at the URL, and resolves when each quotes, or has ended. */
  readonly start: (serviceUrl: string) => Promise<void>
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

const SOLVER_PATH = '/v1/solver'

const socketUrl = (serviceUrl: string): string => {
  const url = new URL(SOLVER_PATH, serviceUrl)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}

/**
 * Creates the fleet without starting it. `network` is the sandbox's network as solvers reach it; `accounts` are the
 * solvers' secrets on payment chains, in their order.
 */
export const createSolverFleet = ({
  network,
  accounts,
  roles,
  log,
}: {
  readonly network: z.input<typeof Network>
  readonly accounts: readonly SolverAccounts[]
  readonly roles: RoleStarter
  readonly log: Log
}): SolverFleet => {
  const running = new Map<string, KeptChild<SolverProcess>>()
  let mode: SolverMode = 'normal'
  let folder: OwnedFolder | undefined
  const start = (root: string, serviceUrl: string): void => {
    for (const [index, plan] of SOLVER_PLANS.entries()) {
      const directory = join(root, `solver-${index + 1}`)
      const options = { directory, serviceUrl, network, accounts: accounts[index] ?? {}, roles }
      const solver = plan.name
      const kept = keepChild({
        start: () => startSolverProcess(plan, options),
        onExit: (end) => log('error', 'sandbox_solver_exited', { solver, ...end }),
        onRecovered: (child) => {
          log('info', 'sandbox_solver_recovered', { solver })
          // If the solver ends meanwhile, its successor gets the mode.
          if (mode !== 'normal') child.setMode(mode).catch(() => undefined)
        },
      })
      running.set(solver, kept)
    }
  }
  const children = (): readonly SolverProcess[] => [...running.values()].map(({ current }) => current())
  const setAll = async (next: SolverMode): Promise<void> => {
    const alive = children().filter(({ processId }) => processId() !== null)
    await Promise.all(alive.map((solver) => solver.setMode(next)))
  }
  return {
    start: async (serviceUrl) => {
      if (folder !== undefined) throw new Error('the solvers of the sandbox serve one service only')
      folder = openOwnedFolder('openrfq-solvers')
      start(folder.path, socketUrl(serviceUrl))
      if (mode !== 'normal') setAll(mode).catch(() => undefined)
      await Promise.allSettled(children().map(({ ready }) => ready))
    },
    setMode: async (next) => {
      mode = next
      await setAll(next)
    },
    describe: () =>
      SOLVER_PLANS.map(({ name, address }) => ({
        name,
        address,
        mode,
        hasQuoted: running.get(name)?.current().hasQuoted() ?? false,
        processId: running.get(name)?.current().processId() ?? null,
      })),
    stop: async () => {
      await Promise.all([...running.values()].map((solver) => solver.stop()))
      folder?.remove()
    },
  }
}
