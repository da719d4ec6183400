import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { IntentOrder } from '@openrfq/sandbox/test/intent-order.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { createDice } from 'openrfq/test/seeded.ts'
import { openSoak } from 'openrfq/test/soak.ts'
import { startSolverProcess } from 'openrfq/test/solver-process.ts'
import { startSolverWorld } from 'openrfq/test/solver-world.ts'
import { zeroAddress } from 'viem'

const { seed, of } = openSoak()
const KILLS = of(40)
const UNIT = 10n ** 18n
const RELEASED = 5
const ORDERS_PER_LIFE = 2
const LIFE_MS = { shortest: 600, longest: 2_500 } as const

test(`after ${KILLS} kill -9 of a solver every deposit on an EVM chain is filled once and repaid once`, async (context) => {
  const dice = createDice(seed)
  const world = await startSolverWorld()
  context.after(() => world.stop())
  const start = () => startSolverProcess(world.config(), { RFQ_SOLVER_KEY: world.privateKey })
  const orders: IntentOrder[] = []
  // An order names a solver only after it has quoted, and a solver quotes only after its watchers have started.
  const first = start()
  await first.message()
  await first.kill('SIGKILL')
  for (let life = 0; life < KILLS; life += 1) {
    const solver = start()
    for (let count = 0; count < ORDERS_PER_LIFE; count += 1) {
      const assets = count % 2 === 0 ? {} : { inputToken: zeroAddress, outputToken: zeroAddress }
      orders.push(await world.open({ inputAmount: 100n * UNIT, outputAmount: 99n * UNIT, ...assets }))
    }
    await pause(LIFE_MS.shortest + dice(LIFE_MS.longest - LIFE_MS.shortest))
    await solver.kill('SIGKILL')
  }
  const last = start()
  context.after(() => last.kill('SIGKILL'))
  for (const order of orders)
    await eventually(
      () => `a repayment\n${last.said()}`,
      async () => (await world.statusOf(world.a, order)) === RELEASED,
    )
  for (const order of orders)
    assert.deepEqual(await world.eventsOf(order), { Filled: 1, Proof: 1, Proven: 1, Released: 1 })
  assert.equal(await world.failures(world.b, 0), 0)
})
