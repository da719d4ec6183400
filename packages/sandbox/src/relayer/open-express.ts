import type { Log } from 'openrfq/lib/log'
import type { GatewayAsset, Hex, SandboxChain } from '../deployment-types.ts'
import { createChainReader } from './chain-reader.ts'
import { createExpress } from './express.ts'
import type { RelayGas } from './gas.ts'
import { createSender } from './sender.ts'
import { createWatcher, type Watcher } from './watcher.ts'

type OpenExpressDeps = {
  readonly chains: readonly SandboxChain[]
  readonly assets: readonly GatewayAsset[]
  readonly executorKey?: Hex
  readonly gas: RelayGas
  readonly isOn: () => boolean
  readonly now: () => number
  readonly log: Log
}

/** An executor with a zero-confirmation watcher for every chain; the caller drives both. */
type OpenExpress = {
  readonly watchers: readonly { readonly name: string; readonly watcher: Watcher }[]
  /** Delivers the queued messages to the chain of the Axelar name. */
  readonly work: (name: string) => Promise<void>
  readonly expressTxHashOf: (messageId: string) => string | undefined
}

/** Creates the executor; undefined without a key. */
export const openExpress = (deps: OpenExpressDeps): OpenExpress => {
  const { executorKey } = deps
  if (executorKey === undefined)
    return { watchers: [], work: () => Promise.resolve(), expressTxHashOf: () => undefined }
  const readers = deps.chains.map(createChainReader)
  const destinations = new Map(
    readers.map((reader) => [reader.chain.axelarName, { reader, sender: createSender(reader, executorKey) }]),
  )
  const express = createExpress({ ...deps, destinations })
  const watchers = readers.map((reader) => ({
    name: reader.chain.axelarName,
    watcher: createWatcher({
      reader,
      confirmations: 0,
      onEvents: express.note,
      onRollback: () => undefined,
    }),
  }))
  return { watchers, work: express.work, expressTxHashOf: express.txHashOf }
}
