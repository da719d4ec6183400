import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from 'openrfq/test/eventually.ts'
import type { MainnetWorld } from 'openrfq/test/mainnet-world.ts'
import { createDice } from 'openrfq/test/seeded.ts'
import { fetchJson } from 'openrfq/test/wallet.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

type Token = MainnetWorld['network']['tokens'][number]
/** Two sides of one interchain token. */
export type Pair = readonly [Token, Token]

/** The milliseconds of an answer. */
export const timed = async <Answer>(work: () => Promise<Answer>): Promise<readonly [Answer, number]> => {
  const started = performance.now()
  const answer = await work()
  return [answer, performance.now() - started]
}

/** Milliseconds that an idle machine of two cores needs to start Node. */
const START_MS = 45

/** How many times slower than an idle machine this one is now, at least 1: bounds of time are multiplied by it. */
export const slowness = (): number => {
  const started = performance.now()
  for (let time = 0; time < 3; time += 1) execFileSync(process.execPath, ['-e', '0'])
  return Math.max(1, (performance.now() - started) / 3 / START_MS)
}

/** Tells the median and the slowest of some times, in milliseconds. Returns the median. */
export const tell = (t: TestContext, what: string, times: readonly number[]): number => {
  const sorted = times.toSorted((one, other) => one - other)
  const median = sorted[sorted.length >> 1] ?? 0
  t.diagnostic(`${what}: median ${median.toFixed(1)} ms, slowest ${sorted.at(-1)?.toFixed(1)} ms`)
  return median
}

type Readiness = { readonly status: number; readonly body: { readonly missing?: readonly string[] } }
/** What readyz answers. */
export const readiness = ({ url }: ServiceProcess): Promise<Readiness> => fetchJson(`${url}/readyz`)

/** Milliseconds of a tick of the processor times in /proc. */
const TICK_MS = 10

/** The processor time that the service has used, in milliseconds. */
const processorMs = ({ processId }: ServiceProcess): number => {
  const fields = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** A service that was started, and how long that took. */
type Started = {
  readonly service: ServiceProcess
  /** Until it printed its address, once every part had started; then `usedMs` of processor time. */
  readonly listenMs: number
  readonly usedMs: number
  /** Until all its chains were read. */
  readonly readyMs: number
  /** How much slower than an idle machine this one was. */
  readonly factor: number
}

/** Starts a service. */
export const startTimed = async (world: MainnetWorld): Promise<Started> => {
  const before = slowness()
  const started = performance.now()
  const service = await startServiceProcess(world.environment)
  const listenMs = performance.now() - started
  const usedMs = processorMs(service)
  await eventually('every chain is read', async () => (await readiness(service)).status === 200)
  const readyMs = performance.now() - started
  return { service, listenMs, usedMs, readyMs, factor: Math.max(before, slowness()) }
}

/** Tells how long a start took. */
export const tellStart = (t: TestContext, { listenMs, usedMs, readyMs, factor }: Started): void =>
  t.diagnostic(
    `prints its address after ${listenMs.toFixed(0)} ms (${usedMs} ms of processor time), ready after ${readyMs.toFixed(0)} ms, machine ${factor.toFixed(1)} times slower`,
  )

/** Every direction between two chains of one interchain token that the service lists. */
export const servedPairs = async (
  { url }: ServiceProcess,
  { network }: MainnetWorld,
): Promise<readonly Pair[]> => {
  const { body } = await fetchJson<{ tokens: readonly Token[] }>(`${url}/v1/rfq/tokens`)
  const keyOf = ({ chainId, address }: Token): string => `${chainId} ${address.toLowerCase()}`
  const listed = new Set(body.tokens.map(keyOf))
  const tokens = network.tokens.filter((token) => token.its !== undefined && listed.has(keyOf(token)))
  const groups = Map.groupBy(tokens, ({ its }) => its?.tokenId)
  return [...groups.values()].flatMap((group) =>
    group.flatMap((from) => group.filter((to) => to !== from).map((to): Pair => [from, to])),
  )
}

/** Asks for a quote of one whole token. */
export const ask = ({ url }: ServiceProcess, [from, to]: Pair) =>
  fetchJson<{ quotes: readonly unknown[] }>(`${url}/v1/rfq/quote`, {
    ...{ fromChain: from.chainId, fromToken: from.address, toChain: to.chainId, toToken: to.address },
    ...{ amount: String(10n ** BigInt(from.decimals)), orderType: 'EXACT_INPUT' },
    ...{ sender: `0x${'1'.repeat(40)}`, recipient: `0x${'2'.repeat(40)}` },
  })

const IDLE_SECONDS = 20

/** What idle seconds cost: calls a second of each chain, refused requests, and questions to Axelar. */
export const idle = async ({ rpc, axelar }: MainnetWorld) => {
  const callsOf = (): readonly number[] =>
    rpc.endpoints.map((own) => own.reduce((sum, { count }) => sum + count.calls, 0))
  const refusals = (): number => rpc.endpoints.flat().reduce((sum, { count }) => sum + count.refused, 0)
  const [before, refused, asked] = [callsOf(), refusals(), axelar.asked.length]
  await sleep(IDLE_SECONDS * 1_000)
  return {
    rates: callsOf().map((calls, place) => (calls - (before[place] ?? 0)) / IDLE_SECONDS),
    refused: refusals() - refused,
    asked: axelar.asked.length - asked,
  }
}

const SEED = 15

/** Asks sampled pairs for the first time and again. Returns the medians in milliseconds and how many first answers were empty. */
export const askSample = async (
  t: TestContext,
  service: ServiceProcess,
  pairs: readonly Pair[],
  count: number,
): Promise<{ readonly coldMs: number; readonly warmMs: number }> => {
  const dice = createDice(SEED)
  const sample = Array.from({ length: count }, () => pairs[dice(pairs.length)]).filter(
    (pair) => pair !== undefined,
  )
  const [cold, warm]: [number[], number[]] = [[], []]
  let empty = 0
  for (const pair of sample) {
    const [first, coldMs] = await timed(() => ask(service, pair))
    cold.push(coldMs)
    // On a busy machine the first answer may miss its deadline; what it read is kept.
    if (first.body.quotes.length === 0) {
      empty += 1
      await eventually('the pair is quoted', async () => (await ask(service, pair)).body.quotes.length > 0)
    }
    warm.push((await timed(() => ask(service, pair)))[1])
  }
  t.diagnostic(`first answers without quotes: ${empty} of ${sample.length}`)
  return { coldMs: tell(t, 'asked for the first time', cold), warmMs: tell(t, 'asked again', warm) }
}

/** Resident memory of the service in MB. */
export const memoryOf = ({ processId }: ServiceProcess): number => {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
