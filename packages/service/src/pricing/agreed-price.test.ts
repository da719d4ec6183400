import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { agreedPrice, type PriceReading, type SourcedReading } from './agreed-price.ts'

const NOW = 1_000_000_000_000
const bounds = { now: NOW, enough: 2, agreementBps: 200 }
const fresh = (price: bigint): PriceReading => ({ price, at: NOW - 1_000, until: NOW + 60_000 })
/** Gives each reading a different origin. */
const apartFrom = (readings: readonly PriceReading[]): readonly SourcedReading[] =>
  readings.map((reading, place) => ({ ...reading, origin: `server ${place}` }))
const priceOf = (...readings: readonly PriceReading[]) => agreedPrice(apartFrom(readings), bounds)

test('two sources within the bound make a price, the lower of the two', () => {
  assert.deepEqual(priceOf(fresh(10_000n), fresh(10_200n)), { price: 10_000n, until: NOW + 60_000 })
  assert.deepEqual(priceOf(fresh(10_000n), fresh(10_201n)), { unpriced: 'conflict' })
})

test('one source is a price only where one is enough', () => {
  assert.deepEqual(priceOf(fresh(5n)), { unpriced: 'stale' })
  assert.deepEqual(agreedPrice(apartFrom([fresh(5n)]), { ...bounds, enough: 1 }), {
    price: 5n,
    until: NOW + 60_000,
  })
  const apart = agreedPrice(apartFrom([fresh(100n), fresh(200n)]), { ...bounds, enough: 1 })
  assert.deepEqual(apart, { unpriced: 'conflict' })
})

test('a stale reading, one of zero or above all prices, and one dated ahead of our clock do not count', () => {
  const old = { price: 100n, at: NOW - 900_000, until: NOW - 1 }
  const ahead = { price: 100n, at: NOW + 60_001, until: NOW + 10 ** 12 }
  for (const bad of [old, ahead, fresh(0n), fresh(10n ** 30n + 1n)])
    assert.deepEqual(priceOf(fresh(100n), bad), { unpriced: 'stale' })
  assert.deepEqual(priceOf(), { unpriced: 'stale' })
  const absurd = agreedPrice(apartFrom([fresh(10n ** 78n)]), { ...bounds, enough: 1 })
  assert.deepEqual(absurd, { unpriced: 'stale' })
})

test('of three sources one that lies moves the price of the others nowhere', () => {
  const honest = fc.bigInt({ min: 10_000n, max: 10n ** 24n })
  fc.assert(
    fc.property(
      honest,
      fc.integer({ min: 0, max: 200 }),
      fc.bigInt({ min: 0n, max: 10n ** 30n }),
      (low, bps, lie) => {
        const high = (low * BigInt(10_000 + bps)) / 10_000n
        const agreed = priceOf(fresh(low), fresh(high), fresh(lie))
        if ('unpriced' in agreed) assert.fail('two honest sources make a price')
        const lowest = (low * 9_800n) / 10_000n
        assert.ok(agreed.price >= lowest && agreed.price <= high, `${agreed.price} for ${low} and ${high}`)
      },
    ),
  )
})

const told = (origin: string, price: bigint): SourcedReading => ({ ...fresh(price), origin })

test('two oracles that one chain tells are one source', () => {
  const chain = [told('eip155:1', 900n), told('eip155:1', 900n)]
  assert.deepEqual(agreedPrice(chain, bounds), { unpriced: 'stale' })
  const withServer = [...chain, told('server', 100n)]
  assert.deepEqual(agreedPrice(withServer, bounds), { unpriced: 'conflict' })
  const withServers = [...withServer, told('other server', 101n)]
  assert.deepEqual(agreedPrice(withServers, bounds), { price: 101n, until: NOW + 60_000 })
})

test('a source whose own readings are apart agrees with no other', () => {
  const readings = [told('eip155:1', 100n), told('eip155:1', 900n), told('server', 100n)]
  assert.deepEqual(agreedPrice(readings, bounds), { unpriced: 'conflict' })
})
