import assert from 'node:assert/strict'
import type { Hex } from 'viem'
import { pathOf } from './site.ts'
import {
  approve,
  type Case,
  EXECUTOR,
  type ExpressOrder,
  executing,
  expressing,
  freshId,
  give,
  type Message,
  type Note,
  orderOf,
  RECIPIENT,
  SENDER,
  type Side,
  STRANGER,
  send,
  sending,
  type World,
} from './world.ts'

/** A hundredth of a pool's depth. */
const TRADE = 10n ** 18n
const DEPTH = 10n ** 20n
/** What the attacker trades with; a flash loan would do. */
const CAPITAL = 10n ** 19n
const BPS = 10_000n
const TOLERANCE_BPS = 50n

/** A share of an amount in bps, with two digits. */
const bpsOf = (part: bigint, whole: bigint): string => (Number((part * 1_000_000n) / whole) / 100).toFixed(2)

const poolOf = (side: Side): Promise<Hex> =>
  // CAST: the registry answers an address.
  side.read(side.pools, 'getPool', [side.bridge, side.token, 500]) as Promise<Hex>

/** Runs steps and takes them back. Returns what they answer. */
const trying = async <Result>({ a, b }: World, steps: () => Promise<Result>): Promise<Result> => {
  const sides = [a, b]
  const taken = await Promise.all(sides.map((side) => side.rpc('evm_snapshot')))
  try {
    return await steps()
  } finally {
    await Promise.all(sides.map((side, index) => side.rpc('evm_revert', taken[index])))
  }
}

const received = async (side: Side, token: Hex, account: Hex, steps: () => Promise<unknown>) => {
  const before = await side.balanceOf(token, account)
  await steps()
  return (await side.balanceOf(token, account)) - before
}

const gasOf = async (side: Side, call: Parameters<Side['send']>[0]): Promise<bigint> => {
  const { txHash, events } = await side.send(call)
  assert.ok(events, 'the call failed')
  // CAST: anvil's receipt.
  const { gasUsed } = (await side.rpc('eth_getTransactionReceipt', txHash)) as { readonly gasUsed: Hex }
  return BigInt(gasUsed)
}

/** A delivery over one pool of 0.05 %, of a hundredth of its depth. */
const swapped = (b: Side): Partial<ExpressOrder> => ({
  inputAmount: TRADE,
  minimumBridgeAmount: TRADE,
  outputToken: b.token,
  outputPath: pathOf(b.bridge, [500, b.token]),
})

/** The most that an attacker trades before a delivery that still pays its minimum. */
const largestFront = async (tryWith: (amount: bigint) => Promise<string | undefined>): Promise<bigint> => {
  let [low, high] = [0n, CAPITAL]
  while (high - low > CAPITAL / 100_000n) {
    const amount = (low + high) / 2n
    if ((await tryWith(amount)) === undefined) low = amount
    else high = amount
  }
  return low
}

/** Moves the price of the pool of bridge and third token; the input's price falls by so many bps. */
const movePrice = async (side: Side, mover: Hex, input: Hex, bps: number): Promise<void> => {
  const other = input === side.bridge ? side.token : side.bridge
  const [token0] = BigInt(input) < BigInt(other) ? [input] : [other]
  const share = 1 / Math.sqrt(1 - bps / 10_000) - 1
  // The pool takes its fee from what is paid.
  const amount = (DEPTH * BigInt(Math.round(share * 1e9)) * 1_000_500n) / (10n ** 9n * 1_000_000n)
  await give(side, input, mover, amount)
  const data = side.encode('trade', [await poolOf(side), token0 === input, amount])
  await side.run({ from: STRANGER, to: mover, data })
}

/** Sandwiches a delivery in its executor’s priority and after it. */
const sandwichDelivery = async (world: World, note: Note): Promise<void> => {
  const { a, b } = world
  await give(a, a.bridge, SENDER, 2n * TRADE)
  await give(b, b.bridge, SENDER, TRADE)
  const quoted = await trying(world, async () => {
    const message = await send(a, b, { ...swapped(b), minimumAmount: 1n })
    const id = await approve(b, message)
    return received(b, b.token, RECIPIENT, () => b.run(executing(b, id, message)))
  })
  const minimumAmount = (quoted * (BPS - TOLERANCE_BPS)) / BPS
  const priorityUntil = Math.max(await a.now(), await b.now()) + 300
  const part = { ...swapped(b), minimumAmount, executor: EXECUTOR, priorityUntil }
  const message = await send(a, b, part)
  const id = await approve(b, message)
  const [attacker, pool] = [await b.deploy('sandwich'), await poolOf(b)]
  await give(b, b.bridge, attacker, CAPITAL)
  const around = (amount: bigint, data: Hex) => ({
    ...{ from: STRANGER, to: attacker },
    data: b.encode('sandwich', [pool, b.bridge, amount, b.router, data]),
  })
  const { data } = executing(b, id, message)
  assert.equal(await b.refusal(around(TRADE, data), priorityUntil), 'TooEarly')
  assert.equal(await b.refusal(expressing(b, freshId(), message, SENDER), priorityUntil), 'TooEarly')
  const later = priorityUntil + 1
  assert.equal(await b.refusal(around(CAPITAL / 2n, data), later), 'TooLittleOutput')
  const front = await largestFront((amount) => b.refusal(around(amount, data), later))
  await b.setNextTime(later)
  let gas = 0n
  let gain = 0n
  const paid = await received(b, b.token, RECIPIENT, async () => {
    gain = await received(b, b.bridge, attacker, async () => {
      gas = await gasOf(b, around(front, data))
    })
  })
  assert.ok(paid >= minimumAmount)
  assert.ok(gain <= (TRADE * TOLERANCE_BPS) / BPS)
  note(
    `cost: ${gas} gas and ${bpsOf(front, DEPTH)} bps of the depth for a block; gain: ${bpsOf(gain, TRADE)} bps, ` +
      `the victim’s loss: ${bpsOf(quoted - paid, quoted)} of its ${TOLERANCE_BPS} bps; within the priority both 0`,
  )
}

/** Sends transfers whose pools move between the quote and each leg. */
const moveBothLegs = async (world: World, note: Note): Promise<void> => {
  const { a, b } = world
  await give(a, a.token, SENDER, 2n * TRADE)
  const mover = { a: await a.deploy('sandwich'), b: await b.deploy('sandwich') }
  const legs: Partial<ExpressOrder> = {
    ...swapped(b),
    inputToken: a.token,
    inputPath: pathOf(a.token, [500, a.bridge]),
    minimumBridgeAmount: 1n,
    minimumAmount: 1n,
  }
  const cross = async (part: Partial<ExpressOrder>): Promise<Message> => send(a, b, { ...legs, ...part })
  const deliver = async (message: Message): Promise<bigint> => {
    const id = await approve(b, message)
    return received(b, b.token, RECIPIENT, () => b.run(executing(b, id, message)))
  }
  const quoted = await trying(world, async () => {
    const message = await cross({})
    return { bridge: message.amount, output: await deliver(message) }
  })
  const keep = (amount: bigint, bps: bigint) => (amount * (BPS - bps)) / BPS
  const terms = (sourceBps: bigint) => ({
    minimumBridgeAmount: keep(quoted.bridge, sourceBps),
    minimumAmount: keep(quoted.output, 100n),
  })
  // The reviewed terms: each leg has the whole tolerance, and a delivery fails within it.
  await trying(world, async () => {
    await movePrice(a, mover.a, a.token, 89)
    const message = await cross(terms(100n))
    await movePrice(b, mover.b, b.bridge, 20)
    assert.equal(await b.refusal(executing(b, await approve(b, message), message)), 'TooLittleOutput')
  })
  // The terms of quotes: half each.
  const refused = await trying(world, async () => {
    await movePrice(a, mover.a, a.token, 89)
    const order = await orderOf(a, b, { ...legs, ...terms(50n) })
    assert.equal(await a.refusal(sending(a, order)), 'TooLittleOutput')
    const { txHash } = await a.send(sending(a, order))
    // CAST: anvil's receipt.
    return (await a.rpc('eth_getTransactionReceipt', txHash)) as { readonly gasUsed: Hex }
  })
  const got = await trying(world, async () => {
    await movePrice(a, mover.a, a.token, 48)
    const message = await cross(terms(50n))
    await movePrice(b, mover.b, b.bridge, 48)
    return deliver(message)
  })
  assert.ok(got >= terms(50n).minimumAmount)
  note(
    `first leg -89 bps: not sent, ${BigInt(refused.gasUsed)} gas; both -48 bps: delivered, ` +
      `${bpsOf(quoted.output - got, quoted.output)} of 100 bps lost`,
  )
}

/** Attacks on the prices of express transfers, measured: the reviewed ones by their numbers. The pools are as before afterwards. */
export const PRICE_ATTACK_CASES: readonly Case[] = [
  {
    name: 'M1: a sandwich cannot begin while the executor has priority, and afterwards takes no more than the tolerance',
    run: (world, note) => trying(world, () => sandwichDelivery(world, note)),
  },
  {
    name: 'M4: a delivery bears what both legs may lose, and a first leg that loses more is not sent',
    run: (world, note) => trying(world, () => moveBothLegs(world, note)),
  },
]
