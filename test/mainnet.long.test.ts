import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from 'openrfq/test/eventually.ts'
import { type MainnetWorld, startMainnetWorld } from 'openrfq/test/mainnet-world.ts'
import { ask, idle, memoryOf, quoteSample, readiness, servedPairs } from './network-load.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

/** A service on the real network file, over two public endpoints a chain with the limits that providers publish. */
let world: MainnetWorld
let service: ServiceProcess

before(async () => {
  world = await startMainnetWorld()
  service = await startServiceProcess(world.environment)
})
after(async () => {
  await service?.stop()
  world.stop()
})

const isReady = async (): Promise<boolean> => (await readiness(service)).status === 200

test('a service of 24 chains listens, and reads them all', async () => {
  await eventually('every chain is read', isReady)
})

test('an idle service sends each chain at most two calls a second, none refused once limits are learnt', async (t) => {
  // A refusal teaches a limit; on a busy machine some endpoints are asked for the first time after the start.
  // The check at the start reads each chain's contracts once.
  const { rates, asked } = await eventually(
    'no request is refused and the check at the start is over',
    async () => {
      const cost = await idle(world)
      return cost.refused === 0 && Math.max(...cost.rates) <= 2 && cost
    },
  )
  t.diagnostic(`calls a second and chain: at most ${Math.max(...rates)}`)
  assert.ok(Math.max(...rates) <= 2, String(rates))
  assert.equal(asked, 0)
})

test('pairs are quoted when they are asked for the first time, within the limits of public endpoints', async (t) => {
  const pairs = await servedPairs(service, world)
  assert.ok(pairs.length > 2_000)
  t.diagnostic(`first answers without quotes: ${await quoteSample(service, pairs, 200)} of 200`)
  t.diagnostic(`resident memory: ${memoryOf(service)} MB`)
  assert.ok(memoryOf(service) < 400)
})

const linesOf = (events: readonly string[]): readonly string[] =>
  service
    .stderr()
    .split('\n')
    .filter((line) => events.some((event) => line.includes(`"${event}"`)))

test('while every endpoint is dead quotes are empty and each condition is told once; then it recovers', async () => {
  const [pair] = await servedPairs(service, world)
  assert.ok(pair !== undefined)
  const before = new Set(linesOf(['chain_unreadable', 'rpc_endpoint_put_aside']))
  for (const endpoint of world.rpc.endpoints.flat()) endpoint.isDead = true
  const evm = world.chains.map(({ chainNumber }) => `eip155:${chainNumber}`)
  await eventually('readyz names every chain', async () => {
    const { status, body } = await readiness(service)
    return status === 503 && evm.every((chainId) => body.missing?.includes(chainId) === true)
  })
  const answer = await ask(service, pair)
  assert.deepEqual([answer.status, answer.body], [200, { quotes: [] }])
  await sleep(5_000)
  const told = linesOf(['chain_unreadable', 'rpc_endpoint_put_aside']).filter((line) => !before.has(line))
  const conditions = told.map((line) => line.replace(/"time":\d+,?/, ''))
  assert.equal(new Set(conditions).size, conditions.length, told.join('\n'))
  for (const endpoint of world.rpc.endpoints.flat()) endpoint.isDead = false
  await eventually('all is read again', isReady)
  await eventually('the pair is quoted again', async () => (await ask(service, pair)).body.quotes.length > 0)
})
