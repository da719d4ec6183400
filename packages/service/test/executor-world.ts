import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { EXPRESS_EXECUTOR } from '@openrfq/sandbox/src/keys.ts'
import { readExecutorConfig } from '../src/backends/gateway-express/executor/config.ts'
import { startExecutor } from '../src/backends/gateway-express/executor/index.ts'
import type { Network } from '../src/core/network.ts'
import { systemClock } from '../src/lib/clock.ts'
import type { Log } from '../src/lib/log.ts'
import { eventually } from './eventually.ts'
import { askNode, type SandboxDescription } from './wallet.ts'

/** A line of an executor's log. */
export type Line = { readonly event: string; readonly fields: Readonly<Record<string, unknown>> }

/** The network as an operator has it whose own executor delivers. */
export const withOwnExecutor = (network: Network): Network => ({
  ...network,
  chains: network.chains.map((chain) =>
    chain.express === undefined ? chain : { ...chain, express: { ...chain.express, executor: 'own' } },
  ),
})

const ENOUGH = 10n ** 30n

/** A configuration for the sandbox's executor account that delivers every gateway token, from one unit on. */
export const executorConfig = (
  network: Network,
  dataDirectory: string,
  changes: Readonly<Record<string, unknown>> = {},
  bounds: Readonly<Record<string, string>> = {},
): Record<string, unknown> => ({
  dataDirectory,
  privateKey: EXPRESS_EXECUTOR.privateKey,
  network: withOwnExecutor(network),
  inventory: network.tokens
    .filter(({ gateway }) => gateway?.expressCap !== undefined)
    .map(({ chainId, address, gateway }) => ({
      ...{ chainId, token: address, minimumAmount: '1', maximumAmount: gateway?.expressCap },
      ...{ dailyAmount: ENOUGH.toString(), ...bounds },
    })),
  gas: Object.fromEntries(
    network.chains
      .filter(({ express }) => express !== undefined)
      .map(({ chainId }) => [
        chainId,
        { costCap: ENOUGH.toString(), dailyCostCap: (1_000n * ENOUGH).toString() },
      ]),
  ),
  ...changes,
})

/** Runs an executor in this process while `work` runs; what it logs is collected. */
export const withExecutor = async (
  network: Network,
  work: (lines: readonly Line[]) => Promise<void>,
  changes: Readonly<Record<string, unknown>> = {},
  bounds: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-executor-'))
  const lines: Line[] = []
  const log: Log = (_, event, fields = {}) => void lines.push({ event, fields })
  try {
    const config = executorConfig(network, directory, changes, bounds)
    const deps = { ...systemClock, log }
    const executor = await startExecutor(readExecutorConfig(JSON.stringify(config), undefined), deps)
    try {
      await work(lines)
    } catch (error) {
      throw new Error(`with the executor's log ${inspect(lines)}`, { cause: error })
    } finally {
      await executor.stop()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const STEP_BLOCKS = 60

/** Mines blocks in steps, which a node answers soon; one that closes its connection is asked again. */
export const mineBlocks = async (
  sandbox: SandboxDescription,
  chainId: string,
  blocks: number,
): Promise<void> => {
  for (let left = blocks; left > 0; left -= STEP_BLOCKS)
    await eventually('blocks are mined', () =>
      askNode(sandbox, chainId, 'anvil_mine', `0x${Math.min(left, STEP_BLOCKS).toString(16)}`).then(
        () => true,
        () => false,
      ),
    )
}
