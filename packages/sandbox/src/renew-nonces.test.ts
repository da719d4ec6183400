import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from 'openrfq/test/eventually.ts'
import {
  connectChain,
  counted,
  openOutbox,
  openOwnStore,
  startOutboxWorld,
} from 'openrfq/test/outbox-world.ts'
import { renewNonces } from './renew-nonces.ts'

test("an outbox that remembers an earlier start's chains can sign on the new ones", async (context) => {
  const files = await openOwnStore()
  context.after(files.remove)
  for (const key of ['first start', 'second start']) {
    const world = await startOutboxWorld()
    const chain = connectChain(world.anvil.rpcUrl)
    await renewNonces([world.anvil], openOutbox(files.store(), chain).sender, Date.now)
    await chain.start()
    const outbox = openOutbox(files.store(), chain)
    outbox.start()
    await outbox.submit(counted(key))
    await until(async () => (await files.store().findTransaction(key))?.outcome === 'succeeded')
    assert.equal(await world.callsOf(key), 1)
    await outbox.stop()
    const lost = { ...chain, sendRawTransaction: async () => 'taken' as const }
    await openOutbox(files.store(), lost).submit(counted(`${key}, unsent`))
    outbox.start()
    if (key === 'second start')
      await until(
        async () => (await files.store().findTransaction('first start, unsent'))?.outcome === 'replaced',
      )
    await outbox.stop()
    chain.stop()
    await world.anvil.stop()
  }
})
