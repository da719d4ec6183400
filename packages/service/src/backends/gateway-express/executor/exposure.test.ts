import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../../../test/outbox-world.ts'
import { createExposure, type Wanted } from './exposure.ts'

const HOUR_MS = 3_600_000
const [A, B, C] = ['eip155:1', 'eip155:2', 'eip155:3']
const TOKEN = `0x${'7'.repeat(40)}`
const config = {
  dailyDeliveries: 5,
  gas: { [B]: { costCap: '10', dailyCostCap: '25' }, [C]: { costCap: '10', dailyCostCap: '1000' } },
  inventory: [B, C].map((chainId) => ({
    ...{ chainId, token: TOKEN, minimumAmount: '1', maximumAmount: '100', dailyAmount: '250' },
  })),
}

let database: Awaited<ReturnType<typeof openOwnStore>>
let clock = 1_000 * HOUR_MS
before(async () => {
  database = await openOwnStore()
})
after(() => database.remove())

let commands = 0
const wanted = (changes: Partial<Wanted> = {}): Wanted => {
  commands += 1
  const commandId = `0x${commands.toString(16).padStart(64, '0')}`
  const sides = { sourceChain: A, chainId: B, token: TOKEN }
  return { commandId, transferId: commandId, ...sides, amount: 100n, mostCost: 1n, ...changes }
}
const open = async () => {
  const exposure = createExposure({
    ...{ store: database.store(), config, now: () => clock },
    patienceMs: () => HOUR_MS,
  })
  await exposure.load()
  return exposure
}
/** A day later everything that is over is forgotten. */
const nextDay = (): void => {
  clock += 25 * HOUR_MS
}

test('the first delivery of a direction is alone at stake until it is repaid', async () => {
  const exposure = await open()
  const [first, second, elsewhere] = [wanted(), wanted(), wanted({ chainId: C })]
  assert.equal(await exposure.boundOf(first), undefined)
  assert.equal(await exposure.decide(first), true)
  assert.equal(await exposure.boundOf(second), 'direction_unproven')
  assert.equal(await exposure.boundOf(elsewhere), undefined)
  await database.reopen()
  const again = await open()
  assert.equal(await again.boundOf(second), 'direction_unproven')
  assert.equal(await again.boundOf(first), undefined, 'what was decided may be signed')
  await again.end(first.commandId, 'repaid')
  assert.equal(await again.boundOf(second), undefined)
  assert.equal(await again.decide(first), false, 'what is over is never signed')
  nextDay()
  assert.equal(await (await open()).boundOf(wanted()), undefined, 'a direction stays proven')
})

test('an execution of an approved message stakes no token, needs no proof, and its gas counts', async () => {
  nextDay()
  const exposure = await open()
  const [first, execution] = [
    wanted({ sourceChain: C }),
    wanted({ sourceChain: C, amount: 0n, mostCost: 10n }),
  ]
  assert.equal(await exposure.decide(first), true)
  assert.equal(await exposure.boundOf(execution), undefined)
  assert.equal(await exposure.decide(execution), true)
  assert.equal(
    exposure.underWay(B, TOKEN, () => true),
    100n,
  )
  await exposure.end(execution.commandId, 'void')
  await exposure.end(first.commandId, 'repaid')
  for (const _ of [1, 2]) assert.equal(await exposure.decide(wanted({ amount: 0n, mostCost: 7n })), true)
  assert.equal(await exposure.boundOf(wanted({ amount: 0n })), 'daily_cost')
  nextDay()
})

test('no more than the daily amount of a token is moved, and a delivery that was never made does not count', async () => {
  const exposure = await open()
  const [one, two] = [wanted(), wanted()]
  for (const delivery of [one, two]) assert.equal(await exposure.decide(delivery), true)
  assert.equal(
    exposure.underWay(B, TOKEN, ({ commandId }) => commandId === one.commandId),
    100n,
  )
  assert.equal(await exposure.boundOf(wanted({ amount: 51n })), 'daily_amount')
  assert.equal(await exposure.boundOf(wanted({ amount: 50n })), undefined)
  await database.reopen()
  const again = await open()
  assert.equal(await again.boundOf(wanted({ amount: 51n })), 'daily_amount', 'also after a restart')
  await again.end(two.commandId, 'void')
  assert.equal(await again.boundOf(wanted({ amount: 51n })), undefined)
  await again.end(one.commandId, 'repaid')
  assert.equal(await again.boundOf(wanted({ amount: 100n })), undefined)
  nextDay()
})

test('gas is bounded per delivery and per day, failed deliveries included', async () => {
  const exposure = await open()
  assert.equal(await exposure.boundOf(wanted({ mostCost: 11n })), 'cost')
  for (const delivery of [wanted({ mostCost: 10n, amount: 1n }), wanted({ mostCost: 10n, amount: 1n })]) {
    await exposure.decide(delivery)
    await exposure.end(delivery.commandId, 'void')
  }
  assert.equal(await exposure.boundOf(wanted({ mostCost: 6n })), 'daily_cost')
  assert.equal(await exposure.boundOf(wanted({ mostCost: 5n })), undefined)
  nextDay()
  assert.equal(await exposure.boundOf(wanted({ mostCost: 6n })), undefined)
})

test('the number of deliveries in a day is bounded', async () => {
  const exposure = await open()
  for (let count = 0; count < 5; count += 1) {
    const delivery = wanted({ amount: 1n })
    await exposure.decide(delivery)
    await exposure.end(delivery.commandId, 'repaid')
  }
  assert.equal(await exposure.boundOf(wanted({ amount: 1n })), 'daily_deliveries')
  nextDay()
})

test('a direction whose repayment is overdue gets no more', async () => {
  const exposure = await open()
  const late = wanted({ amount: 1n })
  await exposure.decide(late)
  assert.equal(await exposure.boundOf(wanted({ amount: 1n })), undefined)
  clock += HOUR_MS + 1
  assert.equal(await exposure.boundOf(wanted({ amount: 1n })), 'repayment_overdue')
  nextDay()
  assert.equal(await (await open()).boundOf(wanted({ amount: 1n })), 'repayment_overdue', 'also a day later')
  await exposure.end(late.commandId, 'repaid')
})

test('a token or a chain without bounds is never delivered', async () => {
  const exposure = await open()
  assert.equal(await exposure.boundOf(wanted({ chainId: 'eip155:9' })), 'cost')
  assert.equal(await exposure.boundOf(wanted({ token: `0x${'8'.repeat(40)}` })), 'cost')
})
