import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../test/eventually.ts'
import { type Mood, startUnsteadyNode } from '../../../test/unsteady-node.ts'
import { FINALITY, startOf, startWatchedToken, TRANSFER } from '../../../test/watched-token.ts'
import { createEvmChain } from './index.ts'
import { createLogWatcher } from './log-watcher.ts'

let world: Awaited<ReturnType<typeof startWatchedToken>>
before(async () => {
  world = await startWatchedToken(31_997)
})
after(() => world.anvil.stop())

test('a violated finality is logged, and the last blocks are read again', async () => {
  const told: string[] = []
  const lines: string[] = []
  const chain = createEvmChain({
    chainId: 'eip155:31997',
    rpcUrls: [world.anvil.rpcUrl],
    finality: 5,
    now: Date.now,
    log: (level, message) => lines.push(`${level} ${message}`),
    timing: { pollMs: 15, observeMs: 4_000 },
  })
  const watcher = createLogWatcher({
    chain,
    addresses: [world.token],
    topics0: [TRANSFER],
    from: undefined,
    now: Date.now,
    log: (level, message) => lines.push(`${level} ${message}`),
    onProgress: async ({ kind, logs }) => {
      for (const { txHash } of logs) told.push(`${kind} ${txHash}`)
    },
  })
  const hears = (line: string): Promise<true> =>
    eventually(
      () => `${line} is heard after ${told.join(', ')}`,
      () => told.includes(line),
    )
  try {
    await chain.start()
    await watcher.start()
    const lost = await world.mintForReceipt(1n)
    await world.client.mine({ blocks: 6 })
    await hears(`final ${lost.transactionHash}`)
    await world.anvil.rpc('anvil_reorg', 12, [])
    const found = await world.mint(2n)
    await world.client.mine({ blocks: 6 })
    await hears(`final ${found}`)
    assert.ok(lines.some((line) => line === 'error finality_violated'))
  } finally {
    await watcher.stop()
    await chain.stop()
  }
})

/** A seeded random generator, so that a failure can be reproduced. */
const createDice = (seed: number) => {
  let state = seed
  return (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

test('an endpoint that lags half of the time removes no logs', async () => {
  const dice = createDice(7)
  const mood = (): Mood => ({ lagBlocks: dice(2) * 6, drops: false, stutters: false })
  const lagging = await startUnsteadyNode(world.anvil.rpcUrl, mood)
  try {
    await world.watching(
      async (watched) => {
        const start = await startOf(watched)
        for (let round = 0; round < 10; round += 1) {
          await world.mint(1n)
          await world.agreement(watched, start)
        }
        assert.ok(!watched.lines.some((line) => line.includes('blocks_reorganized')))
      },
      { rpcUrls: [lagging.url] },
    )
  } finally {
    lagging.stop()
  }
})

for (const seed of [1, 2, 3, 4, 5])
  test(`logs end up complete over nodes that lag, drop, repeat and reorder (seed ${seed})`, async () => {
    const dice = createDice(seed)
    const moods = createDice(seed + 1_000)
    const mood = (): Mood => ({
      lagBlocks: moods(3) === 0 ? 1 + moods(4) : 0,
      drops: moods(10) === 0,
      stutters: moods(2) === 0,
    })
    const nodes = await Promise.all([1, 2].map(() => startUnsteadyNode(world.anvil.rpcUrl, mood)))
    try {
      await world.watching(
        async (watched) => {
          const start = await startOf(watched)
          for (let round = 0; round < 25; round += 1) {
            const step = dice(4)
            if (step <= 1) await world.mint(BigInt(round + 1))
            if (step === 2) await world.client.mine({ blocks: 1 + dice(6) })
            if (step === 3) await world.anvil.rpc('anvil_reorg', 1 + dice(32), [])
            if (dice(10) === 0) watched.listener.refuse(1)
            if (dice(3) === 0) await sleep(dice(60))
          }
          await world.client.mine({ blocks: FINALITY })
          await world.agreement(watched, start)
        },
        { rpcUrls: nodes.map(({ url }) => url) },
      )
    } finally {
      for (const node of nodes) node.stop()
    }
  })

test('after an outage a watcher first reports blocks already read, then the rest', async () => {
  let isAway = false
  const mood = (): Mood => ({ lagBlocks: 0, drops: isAway, stutters: false })
  const node = await startUnsteadyNode(world.anvil.rpcUrl, mood)
  try {
    await world.watching(
      async (watched) => {
        const start = await startOf(watched)
        await world.mint(1n)
        await world.agreement(watched, start)
        isAway = true
        await world.anvil.rpc('anvil_reorg', 3, [])
        await world.mint(2n)
        await world.client.mine({ blocks: 200 })
        await world.mint(3n)
        await sleep(200)
        isAway = false
        await world.agreement(watched, start)
      },
      { rpcUrls: [node.url] },
    )
  } finally {
    node.stop()
  }
})

test('asks a node that rejects wide ranges for narrower ones', async () => {
  const { number: blockNumber, hash: blockHash } = await world.client.getBlock()
  const mood = (): Mood => ({ lagBlocks: 0, drops: false, stutters: false, maxRangeBlocks: 30 })
  const node = await startUnsteadyNode(world.anvil.rpcUrl, mood)
  for (let minted = 0; minted < 9; minted += 1) {
    await world.mint(1n)
    await world.client.mine({ blocks: 50 })
  }
  try {
    await world.watching((watched) => world.agreement(watched, blockNumber), {
      rpcUrls: [node.url],
      from: { blockNumber, blockHash },
    })
  } finally {
    node.stop()
  }
})
