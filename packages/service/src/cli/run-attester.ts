import { readAttesterConfig } from '../intents/attester/config.ts'
import { startAttester } from '../intents/attester/index.ts'
import { followClock } from '../lib/follow-clock.ts'
import type { RunRole } from './run-role.ts'

/** Starts the attester, and tells a parent that the chains are read and where claims are taken. */
export const runAttester: RunRole = async (text, { environment, log, parent, onGone, now, steady }) => {
  const config = readAttesterConfig(
    text,
    environment['RFQ_ATTESTER_KEY'],
    environment['RFQ_ATTESTER_VAULT_SECRETS'],
  )
  const url = config.network.sandboxClock
  const processName = `attester ${process.pid}`
  const clock = await followClock({ url, processName, clock: { now, steady }, log })
  const { port, stop } = await startAttester(config, { ...clock, log })
  if (parent.send !== undefined) {
    parent.on('disconnect', onGone)
    try {
      parent.send({ attesting: true, port })
    } catch {
      // The parent is gone; `disconnect` says so too.
    }
  }
  log('info', 'attester_started', { attester: config.network.intent?.attester, port })
  return async () => {
    log('info', 'attester_stopping')
    await stop()
    await clock.stop()
  }
}
