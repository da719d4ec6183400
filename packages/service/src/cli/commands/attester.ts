import { followClock } from '../../lib/follow-clock.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { createLineLog } from '../log-lines.ts'
import { readConfigText } from '../read-config-text.ts'

/** Tells the parent process, if there is one, that the chains are read and where claims are taken, and ends with it. */
const followParent = (port: number | undefined): void => {
  if (process.send === undefined) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  try {
    process.send({ attesting: true, port })
  } catch {
    // The parent is gone; `disconnect` says so too.
  }
}

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
    const [{ readAttesterConfig }, { startAttester }] = await Promise.all([
      import('../../intents/attester/config.ts'),
      import('../../intents/attester/index.ts'),
    ])
    const config = readAttesterConfig(
      text,
      environment['RFQ_ATTESTER_KEY'],
      environment['RFQ_ATTESTER_VAULT_SECRETS'],
    )
    const log = createLineLog({ terminal, json, now })
    const url = config.network.sandboxClock
    const processName = `attester ${process.pid}`
    const clock = await followClock({ url, processName, clock: { now, steady }, log })
    const attester = await startAttester(config, { ...clock, log })
    onInterrupt(async () => {
      log('info', 'attester_stopping')
      await attester.stop()
      await clock.stop()
      return EXIT.done
    })
    followParent(attester.port)
    log('info', 'attester_started', { attester: config.network.intent?.attester, port: attester.port })
    return new Promise(() => undefined)
  },
}
