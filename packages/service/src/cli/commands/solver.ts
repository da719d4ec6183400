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
    const { runSolver } = await import('../run-solver.ts')
    const log = createLineLog({ terminal, json, now })
    const onGone = (): void => void process.kill(process.pid, 'SIGTERM')
    const stop = await runSolver(text, { environment, log, parent: process, onGone, now, steady })
    onInterrupt(async () => {
      await stop()
      return EXIT.done
    })
    return new Promise(() => undefined)
  },
}
