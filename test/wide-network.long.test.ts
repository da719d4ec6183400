import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import { type MainnetWorld, readMainnet, startMainnetWorld } from 'openrfq/test/mainnet-world.ts'
import { wideNetwork } from 'openrfq/test/wide-network.ts'
import { askSample, idle, memoryOf, servedPairs, slowness, startTimed, tellStart } from './network-load.ts'

const CHAINS = 70
const TOKENS = 2_000

let world: MainnetWorld
let started: Awaited<ReturnType<typeof startTimed>>

before(async () => {
  world = await startMainnetWorld(wideNetwork(readMainnet(), CHAINS, TOKENS))
  started = await startTimed(world)
})
after(async () => {
  await started.service.stop()
  world.stop()
})

test('a network of 70 chains and 2,000 tokens starts, idles and quotes within the limits of public endpoints', async (t) => {
  const { service } = started
  tellStart(t, started)
  assert.deepEqual([world.network.chains.length, world.network.tokens.length], [CHAINS, TOKENS])
  const pairs = await servedPairs(service, world)
  // The check at the start reads each chain's contracts once, which takes minutes for so many.
  const { rates } = await eventually(
    'the check at the start is over',
    async () => {
      const cost = await idle(world)
      return Math.max(...cost.rates) <= 2 && cost
    },
    50,
    900_000,
  )
  const { coldMs, warmMs } = await askSample(t, service, pairs, 100)
  const factor = slowness()
  for (const figure of [
    `${pairs.length} pairs`,
    `calls a second and chain: at most ${Math.max(...rates)}`,
    `resident memory: ${memoryOf(service)} MB, machine ${factor.toFixed(1)} times slower`,
  ])
    t.diagnostic(figure)
  assert.ok(Math.max(...rates) <= 2, String(rates))
  assert.ok(coldMs <= 700 * factor)
  assert.ok(warmMs <= 20 * factor)
  assert.ok(memoryOf(service) < 600)
})
