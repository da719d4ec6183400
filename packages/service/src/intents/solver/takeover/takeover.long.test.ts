import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { encodeOrder, type IntentOrder, orderIdOf } from '@openrfq/sandbox/test/intent-order.ts'
import {
  DEPOSITOR,
  FILLER,
  fund,
  orderOf,
  RECIPIENT,
  SOLVER,
  STRANGER,
} from '@openrfq/sandbox/test/settler-world.ts'
import { type Hex, numberToHex, pad, zeroAddress } from 'viem'
import { eventually } from '../../../../test/eventually.ts'
import { blockNumberOf, type SolverWorld, startSolverWorld } from '../../../../test/solver-world.ts'
import { systemClock } from '../../../lib/clock.ts'
import { readSolverConfig } from '../config.ts'
import { type ReferenceSolver, startReferenceSolver } from '../index.ts'

const UNIT = 10n ** 18n
const SIZE = { inputAmount: 100n * UNIT, outputAmount: 99n * UNIT }
const OF_ANOTHER = { solver: SOLVER, filler: FILLER }
const NATIVE = { inputToken: zeroAddress, outputToken: zeroAddress }
const [NONE, OPEN, REFUNDED, RELEASED] = [0, 1, 2, 5]
/** The mood of the puppet in which it uses all gas. */
const BURNING = 2
/** Longer than all that the solver waits for before it takes an order over. */
const SETTLED_MS = 12_000

let world: SolverWorld
let solver: ReferenceSolver
const lines: string[] = []

const start = (): Promise<ReferenceSolver> =>
  startReferenceSolver(readSolverConfig(JSON.stringify(world.config()), { evm: world.privateKey }), {
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
  for (const account of [SOLVER, FILLER, STRANGER]) await fund(world.b, account, 10n ** 24n)
  await world.a.rpc('anvil_setBalance', SOLVER, numberToHex(10n ** 20n))
  await until(() => solver.status().isConnected, 'the login')
})
after(async () => {
  await solver.stop()
  await world.stop()
})

const until = (condition: () => boolean | Promise<boolean>, name: string): Promise<true> =>
  eventually(() => `${name}\n${lines.slice(-40).join('\n')}`, condition)

/** Opens an order of another solver whose exclusive time ends in two seconds, and offers it to this solver. */
const reoffered = async (part: Partial<IntentOrder> = {}, secondsLeft = 2): Promise<IntentOrder> => {
  const now = Math.max(await world.a.now(), await world.b.now())
  const order = await world.openUnannounced({
    ...SIZE,
    ...OF_ANOTHER,
    exclusiveUntil: now + secondsLeft,
    ...part,
  })
  world.reoffer(order)
  return order
}

const countOn = async (side: SolverWorld['a']): Promise<number> =>
  Number(await side.rpc('eth_getTransactionCount', world.account, 'latest'))

const isReleased = (order: IntentOrder) => async (): Promise<boolean> =>
  (await world.statusOf(world.a, order)) === RELEASED

for (const [name, assets] of [
  ['tokens', {}],
  ['native value', NATIVE],
] as const)
  test(`takes over ${name} after the exclusive time, and is repaid on an account of its own`, async () => {
    const { a, b } = world
    const [paid, got] = 'outputToken' in assets ? [zeroAddress, zeroAddress] : ([b.token, a.token] as const)
    const before = await b.balanceOf(paid, RECIPIENT)
    const escrowed = await a.balanceOf(got, a.settler)
    const order = await reoffered(assets)
    await until(isReleased(order), 'the repayment')
    assert.equal(await b.balanceOf(paid, RECIPIENT), before + order.outputAmount)
    assert.equal(await a.balanceOf(got, a.settler), escrowed)
    assert.deepEqual(await world.eventsOf(order), { Filled: 1, Proof: 1, Proven: 1, Released: 1 })
    assert.ok((await b.now()) > order.exclusiveUntil)
  })

test('an offer ahead of time is taken over in time', async () => {
  const order = await reoffered({}, 6)
  await pause(3_000)
  assert.equal(await world.statusOf(world.b, order), NONE)
  await until(isReleased(order), 'the repayment')
})

test('a restart between fill and proof loses nothing', async () => {
  const order = await reoffered()
  await until(async () => (await world.eventsOf(order))['Filled'] === 1, 'the fill')
  await solver.stop()
  const before = await world.a.balanceOf(world.a.token, world.account)
  solver = await start()
  await until(isReleased(order), 'the repayment')
  assert.equal(await world.a.balanceOf(world.a.token, world.account), before + order.inputAmount)
})

test('signs nothing for offers that it would not have quoted, that are not what they say, or that it cannot be repaid for', async () => {
  const { a, b } = world
  const burner = await b.deploy('puppet')
  await b.run({ from: DEPOSITOR, to: burner, data: b.encode('setMood', [BURNING]) })
  const counts = async () => [await countOn(a), await countOn(b)]
  const before = await counts()
  const now = Math.max(await a.now(), await b.now())
  const orders = [
    await reoffered({ outputAmount: 100n * UNIT }),
    await reoffered({ inputAmount: 100n, outputAmount: 1n }),
    await reoffered({ inputAmount: 400_000n * UNIT, outputAmount: 390_000n * UNIT }),
    await reoffered({ ...NATIVE, recipient: burner }),
    await reoffered({ outputToken: STRANGER }),
    await reoffered({ recipient: world.account }),
    await reoffered({ openDeadline: now + 8, exclusiveUntil: now + 1, fillDeadline: now + 8 }),
  ]
  const other = await world.openUnannounced({ ...SIZE, ...OF_ANOTHER, exclusiveUntil: now })
  // Better terms, under its id and under their own.
  const better = { ...other, inputAmount: 2n * other.inputAmount }
  world.reoffer(other, better)
  world.reoffer(better)
  await pause(SETTLED_MS)
  for (const order of [...orders, other]) {
    assert.equal(await world.statusOf(a, order), OPEN)
    assert.equal(await world.statusOf(b, order), NONE)
  }
  assert.deepEqual(await counts(), before)
})

test('an order that its solver declines in time, or whose deposit leaves the chain, is not taken over', async () => {
  const { a, b } = world
  const declined = await reoffered({}, 4)
  await a.run({ from: SOLVER, to: a.settler, data: a.encode('refund', [declined, DEPOSITOR]) })
  assert.equal(await world.statusOf(a, declined), REFUNDED)
  let gone: IntentOrder | undefined
  await world.withoutMiner(async () => {
    gone = await reoffered({}, -1)
    await a.rpc('anvil_reorg', 1, [])
  })
  assert.ok(gone)
  assert.equal(await world.statusOf(a, gone), NONE)
  await pause(SETTLED_MS)
  for (const order of [declined, gone]) assert.equal(await world.statusOf(b, order), NONE)
})

test('when another account fills first, the takeover loses the gas of a revert, and the order is left', async (context) => {
  const { a, b } = world
  const stock = async () => [
    await a.balanceOf(a.token, world.account),
    await b.balanceOf(b.token, world.account),
  ]
  const before = await stock()
  const block = await blockNumberOf(b)
  solver.modes.set('paused')
  const order = await reoffered()
  await until(async () => (await b.now()) > order.exclusiveUntil + 2, 'the end of the exclusive time')
  await world.withoutMiner(async () => {
    await b.rpc('evm_setAutomine', false)
    try {
      solver.modes.set('normal')
      const isSigned = async (): Promise<boolean> => {
        const pool = await b.rpc('txpool_content')
        return JSON.stringify(pool).includes(orderIdOf(b.settler, order).slice(2))
      }
      await until(isSigned, 'the takeover')
      const fill = [orderIdOf(b.settler, order), encodeOrder(order), pad(STRANGER)] as const
      await b.rpc('eth_sendTransaction', {
        from: STRANGER,
        to: b.settler,
        data: b.encode('fill', fill),
        gas: numberToHex(300_000n),
        maxFeePerGas: numberToHex(10n ** 12n),
        maxPriorityFeePerGas: numberToHex(10n ** 11n),
      })
      await b.rpc('evm_mine')
    } finally {
      await b.rpc('evm_setAutomine', true)
    }
  })
  await until(async () => (await world.failures(b, block + 1)) === 1, 'the revert')
  assert.deepEqual(await stock(), before)
  await pause(2_000)
  assert.equal(await world.statusOf(a, order), OPEN)
  assert.equal(await world.failures(b, block + 1), 1)
  context.diagnostic(`${await gasOfRevert(block + 1)} gas`)
  assert.ok((await gasOfRevert(block + 1)) < 60_000)
})

/** The gas that the solver's failed transactions since a block used. */
const gasOfRevert = async (from: number): Promise<number> => {
  let gas = 0
  for (let number = from; number <= (await blockNumberOf(world.b)); number += 1) {
    // CAST: anvil's receipts.
    const receipts = (await world.b.rpc('eth_getBlockReceipts', numberToHex(number))) as readonly {
      readonly status: Hex
      readonly from: Hex
      readonly gasUsed: Hex
    }[]
    for (const one of receipts)
      if (one.status === '0x0' && one.from.toLowerCase() === world.account.toLowerCase())
        gas += Number(one.gasUsed)
  }
  return gas
}

test('holds twenty offers of one depositor, and still takes over the order of another', async () => {
  const now = Math.max(await world.a.now(), await world.b.now())
  const held = solver.status().orders.open
  // Nothing is read of an offer before it is held: these orders exist nowhere.
  for (let count = 0; count < 25; count++)
    world.reoffer(
      orderOf(world.a, world.b, now, {
        ...{ ...SIZE, ...OF_ANOTHER },
        depositor: STRANGER,
        exclusiveUntil: now + 600,
      }),
    )
  const isRefused = (): boolean => lines.some((line) => line.startsWith('warn too_many_orders'))
  await until(isRefused, 'an offer too many')
  const order = await reoffered()
  await until(isReleased(order), 'the release')
  assert.ok(solver.status().orders.open <= held + 20)
})
