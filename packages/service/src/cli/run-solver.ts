import { readSolverConfig } from '../intents/solver/config.ts'
import { startReferenceSolver } from '../intents/solver/index.ts'
import { followParent } from '../intents/solver/parent-process.ts'
import { followClock } from '../lib/follow-clock.ts'
import type { RunRole } from './run-role.ts'

/** Starts the reference solver; a parent may change its mode over the channel. */
export const runSolver: RunRole = async (text, { environment, log, parent, onGone, now, steady }) => {
  const config = readSolverConfig(text, {
    evm: environment['RFQ_SOLVER_KEY'],
    solana: environment['RFQ_SOLVER_SOLANA_KEY'],
    stellar: environment['RFQ_SOLVER_STELLAR_KEY'],
  })
  const url = config.network.sandboxClock
  const processName = `solver ${config.name} ${process.pid}`
  const clock = await followClock({ url, processName, clock: { now, steady }, log })
  const quoting = Promise.withResolvers<void>()
  const solver = await startReferenceSolver(config, {
    ...clock,
    random: Math.random,
    log,
    onQuoting: quoting.resolve,
  })
  const announce = followParent({ channel: parent, modes: solver.modes, onGone })
  void quoting.promise.then(announce)
  log('info', 'solver_started', { name: config.name })
  return async () => {
    log('info', 'solver_stopping')
    await solver.stop()
    await clock.stop()
  }
}
