import { ConfigError } from 'openrfq/config-error'
import { systemClock } from 'openrfq/lib/clock'
import { Network } from 'openrfq/network'
import { openSandboxStore } from 'openrfq/open-store'
import { runProcess } from 'openrfq/run-service'
import { startSandbox } from './index.ts'

/** Whether to start the simulated Solana and Stellar chains beside the EVM chains; yes by default. */
const withPaymentChains = (): boolean => {
  const families = process.env['SANDBOX_FAMILIES'] || 'all'
  if (families !== 'all' && families !== 'evm')
    throw new ConfigError(`SANDBOX_FAMILIES: expected "all" or "evm", got "${families}"`)
  return families === 'all'
}

runProcess(async (_config, log) => {
  const sandbox = await startSandbox({ log, now: systemClock.now, withPaymentChains: withPaymentChains() })
  const notices = (url: string): readonly string[] => [
    `  sandbox    ${url}/sandbox  (local chains; the keys it shows are public)`,
  ]
  return { ...sandbox, notices, network: Network.parse(sandbox.network) }
}, openSandboxStore)
