import { RelayStage } from '@openrfq/sdk'

/** Statuses of the indexer for which this service has a stage of another name. */
const RENAMED: ReadonlyMap<string, RelayStage> = new Map([
  ['error', 'execution_error'],
  ['executable_without_gas_paid', 'executable'],
  ['express_executable_without_gas_paid', 'express_executable'],
])

/** The stage for a status of Axelar's indexer; `awaiting_relay` for an unknown status. */
export const relayStage = (status: string): RelayStage =>
  RENAMED.get(status) ?? RelayStage.safeParse(status).data ?? 'awaiting_relay'
