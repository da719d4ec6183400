import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { toEventSelector } from 'viem'
import { startTokenChain } from '../../../test/anvil-token.ts'
import { type Mood, startUnsteadyNode } from '../../../test/unsteady-node.ts'
import { createEvmChain } from './index.ts'
import type { LogCursor, LogProgress, WatchedLog } from './log-progress.ts'
import { createLogWatcher, type LogWatcher } from './log-watcher.ts'

const CHAIN_ID = 31_998
const FINALITY = 40
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

let world: Awaited<ReturnType<typeof startTokenChain>>

before(async () => {
  world = await startTokenChain(CHAIN_ID)
  await world.client.mine({ blocks: FINALITY })
})
after(() => world.anvil.stop())

const keyOf = ({ txHash, blockHash, position }: WatchedLog): string => `${blockHash} ${txHash} ${position}`

/** Somebody who listens to a watcher and finds every contradiction in what it tells. */
const createListener = () => {
  const tentative = new Map<string, WatchedLog>()
  const removed = new Set<string>()
  const final: WatchedLog[] = []
  const cursors: LogCursor[] = []
  let refusals = 0
  const onProgress = async (progress: LogProgress): Promise<void> => {
    if (refusals > 0) {
      refusals -= 1
      throw new Error('the store is away')
    }
    if (progress.kind === 'final') {
      const { cursor, logs } = progress
      assert.ok(cursor.blockNumber > (cursors.at(-1)?.blockNumber ?? -1n), 'cursors ascend')
      for (const log of logs) {
        assert.ok(
          log.blockNumber <= cursor.blockNumber && log.blockNumber > (cursors.at(-1)?.blockNumber ?? -1n),
        )
        tentative.delete(keyOf(log))
      }
      cursors.push(cursor)
      final.push(...logs)
      return
    }
    for (const log of progress.logs) {
      assert.equal(tentative.has(keyOf(log)), progress.kind === 'removed', `${progress.kind} twice`)
      assert.ok(!removed.has(keyOf(log)), 'removed a log that was still on the chain')
      if (progress.kind === 'seen') tentative.set(keyOf(log), log)
      else {
        tentative.delete(keyOf(log))
        removed.add(keyOf(log))
      }
    }
  }
  return {
    onProgress,
    tentative,
    final,
    cursors,
    refuse: (times: number): void => {
      refusals = times
    },
  }
}
type Listener = ReturnType<typeof createListener>

type Watched = {
  readonly watcher: LogWatcher
  readonly listener: Listener
  readonly lines: readonly string[]
}

/** Watches the token's transfers over the given endpoints while `work` runs. */
const watching = async (
  work: (watched: Watched) => Promise<void>,
  { rpcUrls = [world.anvil.rpcUrl], from }: { rpcUrls?: readonly string[]; from?: LogCursor } = {},
): Promise<void> => {
  const lines: string[] = []
  const log = (level: string, message: string): void => void lines.push(`${level} ${message}`)
  const chain = createEvmChain({
    chainId: `eip155:${CHAIN_ID}`,
    rpcUrls,
    finality: FINALITY,
    now: Date.now,
    log,
    timing: { pollMs: 15, observeMs: 4_000, asideMs: 10 },
  })
  const listener = createListener()
  const watcher = createLogWatcher({
    chain,
    addresses: [world.token],
    topics0: [TRANSFER],
    from,
    now: Date.now,
    log,
    onProgress: listener.onProgress,
  })
  try {
    await chain.start()
    await watcher.start()
    await work({ watcher, listener, lines })
  } finally {
    await watcher.stop()
    chain.stop()
  }
}

/** What the chain itself says of the token's transfers after a block. */
const truth = async (after: bigint) => {
  const { number: head } = await world.client.getBlock()
  const logs = await world.client.getLogs({ address: world.token, fromBlock: after + 1n, toBlock: head })
  const keys = logs.map(
    ({ blockHash, transactionHash, logIndex, blockNumber }) =>
      ({ key: `${blockHash} ${transactionHash} ${logIndex}`, blockNumber }) as const,
  )
  const final = head - BigInt(FINALITY)
  return {
    final: keys.filter(({ blockNumber }) => blockNumber <= final).map(({ key }) => key),
    tentative: keys.filter(({ blockNumber }) => blockNumber > final).map(({ key }) => key),
    finalNumber: final,
  }
}

/** Waits until the listener knows exactly what the chain says; throws with the difference when it never does. */
const agreement = async ({ listener, watcher }: Watched, after: bigint): Promise<void> => {
  const deadline = performance.now() + 10_000
  for (;;) {
    const expected = await truth(after)
    const known = {
      final: listener.final.map(keyOf),
      tentative: [...listener.tentative.keys()],
      finalNumber: watcher.finalBlock()?.number,
    }
    try {
      assert.deepEqual(known, expected)
      return
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(10)
    }
  }
}

const startOf = async ({ listener }: Watched): Promise<bigint> => {
  for (let tries = 0; tries < 250; tries += 1) {
    const [first] = listener.cursors
    if (first !== undefined) return first.blockNumber
    await sleep(20)
  }
  throw new Error('the watcher did not start')
}

test('logs are seen when they appear, and final once, when their block is', () =>
  watching(async (watched) => {
    const start = await startOf(watched)
    const mined = await world.mint(1n)
    await agreement(watched, start)
    assert.equal(watched.listener.tentative.size, 1)
    await world.client.mine({ blocks: FINALITY })
    await agreement(watched, start)
    const [log] = watched.listener.final
    const block = await world.client.getBlock({ blockNumber: mined.blockNumber })
    assert.equal(log?.txHash, mined.transactionHash)
    assert.equal(log?.blockHash, mined.blockHash)
    assert.equal(log?.timestampSeconds, Number(block.timestamp))
    assert.equal(log?.position, 0)
    assert.ok(watched.watcher.isCurrent())
  }))

test('a reorganisation of any depth short of finality takes back what it dropped and nothing else', () =>
  watching(async (watched) => {
    const start = await startOf(watched)
    for (let depth = 1; depth <= 32; depth += 1) {
      await world.mint(1n)
      await world.client.mine({ blocks: depth % 5 })
      await world.mint(2n)
      if (depth % 2 === 0) await agreement(watched, start)
      await world.anvil.rpc('anvil_reorg', depth, [])
      if (depth % 3 === 0) await world.mint(3n)
      await agreement(watched, start)
    }
    await world.client.mine({ blocks: FINALITY })
    await agreement(watched, start)
    assert.ok(watched.listener.final.length > 0)
  }))

test('a chain that was rolled back and grew another way is followed', () =>
  watching(async (watched) => {
    const start = await startOf(watched)
    for (const depth of [1, 7, 20]) {
      await world.mint(1n)
      await world.client.mine({ blocks: depth - 1 })
      await agreement(watched, start)
      await world.anvil.rpc('anvil_rollback', depth)
      await world.mint(5n)
      await world.client.mine({ blocks: depth })
      await agreement(watched, start)
    }
  }))

test('a watcher that was away for long reads what it missed in ranges, from its cursor', async () => {
  const from = await world.client.getBlock()
  await world.mint(1n)
  await world.client.mine({ blocks: 700 })
  await world.mint(2n)
  await world.client.mine({ blocks: 400 })
  await world.mint(3n)
  const cursor = { blockNumber: from.number, blockHash: from.hash }
  await watching(
    async (watched) => {
      await agreement(watched, from.number)
      assert.equal(watched.listener.final.length, 2)
      assert.equal(watched.listener.tentative.size, 1)
      assert.ok(watched.listener.cursors.length < 10)
    },
    { from: cursor },
  )
})

test('what the listener refuses is told again', () =>
  watching(async (watched) => {
    const start = await startOf(watched)
    watched.listener.refuse(2)
    await world.mint(1n)
    await agreement(watched, start)
    await world.client.mine({ blocks: FINALITY - 1 })
    await agreement(watched, start)
    watched.listener.refuse(3)
    await world.client.mine({ blocks: 1 })
    await agreement(watched, start)
    assert.equal(watched.lines.filter((line) => line.startsWith('warn')).length, 2)
  }))

/** A small generator of the same numbers for the same seed, so that a failure can be repeated. */
const createDice = (seed: number) => {
  let state = seed
  return (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

test('an endpoint that lags half of the time removes nothing', async () => {
  const dice = createDice(7)
  const mood = (): Mood => ({ lagBlocks: dice(2) * 6, drops: false, stutters: false })
  const lagging = await startUnsteadyNode(world.anvil.rpcUrl, mood)
  try {
    await watching(
      async (watched) => {
        const start = await startOf(watched)
        for (let round = 0; round < 10; round += 1) {
          await world.mint(1n)
          await agreement(watched, start)
        }
        assert.ok(!watched.lines.some((line) => line.includes('left the chain')))
      },
      { rpcUrls: [lagging.url] },
    )
  } finally {
    lagging.stop()
  }
})

for (const seed of [1, 2, 3])
  test(`nodes that lag, drop, repeat and reorder change nothing in the end (seed ${seed})`, async () => {
    const dice = createDice(seed)
    const moods = createDice(seed + 1_000)
    const mood = (): Mood => ({
      lagBlocks: moods(3) === 0 ? 1 + moods(4) : 0,
      drops: moods(10) === 0,
      stutters: moods(2) === 0,
    })
    const nodes = await Promise.all([1, 2].map(() => startUnsteadyNode(world.anvil.rpcUrl, mood)))
    try {
      await watching(
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
          await agreement(watched, start)
        },
        { rpcUrls: nodes.map(({ url }) => url) },
      )
    } finally {
      for (const node of nodes) node.stop()
    }
  })

test('a cursor of another chain, or ahead of this one, starts a little before the newest final block', async () => {
  const { number: head } = await world.client.getBlock()
  await world.mint(1n)
  await world.client.mine({ blocks: FINALITY })
  for (const cursor of [
    { blockNumber: head - 50n, blockHash: `0x${'1'.repeat(64)}` },
    { blockNumber: head + 1_000n, blockHash: `0x${'2'.repeat(64)}` },
  ])
    await watching(
      async (watched) => {
        await agreement(watched, await startOf(watched))
        assert.ok(watched.listener.final.length > 0)
        assert.ok(watched.lines.some((line) => line.includes('not on the chain')))
      },
      { from: cursor },
    )
})

test('a watcher that lost its node for a while hands over what it had seen, and then the rest', async () => {
  let isAway = false
  const mood = (): Mood => ({ lagBlocks: 0, drops: isAway, stutters: false })
  const node = await startUnsteadyNode(world.anvil.rpcUrl, mood)
  try {
    await watching(
      async (watched) => {
        const start = await startOf(watched)
        await world.mint(1n)
        await agreement(watched, start)
        isAway = true
        await world.anvil.rpc('anvil_reorg', 3, [])
        await world.mint(2n)
        await world.client.mine({ blocks: 200 })
        await world.mint(3n)
        await sleep(200)
        isAway = false
        await agreement(watched, start)
      },
      { rpcUrls: [node.url] },
    )
  } finally {
    node.stop()
  }
})

test('a chain that breaks its own finality is reported, and read again from before', async () => {
  const told: string[] = []
  const lines: string[] = []
  const chain = createEvmChain({
    chainId: `eip155:${CHAIN_ID}`,
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
  const hears = async (line: string): Promise<void> => {
    for (let tries = 0; !told.includes(line); tries += 1) {
      if (tries > 500) throw new Error(`did not hear ${line}: ${told.join(', ')}`)
      await sleep(10)
    }
  }
  try {
    await chain.start()
    await watcher.start()
    const lost = await world.mint(1n)
    await world.client.mine({ blocks: 6 })
    await hears(`final ${lost.transactionHash}`)
    await world.anvil.rpc('anvil_reorg', 12, [])
    const found = await world.mint(2n)
    await world.client.mine({ blocks: 6 })
    await hears(`final ${found.transactionHash}`)
    assert.ok(lines.some((line) => line === 'error chain broke its finality: last blocks are read again'))
  } finally {
    await watcher.stop()
    chain.stop()
  }
})
