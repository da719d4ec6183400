import { followClock } from '../../lib/follow-clock.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { createLineLog } from '../log-lines.ts'
import { readConfigText } from '../read-config-text.ts'

/** Runs the express executor until it is interrupted. */
export const executorCommand: Command = {
  name: 'executor',
  summary: 'run the express executor: deliver gateway-express transfers early, from its own tokens',
  flags: [
    { name: 'config', value: 'file', help: 'its configuration; the key is RFQ_EXECUTOR_KEY or in the file' },
  ],
  example: 'executor --config executor.json',
  run: async ({ flags, json, terminal, environment, now, steady, onInterrupt }) => {
    const text = await readConfigText(flags.required('config'))
    const [{ readExecutorConfig }, { startExecutor }] = await Promise.all([
      import('../../backends/gateway-express/executor/config.ts'),
      import('../../backends/gateway-express/executor/index.ts'),
    ])
    const config = readExecutorConfig(text, environment['RFQ_EXECUTOR_KEY'])
    const log = createLineLog({ terminal, json, now })
    const url = config.network.sandboxClock
    const processName = `executor ${process.pid}`
    const clock = await followClock({ url, processName, clock: { now, steady }, log })
    const executor = await startExecutor(config, { ...clock, log })
    onInterrupt(async () => {
      log('info', 'executor_stopping')
      await executor.stop()
      await clock.stop()
      return EXIT.done
    })
    log('info', 'executor_started', { chains: [...new Set(config.inventory.map(({ chainId }) => chainId))] })
    return new Promise(() => undefined)
  },
}
