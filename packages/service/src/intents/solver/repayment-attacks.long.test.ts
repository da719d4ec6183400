import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type IntentOrder, orderIdOf } from '@openrfq/sandbox/test/intent-order.ts'
import { DEPOSITOR } from '@openrfq/sandbox/test/settler-world.ts'
import { zeroAddress } from 'viem'
import { eventually } from '../../../test/eventually.ts'
import { type LocalServer, startLocalServer } from '../../../test/local-server.ts'
import { blockNumberOf, type SolverWorld, startSolverWorld } from '../../../test/solver-world.ts'
import { systemClock } from '../../lib/clock.ts'
import { readSolverConfig } from './config.ts'
import { type ReferenceSolver, startReferenceSolver } from './index.ts'

// What a stranger can do to a solver's claims by making some of them for it, which anybody may, and a false Axelarscan to its proofs.
const UNIT = 10n ** 18n
const SIZE = { inputAmount: 100n * UNIT, outputAmount: 99n * UNIT }
const PROVEN = 4
const RELEASED = 5
/** Blocks of 200 ms: six seconds. */
const FINALITY = 30

let world: SolverWorld
let solver: ReferenceSolver
let scan: LocalServer
let isLying = false

/** Passes the world's Axelarscan on; while it lies, the relay of a message costs a thousand ether. */
const startScan = (url: string): Promise<LocalServer> =>
  startLocalServer(async ({ body }, response) => {
    const answer = await fetch(url, { method: 'POST', body })
    const { result } = Object(await answer.json())
    const lie = isLying ? { base_fee: 1000, source_base_fee_string: '1000' } : {}
    response.end(JSON.stringify({ result: { ...result, ...lie } }))
  })

before(async () => {
  world = await startSolverWorld()
  const config = world.config({
    settlement: { batchWaitMs: 3_000, proofWaitMs: 3_000, claimWaitMs: 3_000 },
  })
  const { axelar } = config.network
  assert(axelar !== undefined && typeof axelar.scanUrl === 'string')
  scan = await startScan(axelar.scanUrl)
  const chains = config.network.chains.map((chain) => ({ ...chain, finality: FINALITY }))
  const text = JSON.stringify({
    ...config,
    network: { ...config.network, chains, axelar: { ...axelar, scanUrl: scan.url } },
  })
  solver = await startReferenceSolver(readSolverConfig(text, { evm: world.privateKey }), {
    ...systemClock,
    random: Math.random,
    log: () => undefined,
  })
})
after(async () => {
  await solver.stop()
  scan.stop()
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

test('pays no more for the relay of a proof than the proof repays, for every answer of Axelarscan', async () => {
  const { b, account } = world
  const order = await world.open(SIZE)
  await eventually('the fill', async () => (await world.eventsOf(order))['Filled'] === 1)
  isLying = true
  try {
    const before = BigInt(await b.balanceOf(zeroAddress, account))
    await pause(20_000)
    assert.equal((await world.eventsOf(order))['Proof'], undefined)
    assert(before - BigInt(await b.balanceOf(zeroAddress, account)) < UNIT)
  } finally {
    isLying = false
  }
  await eventually('the repayment', haveAll([order], RELEASED))
})
