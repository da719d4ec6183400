import { ConfigError } from 'openrfq/config-error'
import { systemClock } from 'openrfq/lib/clock'
import { Network } from 'openrfq/network'
import { openSandboxStore } from 'openrfq/open-store'
import { runProcess } from 'openrfq/run-service'
import { type SandboxOptions, startSandbox } from './index.ts'

/** Whether to start the simulated Solana and Stellar chains beside the EVM chains; yes by default. */
const withPaymentChains = (): boolean => {
  const families = process.env['SANDBOX_FAMILIES'] || 'all'
  if (families !== 'all' && families !== 'evm')
    throw new ConfigError(`SANDBOX_FAMILIES: expected "all" or "evm", got "${families}"`)
  return families === 'all'
}

/** Whether solvers and attester share a process; yes by default. */
const processes = (): 'together' | 'apart' => {
  const wanted = process.env['SANDBOX_PROCESSES'] || 'together'
  if (wanted === 'together' || wanted === 'apart') return wanted
  throw new ConfigError(`SANDBOX_PROCESSES: expected "together" or "apart", got "${wanted}"`)
}

/** The main function of a process that starts a sandbox and serves it, by the environment and the given options. */
export const serveSandbox = (
  options: Pick<SandboxOptions, 'intentSeconds' | 'blockMs' | 'legacyGas' | 'l1Fees' | 'solanaPort'> = {},
): void =>
  runProcess(async (_config, log, serviceUrl) => {
    log('info', 'start_stage', { stage: 'code', seconds: Math.round(performance.now() / 10) / 100 })
    const sandbox = await startSandbox({
      ...options,
      log,
      now: systemClock.now,
      serviceUrl,
      processes: processes(),
      withPaymentChains: withPaymentChains(),
    })
    const notices = (url: string): readonly string[] => [
      `  sandbox    ${url}/sandbox  (local chains; the keys it shows are public)`,
    ]
    return { ...sandbox, notices, network: Network.parse(sandbox.network) }
  }, openSandboxStore)
