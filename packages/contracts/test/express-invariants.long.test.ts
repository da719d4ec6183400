import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call, Event } from '@openrfq/sandbox/test/chain-calls.ts'
import fc from 'fast-check'
import { type Hex, keccak256, zeroAddress } from 'viem'
import { type Move, moveArbitrary } from './express-moves.ts'
import { SHAPES } from './express-shapes.ts'
import { setMood, trade } from './express-walk.ts'
import {
  approve,
  assertEmpty,
  EXECUTOR,
  type ExpressOrder,
  type ExpressWorld,
  executing,
  expressing,
  freshId,
  GAS_PAYMENT,
  type Message,
  messageOf,
  orderOf,
  RECIPIENT,
  REFUNDEE,
  SENDER,
  type Side,
  STRANGER,
  sending,
  startExpressWorld,
  tokensOf,
} from './express-world.ts'

/** Number of walks. Half use a fixed seed that covers every kind of step; the others are new in each run. */
const RUNS = 10
const SEED = 11
const MOVES = 40
/** Limit in milliseconds; shrinking a failure ends here too. */
const LIMIT_MS = 120_000

let world: ExpressWorld
let sides: readonly [Side, Side]
let puppets: readonly [Hex, Hex]
const counts = new Map<string, number>()

before(async () => {
  world = await startExpressWorld()
  sides = [world.a, world.b]
  puppets = [await world.a.deploy('puppet'), await world.b.deploy('puppet')]
})
after(() => world.stop())

/** A message in flight and what was done with it. */
type Flight = {
  readonly id: Hex
  readonly message: Message
  readonly from: 0 | 1
  isFronted: boolean
  isExecuted: boolean
}
type Sending = {
  readonly transferId: Hex
  readonly order: ExpressOrder
  readonly from: 0 | 1
  readonly amount: bigint
}
type Fact = { readonly side: 0 | 1; readonly event: Event }
type Walk = { readonly sendings: Sending[]; readonly flights: Flight[]; readonly facts: Fact[] }

const otherOf = (index: 0 | 1): 0 | 1 => (index === 0 ? 1 : 0)
const count = (name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

const launch = (walk: Walk, from: 0 | 1, events: readonly Event[]): Message | undefined => {
  if (!events.some(({ eventName }) => eventName === 'ContractCallWithToken')) return undefined
  const message = messageOf(sides[from], sides[otherOf(from)], events)
  walk.flights.push({ id: freshId(), message, from, isFronted: false, isExecuted: false })
  return message
}

const sendOne = async (walk: Walk, move: Extract<Move, { kind: 'send' }>): Promise<void> => {
  const [, at, part] = SHAPES[move.shape % SHAPES.length] ?? assert.fail()
  const from = at === 'a' ? 0 : 1
  const [source, destination] = [sides[from], sides[otherOf(from)]]
  const order = orderOf(source, destination, {
    ...part(source, destination),
    inputAmount: move.inputAmount,
    minimumBridgeAmount: 1n,
    minimumAmount: (move.inputAmount * move.minimumPercent) / 100n + 1n,
    recipient: move.hasPuppetRecipient ? puppets[otherOf(from)] : RECIPIENT,
  })
  const { events } = await source.send(sending(source, order))
  count(events === undefined ? 'send refused' : 'send done')
  if (events === undefined) return
  const message = launch(walk, from, events)
  assert.ok(message)
  walk.sendings.push({ transferId: keccak256(message.payload), order, from, amount: message.amount })
}

/** Sends a call that carries a message and checks that it had exactly one effect. */
const carry = async (
  walk: Walk,
  flight: Flight,
  how: string,
  call: Call,
  expected: boolean,
): Promise<void> => {
  const to = otherOf(flight.from)
  const { events } = await sides[to].send(call)
  assert.equal(events !== undefined, expected, `${how} should ${expected ? '' : 'not '}succeed`)
  if (events === undefined) return count(`${how} refused`)
  const found = events.filter(({ eventName }) => ['Delivered', 'Returned', 'Refunded'].includes(eventName))
  const isRepayment = how === 'execute' && flight.isFronted
  assert.equal(found.length, isRepayment ? 0 : 1)
  for (const event of found) {
    walk.facts.push({ side: to, event })
    assert.equal(event.args['transferId'], keccak256(flight.message.payload))
    count(`${event.eventName} by ${how}`)
  }
  if (isRepayment) count('repaid')
  launch(walk, to, events)
}

const bring = async (walk: Walk, kind: 'express' | 'execute' | 'replay', flight: Flight): Promise<void> => {
  const { id, message, isFronted, isExecuted } = flight
  const side = sides[otherOf(flight.from)]
  if (kind === 'express') {
    await carry(walk, flight, kind, expressing(side, id, message, EXECUTOR), !isFronted && !isExecuted)
    if (!isExecuted) flight.isFronted = true
    return
  }
  if (kind === 'execute' && !isExecuted) await approve(side, message, id)
  const expected = kind === 'execute' && !isExecuted
  await carry(walk, flight, kind, executing(side, id, message, STRANGER), expected)
  if (expected) flight.isExecuted = true
}

const play = async (walk: Walk, move: Move): Promise<void> => {
  switch (move.kind) {
    case 'send':
      return sendOne(walk, move)
    case 'trade': {
      const { bridge, wrapped } = sides[move.side]
      const [first, second] = move.isSale ? [bridge, wrapped] : [wrapped, bridge]
      return trade(sides[move.side], first, 3000, second, move.amount)
    }
    case 'mood':
      await setMood(sides[move.side], puppets[move.side], move.mood)
      return
    default: {
      const flight = walk.flights[move.message % Math.max(1, walk.flights.length)]
      if (flight !== undefined) await bring(walk, move.kind, flight)
    }
  }
}

/** All balances of a side by account and token, and the supply and backing of the bridged tokens. */
const readBooks = async (index: 0 | 1): Promise<ReadonlyMap<string, bigint>> => {
  const side = sides[index]
  const accounts = [SENDER, EXECUTOR, RECIPIENT, REFUNDEE, puppets[index], side.gateway, side.gasService]
  const places = accounts.flatMap((account) => tokensOf(side).map((token) => [account, token] as const))
  const balances = await Promise.all(
    places.map(
      async ([account, token]) => [`${account} ${token}`, await side.balanceOf(token, account)] as const,
    ),
  )
  const supplies = await Promise.all(
    [side.bridge, side.ether].map(async (token) => {
      // CAST: a supply is a uint256.
      const supply = (await side.read(token, 'totalSupply', [])) as bigint
      return [`supply ${token}`, supply] as const
    }),
  )
  return new Map([...balances, ...supplies])
}

type Books = readonly [ReadonlyMap<string, bigint>, ReadonlyMap<string, bigint>]
const gainOf = (index: 0 | 1, before: Books, now: Books, account: Hex, token: Hex): bigint =>
  (now[index].get(`${account} ${token}`) ?? 0n) - (before[index].get(`${account} ${token}`) ?? 0n)

const sumOf = (facts: readonly Fact[], side: 0 | 1, name: string, payee: Hex, token: Hex): bigint =>
  facts
    .filter(({ side: at, event }) => at === side && event.eventName === name)
    .map(({ event }) => event.args)
    .filter((args) => args['token'] === token && [args['recipient'], args['refundAddress']].includes(payee))
    // CAST: the events' amounts are uint256.
    .reduce((sum, args) => sum + (args['amount'] as bigint), 0n)

/** Every transfer ended once: delivered with at least its minimum, or refunded in full. */
const assertEnds = ({ sendings, facts }: Walk): void => {
  for (const { transferId, order, from, amount } of sendings) {
    const own = facts.filter(({ event }) => event.args['transferId'] === transferId)
    const ends = own.filter(({ event }) => event.eventName !== 'Returned')
    assert.equal(ends.length, 1, 'a transfer ended twice or not at all')
    for (const { side, event } of ends) {
      const paid = event.args['amount']
      assert.ok(typeof paid === 'bigint')
      if (event.eventName === 'Refunded') assert.deepEqual([side, paid, own.length], [from, amount, 2])
      else assert.deepEqual([side, paid >= order.minimumAmount, own.length], [otherOf(from), true, 1])
    }
  }
}

/** Every balance equals the events' sums, executors gained nothing, and minted tokens are backed. */
const assertBooks = ({ sendings, facts }: Walk, before: Books, now: Books): void => {
  for (const index of [0, 1] as const) {
    const side = sides[index]
    const own = sendings.filter(({ from }) => from === index)
    for (const token of tokensOf(side)) {
      const gain = (account: Hex): bigint => gainOf(index, before, now, account, token)
      const spent = own.reduce(
        (sum, { order }) => (order.inputToken === token ? sum + order.inputAmount : sum),
        0n,
      )
      const gas = token === zeroAddress ? GAS_PAYMENT * BigInt(own.length) : 0n
      assert.equal(gain(SENDER), -(spent + gas))
      assert.equal(gain(side.gasService), gas)
      assert.equal(gain(EXECUTOR), 0n, 'the balance of an executor changed')
      for (const recipient of [RECIPIENT, puppets[index]])
        assert.equal(gain(recipient), sumOf(facts, index, 'Delivered', recipient, token))
      assert.equal(gain(REFUNDEE), sumOf(facts, index, 'Refunded', REFUNDEE, token))
    }
  }
  for (const [home, remote] of [
    [sides[0].bridge, sides[1].bridge],
    [sides[0].ether, sides[1].ether],
  ] as const) {
    const minted = (now[1].get(`supply ${remote}`) ?? 0n) - (before[1].get(`supply ${remote}`) ?? 0n)
    assert.equal(gainOf(0, before, now, sides[0].gateway, home), minted)
  }
}

test('random walks on two chains deliver or refund each transfer once and in full, repay executors exactly, and leave nothing in the routers', async () => {
  const moves = fc.array(moveArbitrary, { minLength: MOVES, maxLength: MOVES, size: 'max' })
  const holds = fc.asyncProperty(moves, async (someMoves) => {
    const states = await Promise.all(sides.map(({ rpc }) => rpc('evm_snapshot')))
    try {
      const walk: Walk = { sendings: [], flights: [], facts: [] }
      const before: Books = [await readBooks(0), await readBooks(1)]
      for (const move of someMoves) await play(walk, move)
      // Return legs are appended during this loop.
      for (const flight of walk.flights) if (!flight.isExecuted) await bring(walk, 'execute', flight)
      assertEnds(walk)
      assertBooks(walk, before, [await readBooks(0), await readBooks(1)])
      for (const side of sides) await assertEmpty(side)
    } finally {
      await Promise.all(sides.map(({ rpc }, index) => rpc('evm_revert', states[index])))
    }
  })
  const limits = { numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: true }
  await fc.assert(holds, { ...limits, seed: SEED })
  await fc.assert(holds, limits)
})

test('the random walks covered every kind of step', () => {
  const kinds = [
    'send done',
    'send refused',
    'express refused',
    'execute refused',
    'replay refused',
    'repaid',
  ]
  const ends = ['Delivered', 'Returned', 'Refunded'].flatMap((end) => [
    `${end} by express`,
    `${end} by execute`,
  ])
  for (const kind of [...kinds, ...ends]) assert.ok(counts.get(kind), `no ${kind}`)
})
