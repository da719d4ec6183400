import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startAttesterWorld } from '../../../test/attester-world.ts'
import { until } from '../../../test/eventually.ts'
import { createDice } from '../../../test/seeded.ts'
import { openSoak } from '../../../test/soak.ts'

const { seed, of } = openSoak()
const KILLS = of(20)
const LONGEST_LIFE_MS = 2_500

test(`after ${KILLS} kill -9 of the attester an exact payment repays the solver once, and a short one never`, async (context) => {
  const dice = createDice(seed)
  const world = await startAttesterWorld()
  context.after(() => world.stop())
  const { origin, stellar, solana, attester, handOver } = world
  const sentBefore = await origin.attesterTransactions()
  const balanceBefore = await origin.solverBalance()
  const exact = [await origin.open(stellar.wanted), await origin.open(solana.wanted)] as const
  const short = [await origin.open(stellar.wanted), await origin.open(solana.wanted)] as const
  await handOver.add(short[0], await stellar.pay(short[0], stellar.wanted.outputAmount - 1n))
  await handOver.add(short[1], await solana.pay(short[1], solana.wanted.outputAmount - 1n))
  await handOver.add(exact[0], await stellar.pay(exact[0], stellar.wanted.outputAmount))
  await handOver.add(exact[1], await solana.pay(exact[1], solana.wanted.outputAmount))
  attester.start()
  await until(() => attester.said().includes('fill_attested'))
  await attester.end('SIGKILL')
  for (let kill = 0; kill < KILLS; kill += 1) {
    attester.start()
    await sleep(dice(LONGEST_LIFE_MS))
    await attester.end('SIGKILL')
  }
  attester.start()
  for (const order of exact)
    await until(async () => {
      assert.equal(attester.isRunning(), true, attester.said())
      return (await origin.statusOf(order)) === 'released'
    })
  for (const order of short)
    await until(() => handOver.answersTo(order).some((answer) => answer.includes('another amount')))
  for (const order of exact) assert.equal(await origin.releasesOf(order), 1)
  for (const order of short) assert.equal(await origin.statusOf(order), 'open')
  assert.equal(await origin.attesterTransactions(), sentBefore + exact.length)
  const repaid = exact.reduce((sum, { order }) => sum + order.inputAmount, 0n)
  assert.equal(await origin.solverBalance(), balanceBefore + repaid)
  await until(() => attester.saidNow().includes('attester_started'))
  assert.equal(await attester.end('SIGTERM'), 0)
})
