import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Event } from '@openrfq/sandbox/test/chain-calls.ts'
import { zeroAddress } from 'viem'
import { pathOf } from './express-site.ts'
import {
  assertRefunded,
  CARRIERS,
  eventOf,
  meanwhile,
  ordinarily,
  send,
  setMood,
  trade,
} from './express-walk.ts'
import {
  type ExpressOrder,
  type ExpressWorld,
  fromNative,
  RECIPIENT,
  STRANGER,
  startExpressWorld,
  toNative,
} from './express-world.ts'

let world: ExpressWorld
before(async () => {
  world = await startExpressWorld()
})
after(() => world.stop())

/** Half of a pool's balance of each token. */
const HALF_OF_POOL = 5n * 10n ** 19n

for (const [there, carryThere] of CARRIERS)
  for (const [back, carryBack] of CARRIERS)
    test(`a price below the minimum refunds the bridge token: there by ${there}, back by ${back}`, async () => {
      const { a, b } = world
      await meanwhile(b, async () => {
        const message = await send(a, b, { ...fromNative(a), ...toNative(b) })
        await trade(b, b.bridge, 3000, b.wrapped, HALF_OF_POOL)
        const reason = await assertRefunded(a, b, message, carryThere, carryBack)
        const text = Buffer.from('Too little received').toString('hex')
        assert.ok(String(reason).includes(text), 'the event lacks the reason')
      })
    })

test('a price above the minimum delivers at that price', async () => {
  const { a, b } = world
  const part = { ...toNative(b), minimumAmount: 400_000n }
  for (const [, carry] of CARRIERS)
    await meanwhile(b, async () => {
      const message = await send(a, b, part)
      await trade(b, b.bridge, 3000, b.wrapped, HALF_OF_POOL / 2n)
      const before = await b.balanceOf(zeroAddress, RECIPIENT)
      const paid = eventOf(await carry(b, message), 'Delivered').args['amount']
      assert.equal((await b.balanceOf(zeroAddress, RECIPIENT)) - before, paid)
      assert.ok(typeof paid === 'bigint' && paid >= 400_000n && paid < 700_000n)
    })
})

test('a minimum is compared to the last base unit', async () => {
  const { a, b } = world
  const dry = async (minimumAmount: bigint): Promise<Event> => {
    const message = await send(a, b, { ...toNative(b), minimumAmount })
    const state = await b.rpc('evm_snapshot')
    const events = await ordinarily(b, message)
    await b.rpc('evm_revert', state)
    const found = events.find(({ eventName }) => ['Delivered', 'Returned'].includes(eventName))
    assert.ok(found)
    return found
  }
  const amount = (await dry(1n)).args['amount']
  assert.ok(typeof amount === 'bigint')
  assert.equal((await dry(amount)).eventName, 'Delivered')
  assert.equal((await dry(amount + 1n)).eventName, 'Returned')
})

test('an order is refunded when its recipient rejects native value or burns all gas', async () => {
  const { a, b } = world
  const recipient = await b.deploy('puppet')
  for (const [, carry] of CARRIERS)
    for (const mood of [1, 2]) {
      await setMood(b, recipient, mood)
      const message = await send(a, b, { ...toNative(b), recipient })
      await assertRefunded(a, b, message, carry, carry)
      assert.equal(await b.balanceOf(zeroAddress, recipient), 0n)
    }
})

test('an order is refunded when its path does not exist or begins with another token', async () => {
  const { a, b } = world
  const parts: readonly Partial<ExpressOrder>[] = [
    { outputToken: b.token },
    { outputToken: b.token, outputPath: pathOf(b.wrapped, [3000, b.token]) },
    { outputToken: b.token, outputPath: pathOf(b.bridge, [500, b.wrapped]) },
    { outputToken: b.token, outputPath: pathOf(b.bridge, [10_000, b.token]) },
    { outputToken: b.token, outputPath: '0x1234' },
    { outputToken: b.token, outputPath: `0x${'12'.repeat(500)}` },
    { outputToken: zeroAddress },
    { outputToken: STRANGER },
    { outputToken: STRANGER, outputPath: pathOf(b.bridge, [3000, STRANGER]) },
    { minimumAmount: 1_000_001n },
  ]
  let longest = 0
  for (const part of parts) {
    const message = await send(a, b, part)
    const reason = String(await assertRefunded(a, b, message, ordinarily, ordinarily))
    longest = Math.max(longest, reason.length)
  }
  assert.equal(longest, 202, 'the reason is as long as the path')
})
