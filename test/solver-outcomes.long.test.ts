import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import {
  chainClients,
  execute,
  fetchJson,
  follow,
  sendAction,
  setSolverMode,
  type WireQuote,
  type WireStatus,
} from 'openrfq/test/wallet.ts'
import type { Hex } from 'viem'
import { PATIENT_SECONDS } from './intent-seconds.ts'
import {
  accountAt,
  CHAINS,
  moveClock,
  patientFullService,
  requestBody,
  type SandboxService,
  tokenOn,
} from './sandbox-service.ts'

const { quoteLifetimeSeconds, fillWindowSeconds, refundDelaySeconds } = PATIENT_SECONDS
/** Seconds after which an order that was quoted now can be refunded in the sandbox. */
const UNTIL_REFUND = quoteLifetimeSeconds + fillWindowSeconds + refundDelaySeconds + 1
const FIRST_BLOCK_SECONDS = 600
/** Seconds after a quote in which a deposit is hardly in time. */
const LAST_SECONDS = quoteLifetimeSeconds - 5
const SMALL = 10n ** 16n
const LARGE = 10n ** 18n

let world: SandboxService
before(async () => {
  world = await patientFullService.start()
})
after(patientFullService.stop)

const solverDoes = (mode: string): Promise<void> => setSolverMode(world.service.url, mode)

const firstOf = ([first]: readonly WireQuote[]): WireQuote => {
  assert.ok(first)
  return first
}
const solverOf = ({ backend }: WireQuote): unknown => Object(backend.metadata['solver']).name
const warningsOf = ({ backend }: WireQuote): readonly unknown[] =>
  [backend.metadata['warnings']].flat().map((warning) => Object(warning).code)

type Pair = {
  readonly filled: number
  readonly late: number
  readonly faded: number
  readonly declined: number
  readonly fillRate: number
  readonly blockedUntil: string | null
}
type Solvers = {
  readonly solvers: readonly {
    readonly name: string
    readonly connected: boolean
    readonly pairs: readonly Pair[]
  }[]
}

const fetchText = async (url: string) => ({ body: await (await fetch(url)).text() })

const listSolvers = async (): Promise<Solvers['solvers']> =>
  (await fetchJson<Solvers>(`${world.service.url}/v1/solvers`)).body.solvers

/**
 * All quotes for a transfer of native assets, once pools, a solver and every solver that is not blocked quote it: a busy
 * solver's quotes may lapse for a moment.
 */
const ask = (amount: bigint, recipient = accountAt(world, 1).address): Promise<readonly WireQuote[]> => {
  const [from, to] = [
    tokenOn(world, CHAINS.b, 'intent', /^ETH$/),
    tokenOn(world, CHAINS.c, 'intent', /^ETH$/),
  ]
  const body = requestBody({ from, to, amount }, accountAt(world, 0).address, recipient)
  let said: unknown
  return eventually(
    () => `intents of all trusted solvers, and gateway-express, quote: ${JSON.stringify(said)}`,
    async () => {
      const solvers = await listSolvers()
      const answer = await fetchJson<{ quotes?: WireQuote[] }>(`${world.service.url}/v1/rfq/quote`, body)
      said = { solvers, answer }
      const quotes = answer.body.quotes ?? []
      const types = new Set(quotes.map(({ backend }) => backend.type))
      const names = new Set(quotes.map(solverOf))
      const areTrustedThere = solvers
        .filter(({ pairs }) => pairs.every(({ blockedUntil }) => blockedUntil === null))
        .every(({ name }) => names.has(name))
      return types.has('intent') && types.has('gateway-express') && areTrustedThere && quotes
    },
  )
}

/** How many orders that ended in a state are counted so far. */
const countEnded = async (state: 'DONE' | 'REFUNDED'): Promise<number> =>
  (await listSolvers())
    .flatMap(({ pairs }) => pairs)
    .map(({ filled, late, declined, faded }) => (state === 'DONE' ? filled + late : declined + faded))
    .reduce((sum, count) => sum + count, 0)

/** Executes a quote and waits for its end, and until the service has recorded one more such end. */
const walk = async (
  quote: WireQuote,
  state: 'DONE' | 'REFUNDED',
  meanwhile = async () => {},
): Promise<void> => {
  const before = await countEnded(state)
  await execute(world.sandbox, quote, accountAt(world, 0).privateKey)
  // A poll may miss the state PENDING.
  await follow(world.service.url, { quoteId: quote.quoteId }, (status) => status.state !== 'AWAITING_DEPOSIT')
  await meanwhile()
  await follow(world.service.url, { quoteId: quote.quoteId }, (status) => status.state === state)
  await eventually('the end is recorded', async () => (await countEnded(state)) > before)
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

const isOver = ({ state }: WireStatus): boolean => state === 'DONE' || state === 'REFUNDED'

type Action = WireQuote['actions'][number]

/** Loops for ever on every call. */
const BURNER = { address: `0x${'b0'.repeat(20)}`, code: '0x5b600056' } as const

/** The first intent for a recipient. */
const askIntent = async (recipient?: Hex): Promise<WireQuote> => {
  const quotes = await ask(SMALL, recipient)
  return firstOf(quotes.filter(({ backend }) => backend.type === 'intent'))
}

/** So many first intents for a recipient. */
const askIntents = (count: number, recipient?: Hex): Promise<readonly WireQuote[]> =>
  Promise.all(Array.from({ length: count }, () => askIntent(recipient)))

const openingOf = ({ actions }: WireQuote): Action => {
  const [action, ...others] = actions
  assert.ok(action && others.length === 0)
  return action
}

/** Opens an order like the quote's that the service has not quoted, by another salt. */
const openingOfAnother = (quote: WireQuote): Action => {
  const action = openingOf(quote)
  const saltEnd = 2 + 8 + 64 * 7
  const { data } = action.payload
  const digit = data[saltEnd - 1] === '0' ? '1' : '0'
  const other = `0x${data.slice(2, saltEnd - 1)}${digit}${data.slice(saltEnd)}` as const
  return { ...action, payload: { ...action.payload, data: other } }
}

/** Opens orders without waiting for a block between them. */
const openAll = async (openings: readonly Action[]): Promise<void> => {
  const hashes: Hex[] = []
  for (const opening of openings)
    hashes.push(await sendAction(world.sandbox, opening, accountAt(world, 0).privateKey))
  const { reader } = chainClients(world.sandbox, CHAINS.b)
  for (const hash of hashes)
    assert.equal((await reader.waitForTransactionReceipt({ hash })).status, 'success')
}

test('fifty hostile orders leave the rate of a solver as it was', async () => {
  await walk(await askIntent(), 'DONE')
  const { rpcUrl } = chainClients(world.sandbox, CHAINS.c)
  const params = [BURNER.address, BURNER.code]
  await fetchJson(rpcUrl, { jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params })
  await openAll((await askIntents(20)).map(openingOfAnother))
  const burning = await askIntents(20, BURNER.address)
  await openAll(burning.map(openingOf))
  const last = await askIntents(10)
  await moveClock(world, LAST_SECONDS)
  for (const quote of last) {
    // One that comes too late reverts, which costs no solver anything.
    const isOpen = await execute(world.sandbox, quote, accountAt(world, 0).privateKey).then(
      () => true,
      () => false,
    )
    if (isOpen) await follow(world.service.url, { quoteId: quote.quoteId }, isOver)
  }
  await moveClock(world, UNTIL_REFUND)
  for (const { quoteId } of burning) await follow(world.service.url, { quoteId }, isOver)
  await walk(await askIntent(), 'DONE')
  for (const { fillRate, declined, faded } of (await listSolvers()).flatMap(({ pairs }) => pairs))
    assert.deepEqual({ fillRate, declined, faded }, { fillRate: 1, declined: 0, faded: 0 })
})

test('a solver that declines is not the first quote any more after three orders, nor the next one', async () => {
  await solverDoes('declining')
  assert.ok((await countFades()) <= 3)
  assert.ok((await countFades()) <= 3)
  const quotes = await ask(SMALL)
  assert.equal(firstOf(quotes).backend.type, 'gateway-express')
  const last = quotes.at(-1)
  assert.ok(last)
  assert.ok(warningsOf(last).includes('unreliable_solver'))
  for (const { connected, pairs } of await listSolvers()) {
    const [pair] = pairs
    assert.ok(connected && pair && pair.blockedUntil !== null && pair.fillRate < 1)
    assert.deepEqual([pair.declined, pair.faded], [3, 0])
  }
  const { body } = await fetchText(`${world.service.url}/metrics`)
  assert.match(body, /^openrfq_solver_remembered_fades\{solver="Reference Solver One"\} 3$/m)
  assert.match(body, /^openrfq_solver_blocked_pairs\{solver="Reference Solver Two"\} 1$/m)
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
