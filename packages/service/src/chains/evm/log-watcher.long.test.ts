import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../../test/eventually.ts'
import { FINALITY, startOf, startWatchedToken } from '../../../test/watched-token.ts'

let world: Awaited<ReturnType<typeof startWatchedToken>>
before(async () => {
  world = await startWatchedToken(31_998)
})
after(() => world.anvil.stop())

test('reports a log as seen when it appears, and as final once when its block is', () =>
  world.watching(async (watched) => {
    const start = await startOf(watched)
    const mined = await world.mintForReceipt(1n)
    await world.agreement(watched, start)
    assert.equal(watched.listener.tentative.size, 1)
    await world.client.mine({ blocks: FINALITY })
    await world.agreement(watched, start)
    const [log] = watched.listener.final
    const block = await world.client.getBlock({ blockNumber: mined.blockNumber })
    assert.equal(log?.txHash, mined.transactionHash)
    assert.equal(log?.blockHash, mined.blockHash)
    assert.equal(log?.timestampSeconds, Number(block.timestamp))
    assert.equal(log?.position, 0)
    assert.ok(watched.watcher.isCurrent())
  }))

test('a reorg down to the final block removes exactly the logs it dropped', () =>
  world.watching(async (watched) => {
    const start = await startOf(watched)
    for (const depth of [...Array.from({ length: 32 }, (_, index) => index + 1), FINALITY]) {
      await world.mint(1n)
      await world.client.mine({ blocks: depth % 5 })
      await world.mint(2n)
      if (depth % 2 === 0) await world.agreement(watched, start)
      await world.anvil.rpc('anvil_reorg', depth, [])
      if (depth % 3 === 0) await world.mint(3n)
      await world.agreement(watched, start)
    }
    await world.client.mine({ blocks: FINALITY })
    await world.agreement(watched, start)
    assert.ok(watched.listener.final.length > 0)
  }))

test('follows a chain through a deep reorg', () =>
  world.watching(async (watched) => {
    const start = await startOf(watched)
    for (const depth of [1, 7, 20]) {
      await world.mint(1n)
      await world.client.mine({ blocks: depth - 1 })
      await world.agreement(watched, start)
      await world.anvil.rpc('anvil_rollback', depth)
      await world.mint(5n)
      await world.client.mine({ blocks: depth })
      await world.agreement(watched, start)
    }
  }))

test('after a long downtime reads missing blocks in ranges from its cursor', async () => {
  await world.mint(9n)
  const from = await world.client.getBlock()
  await world.mint(1n)
  await world.client.mine({ blocks: 700 })
  await world.mint(2n)
  await world.client.mine({ blocks: 400 })
  await world.mint(3n)
  const cursor = { blockNumber: from.number, blockHash: from.hash }
  await world.watching(
    async (watched) => {
      await world.agreement(watched, from.number)
      assert.equal(watched.listener.final.length, 2)
      assert.equal(watched.listener.tentative.size, 1)
      assert.ok(watched.listener.cursors.length < 10)
    },
    { from: cursor },
  )
})

test('repeats a notification that the listener rejected', () =>
  world.watching(async (watched) => {
    const start = await startOf(watched)
    watched.listener.refuse(2)
    await world.mint(1n)
    await world.agreement(watched, start)
    await world.client.mine({ blocks: FINALITY - 1 })
    await world.agreement(watched, start)
    watched.listener.refuse(3)
    await world.client.mine({ blocks: 1 })
    await world.agreement(watched, start)
    assert.equal(watched.lines.filter((line) => line.startsWith('warn')).length, 2)
  }))

test('a cursor knows its block, the time of it, and the first block of the chain', () =>
  world.watching(async (watched) => {
    await world.agreement(watched, await startOf(watched))
    const cursor = watched.listener.cursors.at(-1)
    assert.ok(cursor)
    const [block, genesis] = await Promise.all(
      [cursor.blockNumber, 0n].map((blockNumber) => world.client.getBlock({ blockNumber })),
    )
    assert.deepEqual(cursor, {
      blockNumber: cursor.blockNumber,
      blockHash: block?.hash,
      timestampSeconds: Number(block?.timestamp),
      genesisHash: genesis?.hash,
    })
  }))

test('nothing is read from a chain that was reset, and its watcher says so', async () => {
  const { number, hash: blockHash } = await world.client.getBlock()
  await world.client.mine({ blocks: FINALITY })
  const genesisHash = `0x${'3'.repeat(64)}`
  await world.watching(
    async ({ watcher, listener, lines }) => {
      await until(() => watcher.historyFault() === 'chain_reset')
      assert.deepEqual([listener.cursors, watcher.isCurrent()], [[], false])
      assert.equal(lines.filter((line) => line.includes('event_history_lost')).length, 1)
    },
    { from: { blockNumber: number - 50n, blockHash, genesisHash } },
  )
})

test('starts after the block that an operator names by its number only', async () => {
  const { number } = await world.client.getBlock()
  await world.mint(1n)
  await world.client.mine({ blocks: FINALITY })
  for (const blockNumber of [0n, number])
    await world.watching(
      async (watched) => {
        await world.agreement(watched, blockNumber)
        assert.ok(!watched.lines.some((line) => line.includes('cursor_not_on_chain')))
      },
      { from: { blockNumber, blockHash: '' } },
    )
})

test('endpoints that are behind a cursor are waited for, and nothing is read twice', async () => {
  const { number, timestamp } = await world.client.getBlock()
  const from = {
    blockNumber: number + 20n,
    blockHash: `0x${'4'.repeat(64)}`,
    timestampSeconds: Number(timestamp) + 3_600,
  }
  await world.watching(
    async ({ watcher, listener, lines }) => {
      await until(() => lines.some((line) => line.includes('log_read_failed')))
      assert.deepEqual([listener.cursors, watcher.historyFault()], [[], undefined])
      assert.ok(!lines.some((line) => line.includes('cursor_not_on_chain')))
    },
    { from },
  )
})

test('a cursor of another chain, or ahead of this one, restarts before the newest final block', async () => {
  const { number: head } = await world.client.getBlock()
  await world.mint(1n)
  await world.client.mine({ blocks: FINALITY })
  for (const cursor of [
    { blockNumber: head - 50n, blockHash: `0x${'1'.repeat(64)}` },
    { blockNumber: head + 1_000n, blockHash: `0x${'2'.repeat(64)}` },
  ])
    await world.watching(
      async (watched) => {
        await world.agreement(watched, await startOf(watched))
        assert.ok(watched.listener.final.length > 0)
        assert.ok(watched.lines.some((line) => line.includes('cursor_not_on_chain')))
      },
      { from: cursor },
    )
})
