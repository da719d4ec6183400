import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from 'openrfq/test/eventually.ts'
import { type MainnetWorld, startMainnetWorld } from 'openrfq/test/mainnet-world.ts'
import { createDice } from 'openrfq/test/seeded.ts'
import { fetchJson } from 'openrfq/test/wallet.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

/** A service on the real network file, over two public endpoints a chain with the limits that providers publish. */
let world: MainnetWorld
let service: ServiceProcess

before(async () => {
  world = await startMainnetWorld()
  service = await startServiceProcess(world.environment)
})
after(async () => {
  await service.stop()
  world.stop()
})

type Readiness = { readonly status: number; readonly body: { readonly missing?: readonly string[] } }
const readiness = (): Promise<Readiness> => fetchJson(`${service.url}/readyz`)

type Token = MainnetWorld['network']['tokens'][number]
type Pair = readonly [Token, Token]

/** Every direction between two chains of one interchain token that the service lists. */
const servedPairs = async (): Promise<readonly Pair[]> => {
  const { body } = await fetchJson<{ tokens: readonly Token[] }>(`${service.url}/v1/rfq/tokens`)
  const keyOf = ({ chainId, address }: Token): string => `${chainId} ${address.toLowerCase()}`
  const listed = new Set(body.tokens.map(keyOf))
  const tokens = world.network.tokens.filter((token) => token.its !== undefined && listed.has(keyOf(token)))
  const groups = Map.groupBy(tokens, ({ its }) => its?.tokenId)
  return [...groups.values()].flatMap((group) =>
    group.flatMap((from) => group.filter((to) => to !== from).map((to): Pair => [from, to])),
  )
}

const ask = ([from, to]: Pair) =>
  fetchJson<{ quotes: readonly unknown[] }>(`${service.url}/v1/rfq/quote`, {
    ...{ fromChain: from.chainId, fromToken: from.address, toChain: to.chainId, toToken: to.address },
    ...{ amount: String(10n ** BigInt(from.decimals)), orderType: 'EXACT_INPUT' },
    ...{ sender: `0x${'1'.repeat(40)}`, recipient: `0x${'2'.repeat(40)}` },
  })

/** The milliseconds of an answer. */
const timed = async <Answer>(work: () => Promise<Answer>): Promise<readonly [Answer, number]> => {
  const started = performance.now()
  const answer = await work()
  return [answer, performance.now() - started]
}

/** Tells the median and the slowest of some times; a busy machine makes them say little, so none is a bound here. */
const tell = (t: TestContext, what: string, times: readonly number[]): void => {
  const sorted = times.toSorted((one, other) => one - other)
  t.diagnostic(
    `${what}: median ${sorted[sorted.length >> 1]?.toFixed(1)} ms, slowest ${sorted.at(-1)?.toFixed(1)} ms`,
  )
}

const callsOf = (): readonly number[] =>
  world.rpc.endpoints.map((own) => own.reduce((sum, { count }) => sum + count.calls, 0))
const refusals = (): number => world.rpc.endpoints.flat().reduce((sum, { count }) => sum + count.refused, 0)

const IDLE_SECONDS = 20
const SAMPLED = 60
const MEMORY_KB = 400 * 1024

/** What idle seconds cost: calls a second of each chain, refused requests, and questions to Axelar. */
const idle = async () => {
  const [before, refused, asked] = [callsOf(), refusals(), world.axelar.asked.length]
  await sleep(IDLE_SECONDS * 1_000)
  return {
    rates: callsOf().map((calls, place) => (calls - (before[place] ?? 0)) / IDLE_SECONDS),
    refused: refusals() - refused,
    asked: world.axelar.asked.length - asked,
  }
}

test('a service that nobody asks sends each chain at most two calls a second, none refused once limits are learnt', async (t) => {
  await eventually('every chain is read', async () => (await readiness()).status === 200)
  // A refusal teaches a limit; on a busy machine some endpoints are asked for the first time after the start.
  const { rates, asked } = await eventually('no request is refused', async () => {
    const cost = await idle()
    return cost.refused === 0 && cost
  })
  t.diagnostic(`calls a second and chain: at most ${Math.max(...rates)}`)
  assert.ok(Math.max(...rates) <= 2, String(rates))
  assert.equal(asked, 0)
})

test('pairs are quoted when they are asked for the first time, within the limits of public endpoints', async (t) => {
  const pairs = await servedPairs()
  assert.ok(pairs.length > 2_000)
  const dice = createDice(15)
  const sample = Array.from({ length: SAMPLED }, () => pairs[dice(pairs.length)]).filter(
    (pair) => pair !== undefined,
  )
  const [cold, warm]: [number[], number[]] = [[], []]
  for (const pair of sample) {
    const [, coldMs] = await timed(() => ask(pair))
    cold.push(coldMs)
    // On a busy machine the first answer may miss its deadline; what it read is kept.
    await eventually('the pair is quoted', async () => (await ask(pair)).body.quotes.length > 0)
    warm.push((await timed(() => ask(pair)))[1])
  }
  tell(t, 'asked for the first time', cold)
  tell(t, 'asked again', warm)
  const status = readFileSync(`/proc/${service.processId}/status`, 'utf8')
  const memoryKb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])
  t.diagnostic(`resident memory: ${Math.round(memoryKb / 1024)} MB`)
  assert.ok(memoryKb < MEMORY_KB)
})

const linesOf = (events: readonly string[]): readonly string[] =>
  service
    .stderr()
    .split('\n')
    .filter((line) => events.some((event) => line.includes(`"${event}"`)))

test('while every endpoint is dead quotes are empty at once and each condition is told once; then it recovers', async (t) => {
  const [pair] = await servedPairs()
  assert.ok(pair !== undefined)
  const before = new Set(linesOf(['chain_unreadable', 'rpc_endpoint_put_aside']))
  for (const endpoint of world.rpc.endpoints.flat()) endpoint.isDead = true
  const evm = world.chains.map(({ chainNumber }) => `eip155:${chainNumber}`)
  await eventually('readyz names every chain', async () => {
    const { status, body } = await readiness()
    return status === 503 && evm.every((chainId) => body.missing?.includes(chainId) === true)
  })
  const [answer, emptyMs] = await timed(() => ask(pair))
  assert.deepEqual([answer.status, answer.body], [200, { quotes: [] }])
  tell(t, 'asked while all are dead', [emptyMs])
  await sleep(5_000)
  const told = linesOf(['chain_unreadable', 'rpc_endpoint_put_aside']).filter((line) => !before.has(line))
  const conditions = told.map((line) => line.replace(/"time":\d+,?/, ''))
  assert.equal(new Set(conditions).size, conditions.length, told.join('\n'))
  for (const endpoint of world.rpc.endpoints.flat()) endpoint.isDead = false
  const [, backMs] = await timed(() =>
    eventually('all is read again', async () => (await readiness()).status === 200),
  )
  tell(t, 'ready after their return', [backMs])
  await eventually('the pair is quoted again', async () => (await ask(pair)).body.quotes.length > 0)
})
