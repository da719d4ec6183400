import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseUnits } from './amount.ts'
import type { Offer, OfferedFee } from './offer.ts'
import type { ValuedOffer } from './ranking.ts'
import { isTooGood } from './too-good.ts'

const NO_FEE: OfferedFee = {
  amount: baseUnits(0n),
  token: { chain: 'eip155:1', symbol: 'ETH', type: 'native' },
  decimals: 18,
  asset: { chainId: 'eip155:1', address: 'native' },
  paymentMethod: 'wallet_native',
  quoteTreatment: 'outside_quote',
}

/** An offer for 10,000 of the input; `price` is what the reference prices say that one output is worth in inputs. */
const valued = (
  backend: string,
  output: bigint,
  price: bigint | null = 1n,
  changes: Partial<Offer> = {},
): ValuedOffer => ({
  offer: {
    backend,
    backendName: backend,
    input: baseUnits(10_000n),
    output: baseUnits(output),
    minimumOutput: baseUnits(output),
    estimatedTimeSeconds: 1,
    lifetimeSeconds: 1,
    gasFee: NO_FEE,
    userFee: NO_FEE,
    actions: [],
    tracking: {},
    metadata: {},
    binding: {},
    ...changes,
  },
  worth: {
    input: price === null ? undefined : 10_000n,
    output: price === null ? undefined : output * price,
    gas: 0n,
    user: 0n,
  },
})

/** Whether the first of these is too good by a bound of 3 %. */
const judge = (first: ValuedOffer, ...others: readonly ValuedOffer[]): boolean =>
  isTooGood(first, [first, ...others], 300)

test('an offer is too good if it beats reference prices and every other backend by more than the bound', () => {
  const gateway = valued('gateway', 9_900n)
  assert.equal(judge(valued('intent', 100_000n), gateway), true)
  assert.equal(judge(valued('intent', 10_301n), gateway), true)
  assert.equal(judge(valued('intent', 10_300n), gateway), false)
})

test('an offer that one other backend comes near is shown', () => {
  assert.equal(judge(valued('intent', 11_000n), valued('gateway', 9_000n), valued('its', 10_900n)), false)
})

test('an offer near the reference prices is shown, however bad the other backends are', () => {
  assert.equal(judge(valued('intent', 10_000n), valued('gateway', 1_000n)), false)
})

test('without other backends the reference prices decide', () => {
  assert.equal(judge(valued('intent', 10_301n)), true)
  assert.equal(judge(valued('intent', 10_301n), valued('intent', 10_000n)), true)
  assert.equal(judge(valued('intent', 10_300n)), false)
})

test('without a reference price the other backends decide, and without both the offer is shown', () => {
  assert.equal(judge(valued('intent', 100_000n, null), valued('gateway', 9_900n, null)), true)
  assert.equal(judge(valued('intent', 10_100n, null), valued('gateway', 9_900n, null)), false)
  assert.equal(judge(valued('intent', 100_000n, null)), false)
})

test('a fee or a price impact of the other backend does not make an honest offer too good', () => {
  for (const paymentMethod of ['input_token', 'output_token'] as const) {
    const quoteTreatment = 'included_in_quote' as const
    const userFee = { ...NO_FEE, amount: baseUnits(5_000n), paymentMethod, quoteTreatment }
    const gateway = valued('gateway', 5_000n, null, { userFee })
    assert.equal(judge(valued('intent', 9_990n, null), gateway), false)
    assert.equal(judge(valued('intent', 99_900n, null), gateway), true)
  }
  const metadata = { priceImpactBps: 2_000 }
  const deep = valued('gateway-express', 8_000n, null, { metadata })
  assert.equal(judge(valued('intent', 9_990n, null), deep), false)
  assert.equal(judge(valued('intent', 99_900n, null), deep), true)
})

test('for an exact output the smaller input is the better offer', () => {
  const gateway = valued('gateway', 10_000n)
  const cheap = (input: bigint): ValuedOffer => {
    const { offer, worth } = valued('intent', 10_000n, 1n, { input: baseUnits(input) })
    return { offer, worth: { ...worth, input } }
  }
  assert.equal(judge(cheap(1_000n), gateway), true)
  assert.equal(judge(cheap(9_709n), gateway), false)
})
