import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/eventually.ts'
import { connectChain, counted, openOutbox, openOwnStore, startOutboxWorld } from '../../test/outbox-world.ts'
import { MAXIMUM_OPEN } from './nonce-repair.ts'

test('makes a call once that waits behind more lost transactions than may be open', async (t) => {
  const world = await startOutboxWorld()
  t.after(world.anvil.stop)
  const files = await openOwnStore()
  t.after(files.remove)
  const chain = connectChain(world.anvil.rpcUrl)
  await chain.start()
  t.after(chain.stop)
  const lines: string[] = []
  const outbox = openOutbox(files.store(), chain, lines)
  outbox.start()
  t.after(outbox.stop)
  const isDone = async () =>
    (await files.store().listOpenTransactions(chain.chainId, outbox.sender)).length === 0
  const half = MAXIMUM_OPEN / 2 + 1
  for (const block of [0, 1]) {
    await world.anvil.rpc('evm_setAutomine', false)
    for (let place = 0; place < half; place += 1) await outbox.submit(counted(`${block} ${place}`))
    await until(async () => {
      await world.mine()
      return isDone()
    })
  }
  await world.anvil.rpc('anvil_reorg', Number(await world.anvil.rpc('eth_blockNumber')), [])
  assert.equal(await world.transactionsOfSender(), 0)
  const behind = await outbox.submit(counted('behind'))
  assert.equal(behind.nonce, 2 * half)
  await until(() => lines.some((line) => /renumbered|final_transaction_lost/.test(line)))
  await world.anvil.rpc('evm_setAutomine', true)
  await until(isDone)
  assert.equal(await world.transactionsOfSender(), 2 * half + 1)
  for (const key of ['behind', '0 0', `1 ${half - 1}`]) assert.equal(await world.callsOf(key), 1)
  assert.ok(!lines.includes('warn transaction_renumbered'))
})
