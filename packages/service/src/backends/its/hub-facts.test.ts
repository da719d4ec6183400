import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NetworkToken } from '../../core/network.ts'
import type { Hub } from '../../protocols/axelar/hub.ts'
import { createHubReader, whyHeldAtHub } from './hub-facts.ts'

// CAST: the hub's facts are compared with these members alone.
const token = { symbol: 'TKN', decimals: 18 } as NetworkToken
const side = (axelarName: string) => ({ axelarName, tokenId: `0x${'11'.repeat(32)}`, token })
const ROUTE = { from: side('Ethereum'), to: side('stellar') }
const CHAIN = { isFrozen: false, maxUintBits: 256, isSourceFrozen: false, isDestinationFrozen: false }
const TOKEN = { supply: null, decimals: 18 }

const scene = (changes: Partial<Hub> = {}) => {
  let time = 0
  const asked: string[] = []
  const hub: Hub = {
    isEnabled: async () => true,
    chain: async (name) => {
      asked.push(name)
      return CHAIN
    },
    token: async () => TOKEN,
    message: () => Promise.reject(new Error('unused')),
    ...changes,
  }
  const reader = createHubReader(hub, { now: () => time, log: () => undefined })
  return {
    reader,
    asked,
    wait: (ms: number) => {
      time += ms
    },
  }
}

const reasonOf = async (changes: Partial<Hub>): Promise<string | undefined> => {
  const facts = await scene(changes).reader.read(ROUTE)
  assert.ok(facts !== undefined)
  const declined = whyHeldAtHub(ROUTE, facts)
  return declined !== undefined && 'reason' in declined ? declined.reason : undefined
}

test('a route is read once, and no fact of it is used when it is a minute old', async () => {
  const { reader, asked, wait } = scene()
  assert.equal(reader.known(ROUTE), undefined)
  assert.notEqual(await reader.read(ROUTE), undefined)
  assert.deepEqual(asked.toSorted(), ['Ethereum', 'stellar'])
  wait(59_999)
  assert.notEqual(reader.known(ROUTE), undefined)
  wait(1)
  assert.equal(reader.known(ROUTE), undefined)
})

test('a hub that cannot be read says nothing of a route', async () => {
  for (const part of ['isEnabled', 'chain', 'token'] as const) {
    const { reader } = scene({ [part]: () => Promise.reject(new Error('no answer')) })
    assert.equal(await reader.read(ROUTE), undefined)
  }
})

test('the hub does not hold a route when it has both chains and both tokens', async () => {
  assert.equal(await reasonOf({}), undefined)
  assert.equal(await reasonOf({ chain: async () => ({ ...CHAIN, isSourceFrozen: false }) }), undefined)
})

test('what holds a transfer at the hub is named with its chain', async () => {
  const of = (name: string, chain: Partial<typeof CHAIN>) => async (asked: string) =>
    asked === name ? { ...CHAIN, ...chain } : CHAIN
  const cases: readonly (readonly [Partial<Hub>, RegExp])[] = [
    [{ isEnabled: async () => false }, /carries nothing now/],
    [{ chain: async () => undefined }, /does not know the chain Ethereum/],
    [{ chain: of('stellar', { isFrozen: true }) }, /hub has frozen the chain stellar/],
    [{ chain: of('Ethereum', { isFrozen: true }) }, /hub has frozen the chain Ethereum/],
    [{ chain: of('Ethereum', { isSourceFrozen: true }) }, /router has frozen the chain Ethereum/],
    [{ chain: of('stellar', { isDestinationFrozen: true }) }, /router has frozen the chain stellar/],
    [{ token: async (name) => (name === 'stellar' ? undefined : TOKEN) }, /has no TKN on stellar/],
    [
      { token: async () => ({ supply: null, decimals: 7 }) },
      /on Ethereum with 7 decimals, the chain with 18/,
    ],
  ]
  for (const [changes, reason] of cases) assert.match((await reasonOf(changes)) ?? '', reason)
  // The other direction of a chain at the router does not matter.
  assert.equal(await reasonOf({ chain: of('stellar', { isSourceFrozen: true }) }), undefined)
  assert.equal(await reasonOf({ chain: of('Ethereum', { isDestinationFrozen: true }) }), undefined)
})
