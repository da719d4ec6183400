import { ConfigError } from './app/config.ts'
import { configuredNetwork } from './app/network-source.ts'
import { runProcess, startService } from './app/run-service.ts'

runProcess((config, log) => {
  if (config.network === undefined)
    throw new ConfigError('RFQ_CONFIG is not set: expected the path of a network file (docs/operations.md)')
  return startService(config, configuredNetwork(config.network), log)
})
