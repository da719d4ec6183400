import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import { execute, fetchJson, follow, type WireQuote } from 'openrfq/test/wallet.ts'
import {
  accountAt,
  CHAINS,
  moveClock,
  requestBody,
  type SandboxService,
  startSandboxService,
  tokenOn,
} from './sandbox-service.ts'

/** Seconds after which an order that was quoted now can be refunded in the sandbox. */
const UNTIL_REFUND = 30 + 15 + 10 + 1
const FIRST_BLOCK_SECONDS = 600
const SMALL = 10n ** 16n
const LARGE = 10n ** 18n

let world: SandboxService
before(async () => {
  // Blocked solvers are of no use to the tests of other files.
  world = await startSandboxService({ LOG_LEVEL: 'info' })
})
after(() => world.stop())

const solverDoes = async (mode: string): Promise<void> => {
  const answer = await fetchJson(`${world.service.url}/sandbox/solver`, { mode })
  assert.deepEqual(answer, { status: 200, body: {} })
}

/** All quotes for a transfer of native assets, once solvers and pools quote it. */
const ask = (amount: bigint): Promise<readonly WireQuote[]> => {
  const [from, to] = [
    tokenOn(world, CHAINS.b, 'intent', /^ETH$/),
    tokenOn(world, CHAINS.c, 'intent', /^ETH$/),
  ]
  const body = requestBody({ from, to, amount }, accountAt(world, 0).address, accountAt(world, 1).address)
  return eventually('intent and gateway-express quote', async () => {
    const answer = await fetchJson<{ quotes?: WireQuote[] }>(`${world.service.url}/v1/rfq/quote`, body)
    const quotes = answer.body.quotes ?? []
    const types = new Set(quotes.map(({ backend }) => backend.type))
    return types.has('intent') && types.has('gateway-express') && quotes
  })
}

const firstOf = ([first]: readonly WireQuote[]): WireQuote => {
  assert.ok(first)
  return first
}
const solverOf = ({ backend }: WireQuote): unknown => Object(backend.metadata['solver']).name
const warningsOf = ({ backend }: WireQuote): readonly unknown[] =>
  [backend.metadata['warnings']].flat().map((warning) => Object(warning).code)

/** How many orders were recorded as ended so far. */
const countEnded = (): number => world.service.stderr().split('"solver_order_ended"').length - 1

/** Executes a quote and waits for its end, and until the service has recorded it. */
const walk = async (quote: WireQuote, state: string, meanwhile = async () => {}): Promise<void> => {
  const before = countEnded()
  await execute(world.sandbox, quote, accountAt(world, 0).privateKey)
  await follow(world.service.url, { quoteId: quote.quoteId }, (status) => status.state === 'PENDING')
  await meanwhile()
  await follow(world.service.url, { quoteId: quote.quoteId }, (status) => status.state === state)
  await eventually('the end is recorded', async () => countEnded() > before)
}

/** Executes the first quote until it is not of the solver that was first; returns how many orders that took. */
const countFades = async (meanwhile?: () => Promise<void>): Promise<number> => {
  const blamed = solverOf(firstOf(await ask(SMALL)))
  assert.ok(blamed)
  for (let fades = 0; ; fades += 1) {
    const first = firstOf(await ask(SMALL))
    if (solverOf(first) !== blamed) return fades
    await walk(first, 'REFUNDED', meanwhile)
  }
}

test('a solver that declines is not the first quote any more after three orders, nor the next one', async () => {
  await solverDoes('declining')
  assert.ok((await countFades()) <= 3)
  assert.ok((await countFades()) <= 3)
  const quotes = await ask(SMALL)
  assert.equal(firstOf(quotes).backend.type, 'gateway-express')
  const last = quotes.at(-1)
  assert.ok(last)
  assert.ok(warningsOf(last).includes('unreliable_solver'))
})

test('a blocked solver is back after the block with one small order, and for every amount once it filled that', async () => {
  await solverDoes('normal')
  await moveClock(world, FIRST_BLOCK_SECONDS + 1)
  const large = await ask(LARGE)
  assert.equal(firstOf(large).backend.type, 'gateway-express')
  const probe = firstOf(await ask(SMALL))
  assert.equal(probe.backend.type, 'intent')
  assert.deepEqual(warningsOf(probe), [])
  await walk(probe, 'DONE')
  const trusted = firstOf(await ask(LARGE))
  assert.equal(solverOf(trusted), solverOf(probe))
  assert.deepEqual(warningsOf(trusted), [])
})

test('a solver that ignores orders is not the first quote any more after three', async () => {
  await solverDoes('paused')
  assert.ok((await countFades(() => moveClock(world, UNTIL_REFUND))) <= 3)
  await solverDoes('normal')
})
