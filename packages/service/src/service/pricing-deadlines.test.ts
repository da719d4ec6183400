import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockAt } from '../../test/test-orders.ts'
import type { Route } from '../backends/backend.ts'
import { createPricingDeadlines } from './pricing-deadlines.ts'

const routeOf = (backend: string, symbol = 'a'): Route => {
  const asset = (chainId: string) => ({ chain: { chainId }, token: { chainId, address: `0x${symbol}` } })
  // CAST: the deadlines read the tokens of a route alone.
  return { backend, from: asset('eip155:1'), to: asset('eip155:2') } as unknown as Route
}

test('a backend has four seconds from the first request for a route to read its facts, and then 800 ms', () => {
  const clock = clockAt(1_000)
  const deadlineOf = createPricingDeadlines(clock.now)
  const its = routeOf('its')
  const deadlines = [1_000, 2_000, 4_200, 4_201, 60_000].map((at) => {
    clock.set(at)
    return deadlineOf(its)
  })
  assert.deepEqual(deadlines, [4_000, 3_000, 800, 800, 800])
})

test('each backend and each route has its own first request', () => {
  const clock = clockAt(0)
  const deadlineOf = createPricingDeadlines(clock.now)
  deadlineOf(routeOf('its'))
  clock.set(10_000)
  const routes = [routeOf('its'), routeOf('gateway'), routeOf('its', 'b')]
  assert.deepEqual(routes.map(deadlineOf), [800, 4_000, 4_000])
})

test('a route that was not asked for in five minutes is new again', () => {
  const clock = clockAt(0)
  const deadlineOf = createPricingDeadlines(clock.now)
  const its = routeOf('its')
  const deadlines = [0, 299_999, 599_998, 899_998].map((at) => {
    clock.set(at)
    return deadlineOf(its)
  })
  assert.deepEqual(deadlines, [4_000, 800, 800, 4_000])
})
