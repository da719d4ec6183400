import { followClock } from '../../lib/follow-clock.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { createLineLog } from '../log-lines.ts'
import { readConfigText } from '../read-config-text.ts'

/** Runs the reference solver until interrupted; a parent process may change its mode over the IPC channel. */
export const solverCommand: Command = {
  name: 'solver',
  summary: 'run the reference solver: quote, fill and be repaid',
  flags: [
    {
      name: 'config',
      value: 'file',
      help: 'its configuration; keys are RFQ_SOLVER_KEY, RFQ_SOLVER_SOLANA_KEY and RFQ_SOLVER_STELLAR_KEY, or in the file',
    },
  ],
  example: 'solver --config solver.json',
  run: async ({ flags, json, terminal, environment, now, steady, onInterrupt }) => {
    const text = await readConfigText(flags.required('config'))
    const [{ readSolverConfig }, { startReferenceSolver }, { followParent }] = await Promise.all([
      import('../../intents/solver/config.ts'),
      import('../../intents/solver/index.ts'),
      import('../../intents/solver/parent-process.ts'),
    ])
    const config = readSolverConfig(text, {
      evm: environment['RFQ_SOLVER_KEY'],
      solana: environment['RFQ_SOLVER_SOLANA_KEY'],
      stellar: environment['RFQ_SOLVER_STELLAR_KEY'],
    })
    const log = createLineLog({ terminal, json, now })
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
    onInterrupt(async () => {
      log('info', 'solver_stopping')
      await solver.stop()
      await clock.stop()
      return EXIT.done
    })
    const announce = followParent({
      channel: process,
      modes: solver.modes,
      onGone: () => process.kill(process.pid, 'SIGTERM'),
    })
    void quoting.promise.then(announce)
    log('info', 'solver_started', { name: config.name })
    return new Promise(() => undefined)
  },
}
