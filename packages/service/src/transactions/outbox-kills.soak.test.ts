import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/eventually.ts'
import { connectChain, counted, openOutbox, openOwnStore, startOutboxWorld } from '../../test/outbox-world.ts'
import { createDice } from '../../test/seeded.ts'
import { openSoak } from '../../test/soak.ts'
import { openSqliteStore } from '../store/sqlite.ts'

const KEYS_PER_RUN = 40
const log = (): void => {}
const keysUpTo = (run: number): readonly string[] =>
  Array.from({ length: (run + 1) * KEYS_PER_RUN }, (_, index) => `key ${index}`)

/** Submits the keys of this run and the previous one, each twice, and runs until it is killed. */
const submitUntilKilled = async (directory: string, rpcUrl: string, run: number): Promise<void> => {
  const store = await openSqliteStore({ directory, log })
  const chain = connectChain(rpcUrl)
  await chain.start()
  const outbox = openOutbox(store, chain)
  writeSync(1, 'ready\n')
  outbox.start()
  const keys = keysUpTo(run).slice(-2 * KEYS_PER_RUN)
  await Promise.all([...keys, ...keys].map((key) => outbox.submit(counted(key))))
}

const killedAfter = async (args: readonly string[], afterMs: number): Promise<void> => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, [import.meta.filename, 'submit', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  await once(child.stdout, 'data', { signal: AbortSignal.timeout(300_000) })
  await sleep(afterMs)
  child.kill('SIGKILL')
  await closed
}

const killedAtRandomMoments = (): void => {
  const { seed, of } = openSoak()
  const kills = of(50)
  test(`${kills} kills at random moments lose no call and repeat none`, async (context) => {
    const dice = createDice(seed)
    const world = await startOutboxWorld()
    context.after(() => world.anvil.stop())
    const files = await openOwnStore()
    context.after(files.remove)
    await files.store().close()
    for (let run = 0; run < kills; run += 1)
      await killedAfter([files.directory, world.anvil.rpcUrl, `${run}`], dice(300))
    const madeBefore = await world.transactionsOfSender()
    const store = await files.reopen()
    const chain = connectChain(world.anvil.rpcUrl)
    await chain.start()
    const outbox = openOutbox(store, chain)
    outbox.start()
    const keys = keysUpTo(kills - 1)
    const entries = await Promise.all(keys.map((key) => outbox.submit(counted(key))))
    await until(async () => (await store.listOpenTransactions(chain.chainId, outbox.sender)).length === 0)
    await outbox.stop()
    await chain.stop()
    for (const key of keys) assert.equal(await world.callsOf(key), 1, key)
    assert.equal(await world.transactionsOfSender(), keys.length)
    assert.deepEqual(
      entries.map(({ nonce }) => nonce).sort((one, other) => one - other),
      keys.map((_, index) => index),
    )
    context.diagnostic(`${madeBefore} of ${keys.length} made before the last kill`)
  })
}

const [, , task, directory, rpcUrl, run] = process.argv
if (task === 'submit' && directory !== undefined && rpcUrl !== undefined)
  await submitUntilKilled(directory, rpcUrl, Number(run))
else killedAtRandomMoments()
