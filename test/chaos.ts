import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { createDice, type Dice } from 'openrfq/test/seeded.ts'
import type { Mood } from 'openrfq/test/unsteady-node.ts'
import { fetchJson, type SandboxDescription, type WireStatus } from 'openrfq/test/wallet.ts'
import { type BalanceSheet, type Holdings, headsOf, readBalanceSheet, readHoldings } from './chaos-audit.ts'
import { assertBalances, assertEnds, type Deposit, holdersOf, orderIdOf } from './chaos-books.ts'
import { createTrading } from './chaos-wallets.ts'
import { type ChaosWorld, startChaosWorld } from './chaos-world.ts'
import type { RestartingProcess } from './restarting-process.ts'

/** The result of a run. */
export type ChaosReport = {
  readonly deposits: number
  readonly done: number
  readonly refunded: number
  /** Orders refunded by the keeper without a decline. */
  readonly kept: number
  readonly kills: Readonly<Record<string, number>>
  readonly declined: number
  /** Failed settler calls: senders and selectors. */
  readonly reverted: readonly string[]
  readonly blocks: number
  readonly took: string
}

type Options = {
  readonly transfers: number
  readonly kills: number
  readonly seed: number
  readonly say: (line: string) => void
}

/** Ten times as long as a deposit and a fill take on a fast machine. */
const SECONDS = { quoteLifetimeSeconds: 20, fillWindowSeconds: 20, refundDelaySeconds: 5 }
const KILL_EVERY_MS = 1_600
const SETTLE_MS = 1_200_000

/**
 * Pauses the second solver first, then gives each of its lives a random mode until the end. It is not killed while
 * paused, because a new life starts in normal mode.
 */
const temper = (world: ChaosWorld, random: Dice, isPaused: () => boolean) => {
  let [later, isCalm] = ['normal', false]
  const timer = setInterval(() => {
    world.solvers[1].send({ mode: isPaused() ? 'paused' : isCalm ? 'normal' : later })
  }, 100)
  return {
    mayDie: (victim: RestartingProcess): boolean => victim !== world.solvers[1] || !isPaused(),
    newLife: (): void => {
      later = ['normal', 'normal', 'declining', 'slow', 'paused'][random(5)] ?? 'normal'
    },
    calm: (): void => {
      isCalm = true
    },
    stop: (): void => clearInterval(timer),
  }
}

const assertNoCrash = ({ service, solvers }: ChaosWorld): void => {
  const crashed = [service, ...solvers].filter(({ crashes }) => crashes() > 0)
  const names = crashed.map(({ name }) => name)
  assert.deepEqual(names, [], 'ended without being killed')
}

/** Kills at random moments, less often when processes take long to start. */
const createKiller = (world: ChaosWorld, { kills, say }: Options, random: Dice) => {
  const counts: Record<string, number> = {}
  const victims: readonly RestartingProcess[] = [world.service, ...world.solvers]
  const everyMs = Math.max(KILL_EVERY_MS, world.startMs)
  let isOver = false
  return {
    everyMs,
    counts,
    run: async ({ mayDie, newLife }: ReturnType<typeof temper>): Promise<void> => {
      for (let kill = 1; kill <= kills; kill += 1) {
        await delay(random(2 * everyMs))
        const alive = victims.filter((victim) => victim.isAlive() && mayDie(victim))
        const victim = alive[random(Math.max(1, alive.length))]
        if (isOver || victim === undefined) return
        assertNoCrash(world)
        await victim.kill()
        counts[victim.name] = (counts[victim.name] ?? 0) + 1
        if (victim === world.solvers[1]) newLife()
        if (kill % 20 === 0) say(`${kill} kills`)
      }
    },
    stop: (): void => {
      isOver = true
    },
  }
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
const settledSheet = async (
  sandbox: SandboxDescription,
  from: ReadonlyMap<string, number>,
  giveUpAt: number,
): Promise<BalanceSheet> => {
  for (;;) {
    const sheet = await readBalanceSheet(sandbox, from)
    const unpaid = [...sheet.orders].filter(
      ([, { counts }]) => (counts['Filled'] ?? 0) !== (counts['Released'] ?? 0),
    )
    if (unpaid.length === 0) return sheet
    assert.ok(
      Date.now() < giveUpAt,
      `${unpaid.length} fills are not repaid, the first: ${JSON.stringify(unpaid[0])}`,
    )
    await delay(1_000)
  }
}

/**
 * Trades while processes are killed, waits until all transfers are settled, and compares the chains with the quotes.
 */
export const runChaos = async (options: Options): Promise<ChaosReport> => {
  const startedAt = Date.now()
  let from: ReadonlyMap<string, number> = new Map()
  let before: Holdings = new Map()
  const dice = createDice(options.seed)
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
  const { sandbox } = world
  const { transfers, kills, seed } = options
  const random = createDice(seed)
  const killer = createKiller(world, options, random)
  const mood = temper(world, random, () => trading.isPaused())
  const pauseMs = (kills * killer.everyMs * sandbox.accounts.length) / (2 * transfers)
  const trading = createTrading(world, { transfers, seed, pauseMs })
  try {
    await Promise.all([killer.run(mood), trading.run()])
    mood.calm()
    return await settle(world, options, trading.tried, { startedAt, from, before }, killer.counts)
  } finally {
    for (const part of [killer, trading, mood]) part.stop()
  }
}

const settle = async (
  world: ChaosWorld,
  { say }: Options,
  tried: readonly Deposit[],
  { startedAt, from, before }: Start,
  killed: ChaosReport['kills'],
): Promise<ChaosReport> => {
  const { sandbox, assets, keeper } = world
  say(`${tried.length} quotes taken, settling`)
  const giveUpAt = Date.now() + SETTLE_MS
  const opened = (await readBalanceSheet(sandbox, from)).orders
  const deposits = tried.filter((deposit) => opened.has(orderIdOf(deposit)))
  const statuses = await Promise.all(deposits.map((deposit) => finalStatus(world, deposit, giveUpAt)))
  const sheet = await settledSheet(sandbox, from, giveUpAt)
  const recipients = deposits.map(({ recipient }) => recipient)
  const after = await readHoldings(sandbox, assets, holdersOf(sandbox, keeper, recipients))
  assertNoCrash(world)
  assertEnds(deposits, statuses, sheet)
  assertBalances({ world, deposits, sheet, before, after })
  const histories = [...sheet.orders.values()].map(({ counts }) => counts)
  const count = (state: string): number => statuses.filter((status) => status.state === state).length
  return {
    deposits: deposits.length,
    done: count('DONE'),
    refunded: count('REFUNDED'),
    kept: histories.filter((counts) => counts['Refunded'] === 1 && counts['Declined'] === undefined).length,
    kills: killed,
    declined: histories.filter((counts) => counts['Declined'] !== undefined).length,
    reverted: sheet.reverted,
    blocks: sheet.blocks,
    took: `${Math.round((Date.now() - startedAt) / 1000)} s`,
  }
}
