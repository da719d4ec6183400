import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type * as chainOrder from '@openrfq/sandbox/test/intent-order.ts'
import {
  approve,
  DEPOSITOR,
  executionOf,
  FILLER,
  fund,
  messagesOf,
  orderOf,
  type SettlerWorld,
  type Side,
  SOLVER,
  STRANGER,
  startSettlerWorld,
} from '@openrfq/sandbox/test/settler-world.ts'
import { type Hex, numberToHex, zeroAddress } from 'viem'
import { eventually } from '../../../test/eventually.ts'
import { orderOfContract } from '../../../test/order-of-contract.ts'
import { startUnsteadyNode } from '../../../test/unsteady-node.ts'
import { createEvmChain } from '../../chains/evm/index.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import { openSqliteStore } from '../../store/sqlite.ts'
import { createOrderEventIndex, type OrderEventIndex } from './order-event-index.ts'
import type { OrderEvents, SettlerEventRecord } from './order-events.ts'
import {
  claimCall,
  fillCall,
  openCall,
  orderIdOf,
  proveCall,
  refundCall,
  type SettlerCall,
} from './settler-contract.ts'

const FINALITY = 8

let world: SettlerWorld
before(async () => {
  world = await startSettlerWorld()
  await fund(world.a, DEPOSITOR, 10n ** 18n)
  await fund(world.b, FILLER, 10n ** 18n)
  await mine(world.a)
  await mine(world.b)
})
after(() => world.stop())

const mine = (side: Side, blocks = FINALITY): Promise<unknown> => side.rpc('anvil_mine', numberToHex(blocks))
const chainIdOf = ({ number }: Side): string => `eip155:${number}`

/** A fresh order from the first chain to the second, in the service's form and in the contract's. */
const orderNow = async (part: Partial<chainOrder.IntentOrder> = {}) => {
  const plain = orderOf(world.a, world.b, await world.a.now(), part)
  const order = orderOfContract(world.a.settler, plain)
  return { plain, order, orderId: orderIdOf(order) }
}

/** Sends a settler's call and returns its transaction; it must succeed. */
const send = async (side: Side, from: Hex, { data, value }: SettlerCall): Promise<string> => {
  // CAST: calldata is hex.
  const sent = await side.send({ from, to: side.settler, data: data as Hex, value })
  assert.ok(sent.events !== undefined, 'reverted')
  return sent.txHash
}

type Reading = {
  readonly facts: OrderEventIndex
  readonly notified: SettlerEventRecord[]
  readonly lines: string[]
  /** Waits until the order's events match. */
  readonly side: (order: IntentOrder, isWanted: (side: OrderEvents) => boolean) => Promise<OrderEvents>
}

type Settings = { readonly directory?: string; readonly rpcUrl?: string; readonly now?: () => number }

/** Indexes both chains into a new store, or the one in `directory`, while `work` runs. */
const reading = async (work: (known: Reading) => Promise<void>, settings: Settings = {}): Promise<void> => {
  const directory = settings.directory ?? mkdtempSync(join(tmpdir(), 'openrfq-facts-'))
  const now = settings.now ?? Date.now
  const lines: string[] = []
  const log = (level: string, message: string): void => void lines.push(`${level} ${message}`)
  const store = await openSqliteStore({ directory, log: () => undefined })
  const chainOf = (side: Side, rpcUrl: string) =>
    createEvmChain({
      chainId: chainIdOf(side),
      rpcUrls: [rpcUrl],
      finality: FINALITY,
      // A test moves the time of a chain to the end of an order.
      maximumClockLeadSeconds: 86_400,
      now,
      log,
      timing: { pollMs: 15, observeMs: 60_000, asideMs: 10 },
    })
  const chains = [chainOf(world.a, world.a.rpcUrl), chainOf(world.b, settings.rpcUrl ?? world.b.rpcUrl)]
  const settlers = [world.a, world.b].flatMap(({ settler }, index) => {
    const chain = chains[index]
    return chain === undefined ? [] : [{ chain, addresses: [settler] }]
  })
  const facts = createOrderEventIndex({ settlers, chainIds: [], store, now, log })
  const notified: SettlerEventRecord[] = []
  facts.onEvent((record) => void notified.push(record))
  const side: Reading['side'] = async (order, isWanted) => {
    const place = { ...order, orderId: orderIdOf(order) }
    return eventually(String(isWanted), async () => {
      const known = await facts.getOrderEvents(place)
      return isWanted(known) && known
    })
  }
  try {
    await Promise.all(chains.map((chain) => chain.start()))
    await facts.start()
    await work({ facts, notified, lines, side })
  } finally {
    await facts.stop()
    for (const chain of chains) chain.stop()
    await store.close()
    if (settings.directory === undefined) rmSync(directory, { recursive: true, force: true })
  }
}

test('the contract computes the same order id', async () => {
  const { plain, orderId } = await orderNow()
  assert.equal(await world.a.read(world.a.settler, 'orderIdOf', [plain]), orderId)
})

test("follows an order from its deposit over fill, proof and claim to its solver's repayment", () =>
  reading(async ({ facts, notified, side }) => {
    const { a, b } = world
    const { order, orderId } = await orderNow()
    const nothing = await side(order, () => true)
    assert.deepEqual(Object.values(nothing), Array(5).fill(undefined))

    const opening = await send(a, DEPOSITOR, openCall(order))
    const seen = await side(order, ({ open }) => open !== undefined)
    assert.equal(seen.open?.final, false)
    assert.equal(seen.open?.txHash, opening)
    assert.equal(seen.open?.timestampSeconds, await a.now())
    assert.deepEqual(seen.open?.event, { kind: 'open', orderId, order })
    await mine(a)
    await side(order, ({ open }) => open?.final === true)

    const filling = await send(b, FILLER, fillCall(order))
    const filled = await side(order, (known) => known.filled !== undefined)
    assert.equal(filled.filled?.final, false)
    assert.equal(filled.filled?.txHash, filling)
    assert.equal(filled.filled?.event.filler.toLowerCase(), FILLER)
    await mine(b)
    await side(order, (known) => known.filled?.final === true)
    assert.ok(
      (facts.finalBlock(chainIdOf(b))?.timestampSeconds ?? 0) >= (filled.filled?.timestampSeconds ?? 0),
    )

    const [message] = messagesOf(b, await b.run({ from: STRANGER, to: b.settler, data: proofOf(order) }))
    assert.ok(message !== undefined)
    await a.run(executionOf(a, await approve(a, message), message))
    const { proven } = await side(order, (known) => known.proven !== undefined)
    assert.equal(proven?.event.payee.toLowerCase(), SOLVER)
    await send(a, STRANGER, claimCall([order], SOLVER))
    await mine(a)
    const { released } = await side(order, (known) => known.released?.final === true)
    assert.equal(released?.event.payee.toLowerCase(), SOLVER)
    assert.equal(released?.event.amount, order.inputAmount)

    const heard = notified
      .filter(({ event }) => event.orderId === orderId)
      .map(({ event, final }) => [event.kind, final])
    assert.deepEqual(heard, [
      ['open', false],
      ['open', true],
      ['filled', false],
      ['filled', true],
      ['proven', false],
      ['released', false],
      ['proven', true],
      ['released', true],
    ])
  }))

// CAST: calldata is hex.
const proofOf = (order: IntentOrder): Hex => proveCall([order], world.a.axelarChain).data as Hex

test('finds the refund of a declined native order in the same transaction', () =>
  reading(async ({ side }) => {
    const { a } = world
    const { order } = await orderNow({ inputToken: zeroAddress })
    await send(a, DEPOSITOR, openCall(order))
    const declining = await send(a, SOLVER, refundCall(order))
    await mine(a)
    const known = await side(order, ({ refunded }) => refunded?.final === true)
    assert.equal(known.refunded?.txHash, declining)
    assert.equal(known.refunded?.event.amount, order.inputAmount)
  }))

test('a deposit dropped by a reorg disappears', () =>
  reading(async ({ side }) => {
    const { a } = world
    const { order } = await orderNow()
    await mine(a, 2)
    await send(a, DEPOSITOR, openCall(order))
    await mine(a, 2)
    await side(order, ({ open }) => open !== undefined)
    await a.rpc('anvil_reorg', 4, [])
    await side(order, ({ open }) => open === undefined)
    await mine(a)
    assert.equal((await side(order, () => true)).open, undefined)
  }))

test('after a restart earlier events are known, and events in between are reported', async () => {
  const { a, b } = world
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-facts-'))
  try {
    const early = await orderNow()
    const late = await orderNow()
    await reading(
      async ({ side }) => {
        await send(a, DEPOSITOR, openCall(early.order))
        await mine(a)
        await side(early.order, ({ open }) => open?.final === true)
      },
      { directory },
    )
    await send(a, DEPOSITOR, openCall(late.order))
    await mine(a, 3 * FINALITY)
    await send(b, FILLER, fillCall(late.order))
    await mine(b)
    await reading(
      async ({ side, notified }) => {
        assert.equal((await side(early.order, ({ open }) => open !== undefined)).open?.final, true)
        await side(late.order, ({ open, filled }) => open?.final === true && filled?.final === true)
        const heard = notified.map(({ event, final }) => [event.orderId, event.kind, final])
        for (const event of [
          [early.orderId, 'open', true],
          [late.orderId, 'open', true],
          [late.orderId, 'filled', true],
        ])
          assert.ok(
            heard.some((one) => JSON.stringify(one) === JSON.stringify(event)),
            event.join(' '),
          )
      },
      { directory },
    )
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test("rejects while the order's chain cannot be read, unless its outcome is final", async () => {
  const { a, b } = world
  let isAway = false
  let shiftMs = 0
  const node = await startUnsteadyNode(b.rpcUrl, () => ({ lagBlocks: 0, drops: isAway, stutters: false }))
  try {
    await reading(
      async ({ facts, side }) => {
        const over = await orderNow()
        const open = await orderNow()
        await send(a, DEPOSITOR, openCall(over.order))
        await send(a, DEPOSITOR, openCall(open.order))
        await send(b, FILLER, fillCall(over.order))
        await mine(a)
        await mine(b)
        await side(over.order, (known) => known.open?.final === true && known.filled?.final === true)
        await side(open.order, (known) => known.open?.final === true)
        isAway = true
        shiftMs = 60_000
        await side(over.order, ({ filled }) => filled?.final === true)
        const read = () => facts.getOrderEvents({ ...open.order, orderId: open.orderId })
        await eventually('31338 was not read', () =>
          read().then(
            () => false,
            (error: unknown) => /31338 was not read/.test(String(error)),
          ),
        )
        isAway = false
        await eventually('31338 is read again', () =>
          read().then(
            (known) => known.open?.final === true,
            () => false,
          ),
        )
      },
      { rpcUrl: node.url, now: () => Date.now() + shiftMs },
    )
  } finally {
    node.stop()
  }
})

test('a failing listener does not affect the others', () =>
  reading(async ({ facts, notified, lines, side }) => {
    const stop = facts.onEvent(() => {
      throw new Error('not today')
    })
    const heard: SettlerEventRecord[] = []
    facts.onEvent(async (record) => {
      heard.push(record)
    })
    const { order } = await orderNow()
    await send(world.a, DEPOSITOR, openCall(order))
    await side(order, ({ open }) => open !== undefined)
    stop()
    await mine(world.a)
    await side(order, ({ open }) => open?.final === true)
    assert.deepEqual(heard, notified)
    assert.equal(lines.filter((line) => line.includes('listener_failed')).length, 1)
  }))

test('anybody can refund an unfilled order after its deadline', () =>
  reading(async ({ side }) => {
    const { a } = world
    const { order } = await orderNow()
    await send(a, DEPOSITOR, openCall(order))
    await a.setNextTime(order.refundAfter + 1)
    await mine(a, 1)
    const refunding = await send(a, STRANGER, refundCall(order))
    await mine(a)
    const { refunded } = await side(order, (known) => known.refunded?.final === true)
    assert.equal(refunded?.txHash, refunding)
    assert.equal(refunded?.event.payee.toLowerCase(), DEPOSITOR)
  }))
