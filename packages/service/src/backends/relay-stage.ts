import { RelayStage } from '@openrfq/sdk'

/** Statuses of the indexer for which this service has a stage of another name. */
const RENAMED: ReadonlyMap<string, RelayStage> = new Map([
  ['error', 'execution_error'],
  ['executable_without_gas_paid', 'executable'],
  ['express_executable_without_gas_paid', 'express_executable'],
])

/** The stage of a message by its status in Axelar's indexer; a status that no stage is named after is `awaiting_relay`. */
export const relayStage = (status: string): RelayStage =>
  RENAMED.get(status) ?? RelayStage.safeParse(status).data ?? 'awaiting_relay'
