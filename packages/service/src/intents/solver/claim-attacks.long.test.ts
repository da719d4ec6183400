import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type IntentOrder, orderIdOf } from '@openrfq/sandbox/test/intent-order.ts'
import { DEPOSITOR } from '@openrfq/sandbox/test/settler-world.ts'
import { eventually } from '../../../test/eventually.ts'
import { blockNumberOf, type SolverWorld, startSolverWorld } from '../../../test/solver-world.ts'
import { systemClock } from '../../lib/clock.ts'
import { readSolverConfig } from './config.ts'
import { type ReferenceSolver, startReferenceSolver } from './index.ts'

// What a stranger can do to a solver's claims by making some of them for it, which anybody may.
const UNIT = 10n ** 18n
const SIZE = { inputAmount: 100n * UNIT, outputAmount: 99n * UNIT }
const PROVEN = 4
const RELEASED = 5
/** Blocks of 200 ms: six seconds. */
const FINALITY = 30

let world: SolverWorld
let solver: ReferenceSolver

before(async () => {
  world = await startSolverWorld()
  const config = world.config({ settlement: { batchWaitMs: 3_000, claimWaitMs: 3_000 } })
  const chains = config.network.chains.map((chain) => ({ ...chain, finality: FINALITY }))
  const text = JSON.stringify({ ...config, network: { ...config.network, chains } })
  solver = await startReferenceSolver(readSolverConfig(text, { evm: world.privateKey }), {
    ...systemClock,
    log: () => undefined,
  })
})
after(async () => {
  await solver.stop()
  await world.stop()
})

const haveAll = (orders: readonly IntentOrder[], status: number) => async () => {
  for (const order of orders) if ((await world.statusOf(world.a, order)) !== status) return false
  return true
}

test('a stranger who claims one repayment for the solver does not make the claim of the others revert', async () => {
  const { a, account } = world
  const orders: IntentOrder[] = []
  for (let count = 0; count < 4; count += 1) orders.push(await world.open(SIZE))
  await eventually('all fills are proven', haveAll(orders, PROVEN))
  const block = await blockNumberOf(a)
  await eventually('the solver knows it', async () => (await blockNumberOf(a)) >= block + FINALITY)
  const [first] = orders
  assert(first !== undefined)
  await a.run({ from: DEPOSITOR, to: a.settler, data: a.encode('claim', [[first], account]) })
  assert.equal(await world.statusOf(a, first), RELEASED, orderIdOf(a.settler, first))
  await eventually('all are repaid', haveAll(orders, RELEASED))
  assert.equal(await world.failures(a, block), 0)
})
