import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/eventually.ts'
import type { Source } from '../../intents/solver-api/quote-reservations.ts'
import { createSenderBalances } from './sender-balances.ts'

const CHAIN = 'eip155:1'
const source = (sender: string): Source => ({ chainId: CHAIN, token: 'token', sender })

/** A chain whose head and balances the test sets, and senders with reservations. */
const createWorld = () => {
  const held = new Map<string, bigint | Promise<bigint>>()
  const asked: string[] = []
  const ended: (readonly [string, bigint])[] = []
  const sources: Source[] = []
  const state = { number: 1n, at: 0 }
  const chain = {
    head: () => ({ number: state.number }),
    heldBy: async (owner: string): Promise<bigint | undefined> => {
      asked.push(owner)
      if (owner === 'broken') throw new Error('no endpoint answered')
      return held.get(owner)
    },
  }
  const balances = createSenderBalances({
    evmChains: new Map([[CHAIN, chain]]),
    paymentChains: new Map(),
    steady: () => state.at,
    book: { sources: () => sources, setHeld: ({ sender }, amount) => ended.push([sender, amount]) },
    log: () => undefined,
  })
  return { held, asked, ended, sources, state, balances }
}

test('a balance is read once per block, shared between requests', async () => {
  const { held, asked, state, balances } = createWorld()
  held.set('alice', 5n)
  const both = await Promise.all([balances.held(source('alice')), balances.held(source('alice'))])
  assert.deepEqual([...both, await balances.held(source('alice'))], [5n, 5n, 5n])
  assert.equal(asked.length, 1)
  state.number = 2n
  held.set('alice', 4n)
  assert.equal(await balances.held(source('alice')), 4n)
})

test('a balance that cannot be read, or not in time, is 0', async () => {
  const { held, balances } = createWorld()
  held.set('slow', new Promise(() => undefined))
  assert.equal(await balances.held(source('slow')), 0n)
  assert.equal(await balances.held(source('broken')), 0n)
  assert.equal(await balances.held(source('unread')), 0n)
  assert.equal(await balances.held({ ...source('alice'), chainId: 'eip155:9' }), 0n)
})

test('senders with reservations are read again in every block, and quotes do not wait for them', async () => {
  const { held, asked, ended, sources, state, balances } = createWorld()
  held.set('alice', 5n)
  sources.push(source('alice'))
  await balances.start()
  try {
    assert.deepEqual(ended, [['alice', 5n]])
    state.number = 2n
    held.set('alice', 3n)
    await until(() => ended.length === 2)
    assert.deepEqual(ended[1], ['alice', 3n])
    const reads = asked.length
    const late = Promise.withResolvers<bigint>()
    held.set('alice', late.promise)
    state.number = 3n
    assert.equal(await balances.held(source('alice')), 3n)
    assert.ok(asked.length <= reads + 1)
    late.resolve(2n)
  } finally {
    await balances.stop()
  }
})
