import { configuredNetwork } from './app/network-source.ts'
import { runProcess } from './app/run-service.ts'
import { ConfigError } from './core/config-error.ts'

runProcess(async ({ network }) => {
  if (network === undefined)
    throw new ConfigError('RFQ_CONFIG is not set: expected the path of a network file (docs/operations.md)')
  return configuredNetwork(network)
})
