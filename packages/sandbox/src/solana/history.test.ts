import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSolanaFaucet } from './faucet.ts'
import { USERS, writeGenesis } from './genesis.ts'
import { createHistory } from './history.ts'
import { createSimulatedSolana } from './simulated-solana.ts'

test('a history that dropped transactions says from which slot on it has all', async () => {
  const cluster = createSimulatedSolana({
    genesisHash: '1'.repeat(32),
    now: () => 1_800_000_000_000,
    log: () => undefined,
    slotMs: 400,
    confirmedAfterSlots: 1,
    finalizedAfterSlots: 4,
  })
  const [user] = USERS
  assert.ok(user !== undefined)
  await writeGenesis(cluster.vm, [user.address])
  const faucet = await createSolanaFaucet(cluster)
  for (let count = 0; count < 3; count += 1) {
    await faucet.send(user.address, 1_000_000n)
    cluster.tick()
  }
  const [first, second, third] = cluster.history.ofAddress(user.address)
  assert.ok(first !== undefined && second !== undefined && third !== undefined)
  const history = createHistory(2)
  for (const landed of [first, second]) history.add(landed)
  assert.equal(history.wholeFrom(), 0)
  history.add(third)
  assert.equal(history.wholeFrom(), first.block.slot + 1)
  assert.deepEqual(history.ofAddress(user.address), [second, third])
})
