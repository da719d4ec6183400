import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startAttesterWorld } from '../../../test/attester-world.ts'
import { until } from '../../../test/eventually.ts'

const KILLS = Number(process.env['ATTESTER_KILLS'] ?? 2)
const LONGEST_LIFE_MS = 2_500

let world: Awaited<ReturnType<typeof startAttesterWorld>>

before(async () => {
  world = await startAttesterWorld()
})
after(() => world.stop())

test('an exact payment on either payment chain repays the solver once, however often the attester is killed; a short one never', async () => {
  const { origin, stellar, solana, attester } = world
  const sentBefore = await origin.attesterTransactions()
  const balanceBefore = await origin.solverBalance()
  const exact = [await origin.open(stellar.wanted), await origin.open(solana.wanted)] as const
  const short = [await origin.open(stellar.wanted), await origin.open(solana.wanted)] as const
  await stellar.pay(short[0], stellar.wanted.outputAmount - 1n)
  await solana.pay(short[1], solana.wanted.outputAmount - 1n)
  await stellar.pay(exact[0], stellar.wanted.outputAmount)
  await solana.pay(exact[1], solana.wanted.outputAmount)
  attester.start()
  await until(() => attester.said().includes('fill_attested'))
  await attester.end('SIGKILL')
  for (let kill = 0; kill < KILLS; kill += 1) {
    attester.start()
    await sleep(randomInt(LONGEST_LIFE_MS))
    await attester.end('SIGKILL')
  }
  attester.start()
  for (const order of exact)
    await until(async () => {
      assert.equal(attester.isRunning(), true, attester.said())
      return (await origin.statusOf(order)) === 'released'
    })
  for (const { orderId } of short)
    await until(() =>
      attester
        .said()
        .split('\n')
        .some((line) => line.includes(orderId) && line.includes('another amount')),
    )
  for (const order of exact) assert.equal(await origin.releasesOf(order), 1)
  for (const order of short) assert.equal(await origin.statusOf(order), 'open')
  assert.equal(await origin.attesterTransactions(), sentBefore + exact.length)
  const repaid = exact.reduce((sum, { order }) => sum + order.inputAmount, 0n)
  assert.equal(await origin.solverBalance(), balanceBefore + repaid)
  await until(() => attester.saidNow().includes('attester_started'))
  assert.equal(await attester.end('SIGTERM'), 0)
})

test('the sandbox runs an attester until it is stopped, and reports one that ends by itself', async () => {
  const lines: string[] = []
  const log = (_: string, message: string): void => void lines.push(message)
  const lasting = world.ownAttester({}, log)
  await lasting.start(60_000)
  await lasting.stop()
  assert.deepEqual(lines.slice(), [])
  const failing = world.ownAttester({ 'eip155:31337': -1 }, log)
  await failing.start(60_000)
  await until(() => lines.includes('sandbox_attester_exited'))
  await failing.stop()
})
