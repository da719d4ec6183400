import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '@openrfq/sandbox/src/index.ts'
import { isQuoteId } from 'openrfq/src/core/quote-id.ts'
import { openSqliteStore } from 'openrfq/src/store/sqlite.ts'
import {
  type Loader,
  startBareServer,
  startLoader,
  startService,
  type Target,
  untilReady,
} from './children.ts'
import type { LoadRequest, LoadResult } from './load.ts'
import {
  ALL_BACKENDS,
  meanAnswerBytes,
  ONE_BACKEND,
  prepareQuoteRequests,
  prepareStatusRequests,
  type Served,
} from './prepare.ts'
import { type Comparison, failuresOf, quotesPerAnswer, ratioOf, table } from './report.ts'

const CONNECTIONS = 64
const ROUNDS = 9
const SLICE_SECONDS = 1
/** Warm-up in seconds: the service has more code to compile than the bare server, and its rate rises for this long. */
const WARM_UP_SECONDS = { service: 10, bare: 2 } as const
const LOOKUPS_AT_ONCE = 512
/** Limit of the 99th percentile of the answer time with one request in flight, in milliseconds. */
const GOAL_P99_MS = 15

type Course = {
  readonly name: string
  readonly target: number
  readonly requests: readonly LoadRequest[]
  readonly wantsQuotes: boolean
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const coursesOf = async (served: Served): Promise<readonly Course[]> => {
  const quotes = await prepareQuoteRequests(served, ONE_BACKEND)
  const manyQuotes = await prepareQuoteRequests(served, ALL_BACKENDS)
  for (const { backends } of [quotes, manyQuotes]) say(`pairs of ${backends.join(', ')}`)
  const status = await prepareStatusRequests(served.url, [...quotes.requests, ...manyQuotes.requests])
  const tokens: LoadRequest = { method: 'GET', path: '/v1/rfq/tokens' }
  return [
    // Before the quotes: with some hundred thousand of them in memory, a status costs a tenth more, for collecting garbage.
    { name: 'status', target: 0.35, requests: status, wantsQuotes: false },
    { name: 'tokens', target: 0.4, requests: [tokens], wantsQuotes: false },
    { name: 'quotes', target: 0.1, requests: quotes.requests, wantsQuotes: true },
    // Up to five quotes, each with calldata, an identifier and a stored row of its own; the bare server has one constant.
    { name: 'quotes of all backends', target: 0.07, requests: manyQuotes.requests, wantsQuotes: true },
  ]
}

const sizesOf = async (
  url: string,
  courses: readonly Course[],
): Promise<Readonly<Record<string, number>>> => {
  const sizes = courses.map(async ({ name, requests }) => [name, await meanAnswerBytes(url, requests)])
  return Object.fromEntries(await Promise.all(sizes))
}

/** Loads both servers alternately and swaps their order each round, so that a slow moment affects both. */
const compare = async (
  loader: Loader,
  service: Target,
  bare: Target,
  course: Course,
): Promise<Comparison> => {
  const load = (target: Target, seconds: number): Promise<LoadResult> =>
    loader.load({
      url: target.url,
      course: course.name,
      connections: CONNECTIONS,
      seconds,
      requests: course.requests,
      wantsQuotes: course.wantsQuotes && target === service,
      staysAwake: !course.wantsQuotes,
    })
  const results = new Map<Target, LoadResult[]>([
    [service, []],
    [bare, []],
  ])
  const warm = await load(service, WARM_UP_SECONDS.service)
  await load(bare, WARM_UP_SECONDS.bare)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const target of round % 2 === 0 ? [service, bare] : [bare, service])
      results.get(target)?.push(await load(target, SLICE_SECONDS))
  }
  if (warm.failures > 0) say(`${course.name}: ${warm.failures} failures while warming up`)
  return { ...course, service: results.get(service) ?? [], bare: results.get(bare) ?? [] }
}

/** Kills the service during a full load, and returns the quotes it had answered before. */
const killUnderLoad = async (loader: Loader, service: Target, course: Course): Promise<readonly string[]> => {
  const job = {
    url: service.url,
    course: course.name,
    connections: CONNECTIONS,
    seconds: SLICE_SECONDS,
    wantsQuotes: false,
    staysAwake: false,
  }
  const loading = loader.load({ ...job, requests: course.requests })
  await sleep(SLICE_SECONDS * 600)
  await service.kill()
  return (await loading).quoteIds
}

const countKept = async (directory: string, quoteIds: readonly string[]): Promise<number> => {
  const store = await openSqliteStore({ directory, log: () => {} })
  let kept = 0
  for (let start = 0; start < quoteIds.length; start += LOOKUPS_AT_ONCE) {
    const some = quoteIds.slice(start, start + LOOKUPS_AT_ONCE).filter(isQuoteId)
    const found = await Promise.all(some.map(store.findQuote))
    kept += found.filter((quote) => quote !== undefined).length
  }
  await store.close()
  return kept
}

const oneAtATime = async (loader: Loader, { url }: Target, { name, requests }: Course): Promise<LoadResult> =>
  loader.load({
    url,
    course: name,
    connections: 1,
    seconds: SLICE_SECONDS,
    requests,
    wantsQuotes: true,
    staysAwake: false,
  })

type Started = (kill: () => Promise<void>) => void

/**
 * Starts the sandbox in this process and the service as a child, so that the chains cost the service only RPC calls.
 */
const startServed = async (directory: string, started: Started): Promise<Served & { service: Target }> => {
  const { network, connect, stop } = await startSandbox({
    // Chains of other families are not measured.
    withPaymentChains: false,
    log: (severity, message) => {
      if (severity === 'warn' || severity === 'error') say(`sandbox: ${message}`)
    },
    now: Date.now,
  })
  started(stop)
  const networkFile = join(directory, 'network.json')
  writeFileSync(networkFile, JSON.stringify(network))
  const service = await startService(directory, networkFile)
  started(service.kill)
  await connect(service.url)
  await untilReady(service.url)
  const rpcUrls = new Map(network.chains.map((chain) => [chain.chainId, chain.rpcUrls[0] ?? '']))
  return { service, url: service.url, rpcUrlOf: (chainId) => rpcUrls.get(chainId) ?? '' }
}

/** The courses whose names start with one of the arguments; all without arguments. Throws Error when none matches. */
const chosenFrom = (courses: readonly Course[], words: readonly string[]): readonly Course[] => {
  const chosen = courses.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.startsWith(word)),
  )
  if (chosen.length > 0) return chosen
  throw new Error(
    `no course is named ${words.join(' ')}; expected ${courses.map(({ name }) => name).join(', ')}`,
  )
}

const measure = async (directory: string, started: Started): Promise<boolean> => {
  const { service, ...served } = await startServed(directory, started)
  const courses = chosenFrom(await coursesOf(served), process.argv.slice(2))
  const sizes = await sizesOf(service.url, courses)
  const bare = await startBareServer(sizes)
  started(bare.kill)
  const loader = startLoader()
  started(loader.kill)
  const comparisons: Comparison[] = []
  for (const course of courses) comparisons.push(await compare(loader, service, bare, course))
  say(table(comparisons))
  say(`bytes of an answer, the same from both: ${Object.values(sizes).join(', ')}`)
  for (const { name, service: results } of comparisons)
    for (const { failure } of results) if (failure !== undefined) say(`${name} failed: ${failure}`)
  const quoted = comparisons.filter((comparison) => isQuoting(courses, comparison))
  // Quotes lock the solvers' inventory; without any left, answers hold fewer quotes.
  for (const comparison of quoted)
    say(`${comparison.name}: ${quotesPerAnswer(comparison).toFixed(2)} in an answer on average`)
  const fast = comparisons.every((comparison) => ratioOf(comparison) >= comparison.target)
  const right = comparisons.every((comparison) => failuresOf(comparison) === 0)
  // Those of all backends if they are measured: the dearest answers.
  const quotes = courses.findLast(({ wantsQuotes }) => wantsQuotes)
  const kept = quotes === undefined || (await lastQuotes(loader, { directory, service, quotes, quoted }))
  return fast && right && kept
}

const isQuoting = (courses: readonly Course[], { name }: Comparison): boolean =>
  courses.some((course) => course.name === name && course.wantsQuotes)

type LastQuotes = {
  readonly directory: string
  readonly service: Target
  readonly quotes: Course
  readonly quoted: readonly Comparison[]
}

/** Asks one request at a time, kills the service under load, and counts the answered quotes that the store kept. */
const lastQuotes = async (
  loader: Loader,
  { directory, service, quotes, quoted }: LastQuotes,
): Promise<boolean> => {
  const single = await oneAtATime(loader, service, quotes)
  say(
    `quotes one at a time: ${single.requestsPerSecond.toFixed(0)} a second, p99 ${single.p99Ms} ms (goal below ${GOAL_P99_MS}), ${single.failures} failures`,
  )
  const answered = new Set(
    quoted.flatMap((comparison) => comparison.service.flatMap(({ quoteIds }) => quoteIds)),
  )
  for (const quoteId of await killUnderLoad(loader, service, quotes)) answered.add(quoteId)
  const kept = await countKept(directory, [...answered])
  say(`quotes kept through kill -9 under ${CONNECTIONS} connections: ${kept} of ${answered.size}`)
  return single.failures === 0 && single.p99Ms < GOAL_P99_MS && kept === answered.size && kept > 0
}

const main = async (): Promise<boolean> => {
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-bench-'))
  const kills: (() => Promise<void>)[] = []
  try {
    return await measure(directory, (kill) => kills.push(kill))
  } finally {
    for (const kill of kills.reverse()) await kill()
    rmSync(directory, { recursive: true, force: true })
  }
}

const passed = await main()
say(passed ? 'passed' : 'FAILED: a ratio is below what is wanted, an answer failed or a quote was lost')
process.exitCode = passed ? 0 : 1
