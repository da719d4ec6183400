import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solverText } from './solver-text.ts'

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const PAIR = { fromChain: 'eip155:1', fromToken: '0xa', toChain: 'eip155:2', toToken: '0xb' }
const RECORD = { ...PAIR, filled: 190, late: 4, declined: 2, faded: 4, blockedUntil: null }
const solverWith = (pairs: readonly { fillRate: number; medianFillSeconds: number | null }[]) => [
  {
    name: 'One',
    address: ADDRESS,
    connected: true,
    inventoryExceedsBalance: [],
    pairs: pairs.map((pair) => ({ ...RECORD, ...pair })),
  },
]
const quote = {
  backend: {
    type: 'intent' as const,
    name: 'Intents',
    tracking: { swapId: '0x1' },
    metadata: { solver: { name: 'One', address: ADDRESS.toLowerCase() } },
  },
  input: { chain: 'eip155:1', token: '0xa' },
  output: { chain: 'eip155:2', token: '0xb' },
}

for (const [name, pair, text] of [
  [
    'says the rate, the orders behind it and the time',
    { fillRate: 0.9899, medianFillSeconds: 7 },
    'Filled 194 of 200 orders on this pair (weighted by amount: 98 %), typically in 7 seconds.',
  ],
  [
    'rounds a rate down, so that only a perfect one is 100 %',
    { fillRate: 0.9999, medianFillSeconds: null },
    'Filled 194 of 200 orders on this pair (weighted by amount: 99 %).',
  ],
] as const)
  test(name, () => assert.equal(solverText(quote, solverWith([pair])), text))

test("says no rate of a few orders, which a newcomer's smoothing decides", () => {
  const few = { fillRate: 0.9756, medianFillSeconds: null, filled: 1, late: 0, declined: 1, faded: 0 }
  assert.equal(solverText(quote, solverWith([few])), 'Filled 1 of 2 orders on this pair.')
})

test('says that a solver has no record on the pair of a quote', () => {
  const elsewhere = { ...quote, output: { ...quote.output, token: '0xc' } }
  for (const [of, solvers] of [
    [quote, solverWith([])],
    [elsewhere, solverWith([{ fillRate: 1, medianFillSeconds: 1 }])],
  ] as const)
    assert.equal(solverText(of, solvers), 'This solver has had no order on this pair yet.')
})

test('says nothing of a solver that the service does not list, and before the list is read', () => {
  assert.equal(solverText(quote, []), undefined)
  assert.equal(solverText(quote, undefined), undefined)
})

test('says nothing of a quote without a solver', () => {
  const backend = { type: 'its' as const, name: 'ITS', tracking: {}, metadata: {} }
  assert.equal(
    solverText({ ...quote, backend }, solverWith([{ fillRate: 1, medianFillSeconds: 1 }])),
    undefined,
  )
})
