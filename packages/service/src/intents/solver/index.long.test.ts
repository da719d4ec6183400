import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { reorganise } from '@openrfq/sandbox/src/reorganise.ts'
import { DEPOSITOR, RECIPIENT } from '@openrfq/sandbox/test/settler-world.ts'
import { numberToHex, zeroAddress } from 'viem'
import { eventually } from '../../../test/eventually.ts'
import { blockNumberOf, type SolverWorld, startSolverWorld } from '../../../test/solver-world.ts'
import { RICH } from '../../../test/test-orders.ts'
import { baseUnits } from '../../core/amount.ts'
import { systemClock } from '../../lib/clock.ts'
import { readSolverConfig } from './config.ts'
import { type ReferenceSolver, startReferenceSolver } from './index.ts'

const UNIT = 10n ** 18n
const SIZE = { inputAmount: 100n * UNIT, outputAmount: 99n * UNIT }
const NATIVE = { inputToken: zeroAddress, outputToken: zeroAddress }
const NONE = 0
const OPEN = 1
const REFUNDED = 2
const RELEASED = 5
/** The mood of the puppet in which it uses all gas. */
const BURNING = 2

let world: SolverWorld
let solver: ReferenceSolver
const lines: string[] = []

const start = (part?: Parameters<SolverWorld['config']>[0]): Promise<ReferenceSolver> =>
  startReferenceSolver(readSolverConfig(JSON.stringify(world.config(part)), { evm: world.privateKey }), {
    ...systemClock,
    random: Math.random,
    log: (level, message, fields) =>
      lines.push(
        `${level} ${message} ${JSON.stringify(fields, (_, value) => (typeof value === 'bigint' ? `${value}` : value instanceof Error ? value.message : value))}`,
      ),
  })

before(async () => {
  world = await startSolverWorld()
  solver = await start()
})
after(async () => {
  await solver.stop()
  await world.stop()
})

const until = (condition: () => boolean | Promise<boolean>, name: string): Promise<true> =>
  eventually(() => `${name}\n${lines.slice(-40).join('\n')}`, condition)

test('quotes every pair from its inventory', async () => {
  const price = () =>
    world.book.price(
      {
        from: { token: { chainId: 'eip155:31337', address: zeroAddress } },
        to: { token: { chainId: 'eip155:31338', address: world.b.token } },
        sender: zeroAddress,
        orderType: 'EXACT_INPUT',
        amount: baseUnits(100n * UNIT),
      },
      RICH,
    )
  await until(() => 'offers' in price(), 'a quote')
  const answer = price()
  assert.ok('offers' in answer)
  const [offer] = answer.offers
  assert.ok(offer !== undefined && offer.output < 100n * UNIT && offer.output > 99n * UNIT)
  // Output and fee are both rounded down between two rungs.
  assert.ok(100n * UNIT - (offer.output + offer.fee) <= 1n)
})

for (const [name, assets] of [
  ['tokens', {}],
  ['native value', NATIVE],
] as const)
  test(`fills ${name} exactly once the deposit is final, proves it and is repaid`, async () => {
    const { a, b } = world
    const token = 'outputToken' in assets ? zeroAddress : b.token
    const before = await b.balanceOf(token, RECIPIENT)
    const order = await world.open({ ...SIZE, ...assets })
    await until(async () => (await world.statusOf(a, order)) === RELEASED, 'the repayment')
    assert.equal(await b.balanceOf(token, RECIPIENT), before + order.outputAmount)
    assert.deepEqual(await world.eventsOf(order), { Filled: 1, Proof: 1, Proven: 1, Released: 1 })
  })

test('declines an order that promises more than it ever quotes', async () => {
  const order = await world.open({ inputAmount: UNIT, outputAmount: UNIT })
  await until(async () => (await world.statusOf(world.a, order)) === REFUNDED, 'the refund')
  assert.deepEqual(await world.eventsOf(order), { Refunded: 1 })
})

test('leaves unannounced orders that it never quoted, at no cost', async () => {
  const { a } = world
  const count = () => a.rpc('eth_getTransactionCount', world.account, 'latest')
  const before = await count()
  const unfair = await world.openUnannounced({ inputAmount: UNIT, outputAmount: UNIT })
  const dust = await world.openUnannounced({ inputAmount: 100n, outputAmount: 1n })
  const whole = await world.openUnannounced({ inputAmount: 400_000n * UNIT, outputAmount: 390_000n * UNIT })
  const fair = await world.openUnannounced(SIZE)
  await until(async () => (await world.statusOf(a, fair)) === RELEASED, 'the repayment')
  for (const order of [unfair, dust, whole]) {
    assert.equal(await world.statusOf(a, order), OPEN)
    assert.equal(await world.statusOf(world.b, order), NONE)
  }
  assert.equal(Number(await count()), Number(before) + 1, 'the claim of the fair order')
})

test('declines an order that the inventory does not cover', async () => {
  const { a, b } = world
  const left = await b.balanceOf(b.token, world.account)
  await a.rpc('anvil_setBalance', DEPOSITOR, numberToHex(left * 3n))
  const order = await world.open({
    inputToken: zeroAddress,
    inputAmount: left * 2n,
    outputAmount: left + 1n,
  })
  await until(async () => (await world.statusOf(a, order)) === REFUNDED, 'the refund')
})

test('pays native value to a contract, and signs no fill to one that burns its gas', async () => {
  const { a, b } = world
  const recipient = await b.deploy('puppet')
  const order = await world.open({ ...SIZE, ...NATIVE, recipient })
  await until(async () => (await world.statusOf(a, order)) === RELEASED, 'the repayment')
  assert.equal(await b.balanceOf(zeroAddress, recipient), order.outputAmount)
  const block = await blockNumberOf(b)
  await b.run({ from: DEPOSITOR, to: recipient, data: b.encode('setMood', [BURNING]) })
  const trap = await world.open({ ...SIZE, ...NATIVE, recipient })
  await until(async () => (await world.statusOf(a, trap)) === REFUNDED, 'the refund')
  assert.equal(await world.failures(b, block + 1), 0)
})

test('ignores deposits while paused, and refunds them at once by declining', async () => {
  solver.modes.set('paused')
  const order = await world.open(SIZE)
  await pause(2_500)
  assert.equal(await world.statusOf(world.a, order), OPEN)
  assert.equal(await world.statusOf(world.b, order), NONE)
  solver.modes.set('declining')
  await until(async () => (await world.statusOf(world.a, order)) === REFUNDED, 'the refund')
  solver.modes.set('normal')
})

test('signs no decline whose gas the depositor would burn, and declines once it can be refunded', async () => {
  const { a } = world
  const become = (code: string) => a.rpc('anvil_setCode', DEPOSITOR, code)
  solver.modes.set('paused')
  const order = await world.open({ ...SIZE, ...NATIVE })
  const block = await blockNumberOf(a)
  await become('0x5b5f56')
  try {
    solver.modes.set('declining')
    await pause(5_000)
    assert.equal(await world.failures(a, block), 0)
    assert.equal(await world.statusOf(a, order), OPEN)
  } finally {
    await become('0x')
  }
  await until(async () => (await world.statusOf(a, order)) === REFUNDED, 'the refund')
  solver.modes.set('normal')
})

test('a fill below the promise reverts on chain, and the order can still be filled', async () => {
  const block = await blockNumberOf(world.b)
  solver.modes.set('short')
  const order = await world.open(SIZE)
  await until(async () => (await world.failures(world.b, block + 1)) === 1, 'the failed fill')
  assert.equal(await world.statusOf(world.b, order), NONE)
  solver.modes.set('normal')
  await until(async () => (await world.statusOf(world.a, order)) === RELEASED, 'the repayment')
})

test('proves fills of an earlier run once', async () => {
  await solver.stop()
  solver = await start({ settlement: { batchWaitMs: 3_600_000 } })
  const order = await world.open(SIZE)
  await until(async () => (await world.eventsOf(order))['Filled'] === 1, 'the fill')
  await solver.stop()
  const missed = await world.open(SIZE)
  solver = await start()
  for (const one of [order, missed])
    await until(async () => (await world.statusOf(world.a, one)) === RELEASED, 'the repayment')
  for (const one of [order, missed])
    assert.deepEqual(await world.eventsOf(one), { Filled: 1, Proof: 1, Proven: 1, Released: 1 })
})

test('small fills wait until their proof costs little beside what it repays, and share it', async () => {
  const { a } = world
  await solver.stop()
  // A proof costs a tenth of a cent, the share of one of these orders is 0.075 cent.
  solver = await start({
    settlement: { batchWaitMs: 200, claimWaitMs: 200, batchCostBps: 5, proofStallSeconds: 60 },
  })
  const small = { inputAmount: (3n * UNIT) / 2n, outputAmount: (29n * UNIT) / 20n }
  const first = await world.open(small)
  await until(async () => (await world.eventsOf(first))['Filled'] === 1, 'the fill')
  await pause(4_000)
  assert.deepEqual(await world.eventsOf(first), { Filled: 1 })
  const second = await world.open(small)
  for (const one of [first, second])
    await until(async () => (await world.statusOf(a, one)) === RELEASED, 'the repayment')
  assert.equal(await world.proofOf(first), await world.proofOf(second))
})

test('takes on no order while a settler knows its chain by another name than the network file', async () => {
  await solver.stop()
  const { network } = world.config()
  const chains = network.chains.map((chain, index) =>
    index === 1 && chain.axelar !== undefined
      ? { ...chain, axelar: { ...chain.axelar, name: 'elsewhere' } }
      : chain,
  )
  lines.length = 0
  solver = await start({ network: { ...network, chains } })
  const order = await world.open(SIZE)
  await until(() => lines.some((line) => line.includes('settler_differs')), 'the log of the settler')
  await pause(2_000)
  assert.equal(await world.statusOf(world.b, order), NONE)
  await solver.stop()
  solver = await start()
  await until(async () => (await world.statusOf(world.a, order)) === RELEASED, 'the repayment')
})

test('does not fill a deposit that leaves the chain before it is final', async () => {
  const { a, b } = world
  let order: Awaited<ReturnType<SolverWorld['open']>> | undefined
  await world.withoutMiner(async () => {
    order = await world.open(SIZE)
    await reorganise(a.rpcUrl, 1, Date.now)
  })
  assert.ok(order)
  assert.equal(await world.statusOf(a, order), NONE)
  await pause(2_000)
  assert.equal(await world.statusOf(b, order), NONE)
})

test('mines fills again that left the chain, and pays every order once', async () => {
  const orders = [await world.open(SIZE), await world.open(SIZE), await world.open({ ...SIZE, ...NATIVE })]
  for (let round = 0; round < 12; round += 1) {
    await pause(150)
    await world.withoutMiner(() => reorganise(world.b.rpcUrl, 1 + (round % 2), Date.now))
  }
  for (const order of orders)
    await until(async () => (await world.statusOf(world.a, order)) === RELEASED, 'the repayment')
  for (const order of orders) assert.equal((await world.eventsOf(order))['Filled'], 1)
})

test('a fill after the deadline reverts on chain, and the order is declined', async () => {
  const block = await blockNumberOf(world.b)
  solver.modes.set('late')
  const order = await world.open(SIZE)
  await world.b.setNextTime((await world.b.now()) + 3_600)
  await until(async () => (await world.failures(world.b, block + 1)) === 1, 'the failed fill')
  assert.equal(await world.statusOf(world.b, order), NONE)
  solver.modes.set('normal')
  await until(async () => (await world.statusOf(world.a, order)) === REFUNDED, 'the refund')
})
