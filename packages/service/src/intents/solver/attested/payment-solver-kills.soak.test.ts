import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { startPaymentSolverWorld } from '../../../../test/payment-solver-world.ts'
import { createDice } from '../../../../test/seeded.ts'
import { openSoak } from '../../../../test/soak.ts'
import { startSolverProcess } from '../../../../test/solver-process.ts'
import type { IntentOrder } from '../../../core/intent-order.ts'

const { seed, of } = openSoak()
const KILLS = of(40)
const ORDERS_PER_LIFE = 3
const LONGEST_LIFE_MS = 1_500
/** Longer than a duplicate payment takes to become visible. */
const QUIET_MS = 2_000

test(`after ${KILLS} kill -9 of a solver every deposit on a payment chain is paid once on the other`, async (context) => {
  const dice = createDice(seed)
  const world = await startPaymentSolverWorld()
  context.after(() => world.stop())
  const { solana, stellar } = world.sides
  const orders: IntentOrder[] = []
  /** Starts a solver and notifies it of orders. */
  const live = async () => {
    const solver = startSolverProcess(world.config())
    const [first, ...others] = Array.from({ length: ORDERS_PER_LIFE }, () => world.order(stellar, solana))
    assert.ok(first)
    await eventually(
      () => `the login\n${solver.said()}`,
      () => world.notify(first, true),
    )
    for (const order of others) world.notify(order, true)
    orders.push(first, ...others)
    return solver
  }
  for (let kill = 0; kill < KILLS; kill += 1) {
    const solver = await live()
    await pause(dice(LONGEST_LIFE_MS))
    await solver.kill('SIGKILL')
  }
  const last = await live()
  context.after(() => last.kill('SIGKILL'))
  for (const order of orders)
    await eventually(
      () => `the payment\n${last.said()}`,
      async () => (await world.paid(order)).length > 0,
    )
  await pause(QUIET_MS)
  for (const order of orders) assert.equal((await world.paid(order)).length, 1)
})
