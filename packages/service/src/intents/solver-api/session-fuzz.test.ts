import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CHEAP_KEY, createTestNetwork } from '../../../test/test-network.ts'
import { inventory, orderIdOf, pricedOrder, RICH, standingQuote } from '../../../test/test-orders.ts'
import { loginFrame, quotesFrame } from '../../../test/test-solver.ts'
import { encodeSolverMessage } from './protocol.ts'

test('answers or closes after each of 5,000 random and mutated frames, and never throws', async () => {
  const { book, enter, connect, pass, errors } = createTestNetwork()
  const seed = await enter()
  const samples = [
    await loginFrame(CHEAP_KEY, seed.challenge),
    await quotesFrame(CHEAP_KEY, seed.challenge, 1, [
      standingQuote([
        [100n, 99n, 1n],
        [1_000n, 980n],
      ]),
    ]),
    encodeSolverMessage({ type: 'inventory', assets: [...inventory(1_000n)] }),
    encodeSolverMessage({ type: 'decline', orderId: orderIdOf(3), reason: 'no gas' }),
  ]
  const insertions = [
    '"',
    '{',
    '[[[[',
    '\\',
    '\u0000',
    '\ud800',
    '-1',
    '1e999',
    '__proto__',
    ',',
    '9'.repeat(99),
  ]
  const mutated = fc
    .tuple(fc.constantFrom(...samples), fc.nat(), fc.nat(40), fc.constantFrom(...insertions, ''))
    .map(([sample, at, length, insertion]) => {
      const start = at % sample.length
      return sample.slice(0, start) + insertion + sample.slice(start + length)
    })
  const json = fc.json({ maxDepth: 5 })
  const typed = fc
    .tuple(fc.constantFrom('login', 'quotes', 'inventory', 'decline', 'toString'), fc.object({ maxDepth: 3 }))
    .map(([type, value]) =>
      JSON.stringify({ ...value, type }, (_, each) => (typeof each === 'bigint' ? `${each}` : each)),
    )
  const deep = fc.nat(16_000).map((depth) => '['.repeat(depth))
  const frames = fc.sample(fc.oneof(mutated, json, typed, fc.string({ unit: 'binary-ascii' }), deep), 5_000)
  let peer = seed
  let sessions = 0
  for (const [index, frame] of frames.entries()) {
    pass(200)
    if (peer.closedWith() !== undefined || index % 50 === 0) {
      sessions += 1
      peer = index % 100 === 0 ? connect() : await enter()
    }
    const before = peer.heard.length
    peer.say(frame)
    const valid = samples.includes(frame)
    assert.ok(peer.closedWith() !== undefined || peer.heard.length > before || valid || isTaken(frame), frame)
    assert.ok(peer.heard.length <= 60)
  }
  assert.ok(sessions > 100)
  assert.deepEqual(errors, [])
  assert.deepEqual(book.price(pricedOrder('EXACT_INPUT', 100n), RICH), { declined: 'no_quotes' })
})

/** Whether a mutated message is still valid. */
const isTaken = (frame: string): boolean => /^\{"type":"(inventory|decline)"/.test(frame)
