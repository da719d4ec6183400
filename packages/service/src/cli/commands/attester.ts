import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { createLineLog } from '../log-lines.ts'
import { readConfigText } from '../read-config-text.ts'

/** Runs the attester until it is interrupted. */
export const attesterCommand: Command = {
  name: 'attester',
  summary: 'run the attester: see fills on Solana and Stellar, and have their solvers repaid',
  flags: [
    { name: 'config', value: 'file', help: 'its configuration; the key is RFQ_ATTESTER_KEY or in the file' },
  ],
  example: 'attester --config attester.json',
  run: async ({ flags, json, terminal, environment, now, steady, onInterrupt }) => {
    const text = await readConfigText(flags.required('config'))
    const { runAttester } = await import('../run-attester.ts')
    const log = createLineLog({ terminal, json, now })
    const onGone = (): void => void process.kill(process.pid, 'SIGTERM')
    const stop = await runAttester(text, { environment, log, parent: process, onGone, now, steady })
    onInterrupt(async () => {
      await stop()
      return EXIT.done
    })
    return new Promise(() => undefined)
  },
}
