import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { createDice } from 'openrfq/test/seeded.ts'
import { fetchJson, type WireStatus } from 'openrfq/test/wallet.ts'
import { type Books, type OrderEnds, openBooks } from './payment-kill-books.ts'
import { createFaultInjection, type FaultInjection } from './payment-kill-faults.ts'
import { type Trade, trade } from './payment-kill-wallets.ts'
import { type PaymentKillWorld, startPaymentKillWorld } from './payment-kill-world.ts'

/** The result of a run. */
export type PaymentKillReport = {
  readonly tried: number
  readonly deposits: number
  /** Deposits in claimable balances. */
  readonly inBalances: number
  readonly done: number
  readonly refunded: number
  readonly faultInjection: Readonly<Record<string, number>>
  readonly took: string
}

type Options = {
  readonly transfers: number
  readonly kills: number
  readonly faults: number
  readonly seed: number
  readonly say: (line: string) => void
}

/** Refunds on EVM chains wait long enough for an attester that was killed before its release. */
const SECONDS = {
  quoteLifetimeSeconds: 15,
  depositGraceSeconds: 3,
  fillWindowSeconds: 15,
  refundDelaySeconds: 30,
}
const WALLETS = 6
const KILL_MS = 4_000
const SETTLE_MS = 600_000
const LOOK_MS = 1_000
/** Longer than a wallet's pending transaction may take to land, and a duplicate payment to become visible. */
const QUIET_MS = 4_000
const REFUNDS = new Set(['DONE', 'REFUNDED'])

const isSettled = ({ deposited, filled, released, refunded }: OrderEnds): boolean =>
  deposited === 0 || (filled === 0 ? refunded > 0 : released > 0)

/** Waits until every deposit has its end on the chains, and a little longer. */
const settledEnds = async (
  books: Books,
  trades: readonly Trade[],
  giveUpAt: number,
): Promise<ReadonlyMap<Trade, OrderEnds>> => {
  for (let quietUntil = Date.now() + QUIET_MS; ; ) {
    const ends = await books.endsOf(trades)
    const open = [...ends].filter(([, one]) => !isSettled(one))
    if (open.length > 0) quietUntil = Date.now() + QUIET_MS
    if (Date.now() > quietUntil) return ends
    const [first] = open
    const lines = (): string => JSON.stringify(first && { ends: first[1], quote: first[0].quote })
    assert.ok(Date.now() < giveUpAt, `${open.length} deposits have no end, the first: ${lines()}`)
    await delay(LOOK_MS)
  }
}

const finalStatus = async (url: string, { quote }: Trade, giveUpAt: number): Promise<WireStatus> => {
  for (;;) {
    const query = new URLSearchParams({ quoteId: quote.quoteId })
    const answer = await fetchJson<WireStatus>(`${url}/v1/rfq/status?${query}`).catch(() => undefined)
    if (answer !== undefined && REFUNDS.has(answer.body.state)) return answer.body
    assert.ok(Date.now() < giveUpAt, `not settled: ${JSON.stringify(answer?.body)} ${JSON.stringify(quote)}`)
    await delay(LOOK_MS)
  }
}

const assertEnd = ({ quote, orderId }: Trade, ends: OrderEnds, status: WireStatus): void => {
  const isFilled = ends.filled > 0
  const expected = { deposited: 1, filled: +isFilled, released: +isFilled, refunded: +!isFilled }
  assert.deepEqual(ends, expected, `${orderId}: ${JSON.stringify(quote)}`)
  assert.equal(status.state, isFilled ? 'DONE' : 'REFUNDED', `${orderId}: ${JSON.stringify(status)}`)
  const { chain, token, amount } = isFilled ? quote.output : quote.input
  const said = isFilled ? status.output : status.refund
  assert.deepEqual({ ...said, txHash: undefined }, { chain, token, amount, txHash: undefined })
}

const assertNoCrash = ({ payers }: PaymentKillWorld): void =>
  assert.deepEqual(
    payers.flatMap(({ process }) => (process.crashes() > 0 ? [process.name] : [])),
    [],
    'ended without being killed',
  )

const rampage = async (
  world: PaymentKillWorld,
  options: Options,
  faultInjection: FaultInjection,
  books: Books,
) => {
  const { transfers, kills, seed, say } = options
  const pauseMs = Math.max(0, (kills * KILL_MS * WALLETS) / transfers - KILL_MS)
  const trading = trade(world, { transfers, random: createDice(seed + 1), pauseMs })
  // If one fails, the other must end as well.
  const [, tried] = await Promise.all([
    faultInjection.run(world),
    trading.catch((error: unknown) => {
      faultInjection.stop()
      throw error
    }),
  ])
  say(`${tried.length} quotes taken, settling`)
  const giveUpAt = Date.now() + SETTLE_MS
  const ends = await settledEnds(books, tried, giveUpAt)
  const deposits = [...ends].filter(([, { deposited }]) => deposited > 0)
  const states: string[] = []
  for (const [one, end] of deposits) {
    const status = await finalStatus(world.url, one, giveUpAt)
    assertEnd(one, end, status)
    states.push(status.state)
  }
  await books.assertBalances(ends)
  assertNoCrash(world)
  const count = (state: string): number => states.filter((one) => one === state).length
  const inBalances = deposits.filter(
    ([{ from, holding }]) => from.chainType === 'stellar' && holding === 'claimable_balance',
  )
  return {
    tried: tried.length,
    deposits: deposits.length,
    inBalances: inBalances.length,
    done: count('DONE'),
    refunded: count('REFUNDED'),
  }
}

/**
 * Pays on payment chains while processes are killed and faults are injected, and compares the chains with the quotes.
 */
export const runPaymentKills = async (options: Options): Promise<PaymentKillReport> => {
  const startedAt = Date.now()
  const faultInjection = createFaultInjection({ ...options, random: createDice(options.seed) })
  const world = await startPaymentKillWorld(SECONDS, faultInjection.meet)
  let books: Books | undefined
  try {
    books = await openBooks(world)
    const counts = await rampage(world, options, faultInjection, books)
    return {
      ...counts,
      faultInjection: faultInjection.counts(),
      took: `${Math.round((Date.now() - startedAt) / 1000)} s`,
    }
  } catch (cause) {
    const said = world.payers.map(({ process }) => `--- ${process.name}\n${process.said()}`)
    const done = JSON.stringify(faultInjection.counts())
    throw new Error(`${cause instanceof Error ? cause.message : cause}\n${done}\n${said.join('\n')}`, {
      cause,
    })
  } finally {
    faultInjection.stop()
    books?.stop()
    await world.stop()
  }
}
