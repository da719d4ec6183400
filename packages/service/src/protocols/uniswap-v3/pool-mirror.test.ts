import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Sandbox, startSandbox } from '@openrfq/sandbox/src/index.ts'
import { eventually } from '../../../test/eventually.ts'
import { createEvmChain } from '../../chains/evm/index.ts'
import type { Instant } from '../../core/instant.ts'
import { Network } from '../../core/network.ts'
import { createPoolMirror, type PoolMirror } from './pool-mirror.ts'
import { createPoolReader } from './pool-reader.ts'

/** Deadlines that a busy machine keeps. */
const PATIENT = { readMs: 20_000, observeMs: 20_000 }

let sandbox: Sandbox
let network: Network
before(async () => {
  sandbox = await startSandbox({
    log: () => undefined,
    now: Date.now,
    withPaymentChains: false,
    endpointSeed: undefined,
  })
  network = Network.parse(sandbox.network)
})
after(() => sandbox.stop())

const control = (path: string, body: unknown): Promise<unknown> => {
  const endpoint = sandbox.endpoints.find((candidate) => candidate.path === path)
  assert.ok(endpoint !== undefined, path)
  return endpoint.handle(body)
}

/** A mirror of one sandbox chain with a clock that the test can set forward. */
const startMirror = async (position: number, staleMs: number) => {
  let aheadMs = 0
  const now = (): Instant => Date.now() + aheadMs
  const configured = network.chains[position]
  assert.ok(configured?.exchange !== undefined)
  const { chainId, exchange } = configured
  const log = () => undefined
  const chain = createEvmChain({ ...configured, now, log, timing: { ...PATIENT, pollMs: 50, staleMs } })
  const mirror = createPoolMirror({ chain, exchange, now, log })
  await chain.start()
  await mirror.start()
  return {
    chainId,
    chain,
    exchange,
    mirror,
    setForward: (ms: number) => {
      aheadMs = ms
    },
    stop: async () => {
      await mirror.stop()
      await chain.stop()
    },
  }
}

const pricesOf = (mirror: PoolMirror) => mirror.pools()?.pools.map(({ sqrtPrice }) => sqrtPrice)

test('the mirror shows every pool of the chain, and a trade in the block after it', async () => {
  const { chainId, exchange, mirror, stop } = await startMirror(0, 15_000)
  try {
    const first = mirror.pools()
    assert.equal(first?.pools.length, exchange.pools.length)
    for (const { depth, liquidity, tick } of first.pools) {
      assert.ok(liquidity > 0n)
      assert.ok(depth.falling.filter((stop) => stop.liquidityNet !== 0n && stop.tick <= tick).length >= 4)
      assert.ok(depth.rising.filter((stop) => stop.liquidityNet !== 0n && stop.tick > tick).length >= 4)
    }
    const [pool] = exchange.pools
    assert.ok(pool !== undefined)
    const before = pricesOf(mirror)?.[0]
    await control('/sandbox/pool', { chainId, tokenA: pool.token0, tokenB: pool.token1, moveBps: 250 })
    await eventually('the trade is mirrored', () => pricesOf(mirror)?.[0] !== before)
    assert.ok((mirror.pools()?.blockNumber ?? 0n) > first.blockNumber)
  } finally {
    await stop()
  }
})

test('reads pools at the named block, and rejects for an unknown block', async () => {
  const { chain, chainId, exchange, mirror, stop } = await startMirror(1, 15_000)
  try {
    const read = createPoolReader(chain, exchange)
    const { hash } = chain.head() ?? {}
    assert.ok(hash !== undefined)
    const before = await read(hash)
    const [pool] = exchange.pools
    assert.ok(pool !== undefined)
    await control('/sandbox/pool', { chainId, tokenA: pool.token0, tokenB: pool.token1, moveBps: -90 })
    await eventually('the trade is mirrored', () => pricesOf(mirror)?.[0] !== before[0]?.sqrtPrice)
    assert.deepEqual(await read(hash), before)
    await assert.rejects(read(`0x${'ab'.repeat(32)}`), { code: 'NODE_BEHIND', message: /without block/ })
  } finally {
    await stop()
  }
})

test('the mirror is undefined when no new block came for thirty seconds', async () => {
  const { mirror, setForward, stop } = await startMirror(1, 60_000)
  try {
    assert.ok(mirror.pools() !== undefined)
    setForward(25_000)
    await eventually('the next block', () => mirror.pools() !== undefined)
    setForward(31_000)
    assert.equal(mirror.pools(), undefined)
  } finally {
    await stop()
  }
})

test('the mirror is undefined while the RPC is down, and shows the pools again afterwards', async () => {
  const { chainId, mirror, stop } = await startMirror(2, 300)
  try {
    await eventually('the pools are shown', () => mirror.pools() !== undefined)
    await control('/sandbox/rpc', { chainId, up: false })
    await eventually('nothing is shown', () => mirror.pools() === undefined)
    await control('/sandbox/rpc', { chainId, up: true })
    await eventually('the pools are shown again', () => mirror.pools() !== undefined)
  } finally {
    await stop()
  }
})
