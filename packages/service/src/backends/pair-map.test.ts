import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Token } from '../core/token.ts'
import { createPairMap } from './pair-map.ts'

const tokenOn = (chainId: Token['chainId'], address: string) => ({
  token: { chainId, address, symbol: 'T', name: 'Token', decimals: 6, verified: true },
})

test('finds a route by the tokens of its direction only', () => {
  const [here, there, other] = [
    tokenOn('eip155:1', '0xa'),
    tokenOn('eip155:2', '0xa'),
    tokenOn('eip155:1', '0xb'),
  ]
  const route = { from: here, to: there }
  const map = createPairMap([route])
  assert.equal(map.get({ from: tokenOn('eip155:1', '0xa'), to: tokenOn('eip155:2', '0xa') }), route)
  for (const pair of [
    { from: there, to: here },
    { from: other, to: there },
    { from: here, to: here },
  ])
    assert.equal(map.get(pair), undefined)
  assert.deepEqual(
    [here, there, other].map(({ token }) => map.serves(token)),
    [true, true, false],
  )
  assert.equal(map.size, 1)
})
