import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import { type MainnetWorld, readMainnet, startMainnetWorld } from 'openrfq/test/mainnet-world.ts'
import { wideNetwork } from 'openrfq/test/wide-network.ts'
import { idle, memoryOf, quoteSample, readiness, servedPairs } from './network-load.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

const CHAINS = 70
const TOKENS = 2_000

let world: MainnetWorld
let service: ServiceProcess

before(async () => {
  world = await startMainnetWorld(wideNetwork(readMainnet(), CHAINS, TOKENS))
  service = await startServiceProcess(world.environment)
})
after(async () => {
  await service?.stop()
  world.stop()
})

test('a network of 70 chains and 2,000 tokens starts, idles and quotes within the limits of public endpoints', async (t) => {
  await eventually('every chain is read', async () => (await readiness(service)).status === 200)
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
  const empty = await quoteSample(service, pairs, 100)
  for (const figure of [
    `${pairs.length} pairs`,
    `calls a second and chain: at most ${Math.max(...rates)}`,
    `first answers without quotes: ${empty} of 100`,
    `resident memory: ${memoryOf(service)} MB`,
  ])
    t.diagnostic(figure)
  assert.ok(Math.max(...rates) <= 2, String(rates))
  assert.ok(memoryOf(service) < 600)
})
