import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { type Holdings, headsOf, type Ledger, readHoldings, readLedger } from './chaos-audit.ts'
import { assertBalances, assertEnds, type Deposit, holdersOf, orderIdOf } from './chaos-books.ts'
import { type ChaosWorld, type Immortal, startChaosWorld } from './chaos-world.ts'
import { CHAINS, requestBody, type Trade, tokenOn, type WireToken } from './sandbox-service.ts'
import type { Mood } from './unsteady-node.ts'
import { execute, fetchJson, type SandboxDescription, type WireQuote, type WireStatus } from './wallet.ts'

/** What came out of a run. */
export type ChaosReport = {
  readonly deposits: number
  readonly done: number
  readonly refunded: number
  /** Refunded by the keeper, without a solver that declined. */
  readonly kept: number
  readonly kills: Readonly<Record<string, number>>
  readonly declined: number
  /** Transactions of settlers that failed on chain. */
  readonly reverted: number
  readonly blocks: number
  readonly seconds: number
}

type Options = {
  readonly transfers: number
  readonly kills: number
  readonly seed: number
  readonly say: (line: string) => void
}

type Random = (below: number) => number

const SECONDS = { quoteLifetimeSeconds: 5, fillWindowSeconds: 5, refundDelaySeconds: 5 }
/** All want the second solver's quotes at first, which it leaves alone until the keeper has had its time. */
const FAVOUR_MS = 3_000
const PAUSE_MS = 22_000
const KILL_EVERY_MS = 1_600
const SETTLE_MS = 120_000
const RETRY_MS = 150
const NATIVE = /^ETH$/

/** Mulberry32: the same numbers for the same seed. */
const seeded = (seed: number): Random => {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const tradesOf = (tokens: readonly WireToken[], random: Random): Trade => {
  const on = (chainId: string, symbol: RegExp): WireToken => tokenOn({ tokens }, chainId, 'intent', symbol)
  const dollars = 5_000_000n + BigInt(random(90_000_000))
  const ether = 10n ** 16n + BigInt(random(1_000_000_000)) * 10n ** 7n
  const trades: readonly Trade[] = [
    { from: on(CHAINS.a, /USDC/), to: on(CHAINS.b, /USDC/), amount: dollars },
    { from: on(CHAINS.b, /USDC/), to: on(CHAINS.a, /USDC/), amount: dollars },
    { from: on(CHAINS.b, NATIVE), to: on(CHAINS.c, NATIVE), amount: ether },
    { from: on(CHAINS.c, NATIVE), to: on(CHAINS.a, /USDC/), amount: ether },
  ]
  const trade = trades[random(trades.length)]
  assert.ok(trade)
  return trade
}

/** Which of two quotes to take: the dearer one of the second solver, the better one while that pauses, then any. */
const taste = (startedAt: number, random: Random): number => {
  const elapsedMs = Date.now() - startedAt
  if (elapsedMs < FAVOUR_MS) return 1
  return elapsedMs < PAUSE_MS ? 0 : random(2)
}

/** Asks until some solver quotes. */
const quoteSome = async (
  { url, tokens }: ChaosWorld,
  random: Random,
  parties: Omit<Deposit, 'quote'>,
  startedAt: number,
): Promise<WireQuote> => {
  const giveUpAt = Date.now() + SETTLE_MS
  for (;;) {
    const body = requestBody(tradesOf(tokens, random), parties.depositor, parties.recipient)
    const answer = await fetchJson<{ quotes?: WireQuote[] }>(`${url}/v1/rfq/quote`, body).catch(
      () => undefined,
    )
    const intents = answer?.body.quotes?.filter(({ backend }) => backend.type === 'intent') ?? []
    const quote = intents[taste(startedAt, random)] ?? intents[0]
    if (quote !== undefined) return quote
    assert.ok(Date.now() < giveUpAt, `no solver quotes any more: ${JSON.stringify(answer)}`)
    await delay(RETRY_MS)
  }
}

/** One wallet: quotes and deposits, again and again, until enough of all wallets' deposits have been tried. */
const trade = async (
  world: ChaosWorld,
  user: SandboxDescription['accounts'][number],
  random: Random,
  run: {
    readonly tried: Deposit[]
    readonly wanted: () => boolean
    readonly pauseMs: number
    readonly startedAt: number
  },
): Promise<void> => {
  while (run.wanted()) {
    const parties = { depositor: user.address, recipient: privateKeyToAddress(generatePrivateKey()) }
    const quote = await quoteSome(world, random, parties, run.startedAt)
    // What counts as a deposit is what the chain shows in the end.
    run.tried.push({ quote, ...parties })
    await execute(world.sandbox, quote, user.privateKey).catch(() => undefined)
    await delay(random(2 * run.pauseMs))
  }
}

/** Lets the second solver pause first, and afterwards do what it likes in each of its lives until all calm down. */
const temper = (world: ChaosWorld, random: Random, startedAt: number) => {
  let [later, isCalm] = ['normal', false]
  const timer = setInterval(() => {
    const isPaused = Date.now() - startedAt <= PAUSE_MS
    world.solvers[1].send({ mode: isPaused ? 'paused' : isCalm ? 'normal' : later })
  }, 100)
  return {
    newLife: (): void => {
      later = ['normal', 'normal', 'declining', 'slow', 'paused'][random(5)] ?? 'normal'
    },
    calm: (): void => {
      isCalm = true
    },
    stop: (): void => clearInterval(timer),
  }
}

const killAtRandom = async (
  world: ChaosWorld,
  { kills, say }: Options,
  random: Random,
  newLife: () => void,
): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  const victims: readonly Immortal[] = [world.service, ...world.solvers]
  for (let kill = 0; kill < kills; kill += 1) {
    await delay(random(2 * KILL_EVERY_MS))
    const victim = victims[random(victims.length)]
    assert.ok(victim)
    await victim.kill()
    counts[victim.name] = (counts[victim.name] ?? 0) + 1
    if (victim === world.solvers[1]) newLife()
    if ((kill + 1) % 20 === 0) say(`${kill + 1} kills`)
  }
  return counts
}

const finalStatus = async (world: ChaosWorld, { quote }: Deposit, giveUpAt: number): Promise<WireStatus> => {
  for (;;) {
    const query = new URLSearchParams({ quoteId: quote.quoteId })
    const answer = await fetchJson<WireStatus>(`${world.url}/v1/rfq/status?${query}`).catch(() => undefined)
    const state = answer?.body.state
    if (answer !== undefined && (state === 'DONE' || state === 'REFUNDED')) return answer.body
    assert.ok(Date.now() < giveUpAt, `not settled: ${JSON.stringify(quote)}\n${JSON.stringify(answer?.body)}`)
    await delay(300)
  }
}

/** Waits until every fill is repaid. */
const settledLedger = async (
  sandbox: SandboxDescription,
  from: ReadonlyMap<string, number>,
  giveUpAt: number,
): Promise<Ledger> => {
  for (;;) {
    const ledger = await readLedger(sandbox, from)
    const unpaid = [...ledger.orders].filter(
      ([, { counts }]) => (counts['Filled'] ?? 0) !== (counts['Released'] ?? 0),
    )
    if (unpaid.length === 0) return ledger
    assert.ok(
      Date.now() < giveUpAt,
      `${unpaid.length} fills are not repaid, the first: ${JSON.stringify(unpaid[0])}`,
    )
    await delay(1_000)
  }
}

/** Trades while processes are killed, waits until all is settled, and compares the chains with what was promised. */
export const runChaos = async (options: Options): Promise<ChaosReport> => {
  const startedAt = Date.now()
  let from: ReadonlyMap<string, number> = new Map()
  let before: Holdings = new Map()
  const dice = seeded(options.seed)
  const mood = (): Mood => ({
    lagBlocks: dice(10) === 0 ? 1 : 0,
    drops: dice(100) < 2,
    stutters: dice(2) === 0,
  })
  const world = await startChaosWorld({ seconds: SECONDS, mood }, async ({ sandbox, assets, keeper }) => {
    before = await readHoldings(sandbox, assets, holdersOf(sandbox, keeper, []))
    from = await headsOf(sandbox)
  })
  try {
    return await rampage(world, options, { startedAt, from, before })
  } catch (cause) {
    const said = [world.service, ...world.solvers].map((one) => `--- ${one.name}\n${one.said()}`)
    throw new Error(`${cause instanceof Error ? cause.message : cause}\n${said.join('\n')}`, { cause })
  } finally {
    await world.stop()
  }
}

type Start = {
  readonly startedAt: number
  readonly from: ReadonlyMap<string, number>
  readonly before: Holdings
}

const rampage = async (
  world: ChaosWorld,
  options: Options,
  { startedAt, from, before }: Start,
): Promise<ChaosReport> => {
  const { sandbox, assets, keeper } = world
  const { transfers, kills, seed, say } = options
  const random = seeded(seed)
  const tried: Deposit[] = []
  const begunAt = Date.now()
  const pauseMs = (kills * KILL_EVERY_MS * sandbox.accounts.length) / (2 * transfers)
  const mood = temper(world, random, begunAt)
  const run = { tried, wanted: () => tried.length < transfers, pauseMs, startedAt: begunAt }
  const [killed] = await Promise.all([
    killAtRandom(world, options, random, mood.newLife),
    ...sandbox.accounts.map((user, index) => trade(world, user, seeded(seed + index + 1), run)),
  ])
  mood.calm()
  say(`${tried.length} quotes taken, settling`)
  const giveUpAt = Date.now() + SETTLE_MS
  const opened = (await readLedger(sandbox, from)).orders
  const deposits = tried.filter((deposit) => opened.has(orderIdOf(deposit)))
  const statuses = await Promise.all(deposits.map((deposit) => finalStatus(world, deposit, giveUpAt)))
  const ledger = await settledLedger(sandbox, from, giveUpAt)
  mood.stop()
  const recipients = deposits.map(({ recipient }) => recipient)
  const after = await readHoldings(sandbox, assets, holdersOf(sandbox, keeper, recipients))
  const unsettled = [world.service, ...world.solvers].filter(({ crashes }) => crashes() > 0)
  assert.deepEqual(
    unsettled.map(({ name }) => name),
    [],
    'ended without being killed',
  )
  assertEnds(deposits, statuses, ledger)
  assertBalances({ world, deposits, ledger, before, after })
  const histories = [...ledger.orders.values()].map(({ counts }) => counts)
  const count = (state: string): number => statuses.filter((status) => status.state === state).length
  return {
    deposits: deposits.length,
    done: count('DONE'),
    refunded: count('REFUNDED'),
    kept: histories.filter((counts) => counts['Refunded'] === 1 && counts['Declined'] === undefined).length,
    kills: killed,
    declined: histories.filter((counts) => counts['Declined'] !== undefined).length,
    reverted: ledger.reverted,
    blocks: ledger.blocks,
    seconds: Math.round((Date.now() - startedAt) / 1000),
  }
}
