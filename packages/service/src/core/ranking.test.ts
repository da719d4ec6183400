import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { baseUnits } from './amount.ts'
import type { Offer, OfferedFee } from './offer.ts'
import { lossBps, type RankingOrder, rank } from './ranking.ts'
import { type PriceOf, worthOf } from './worth.ts'

const USD = 10n ** 18n
const prices: Readonly<Record<string, bigint>> = { usdc: USD, eth: 2_000n * USD }
const priceOf: PriceOf = ({ address }) => prices[address]
const noPrice = (): undefined => undefined

const exactInput: RankingOrder = {
  orderType: 'EXACT_INPUT',
  from: { asset: { chainId: 'eip155:1', address: 'usdc' }, decimals: 6 },
  to: { asset: { chainId: 'eip155:1', address: 'usdc' }, decimals: 6 },
}
const exactOutput: RankingOrder = { ...exactInput, orderType: 'EXACT_OUTPUT' }

const fee = (amount: bigint, treatment: OfferedFee['quoteTreatment'] = 'outside_quote'): OfferedFee => ({
  amount: baseUnits(amount),
  token: { chain: 'eip155:1', symbol: 'ETH', type: 'native' },
  decimals: 18,
  asset: { chainId: 'eip155:1', address: 'eth' },
  paymentMethod: treatment === 'outside_quote' ? 'tx_value' : 'input_token',
  quoteTreatment: treatment,
})

const offer = (
  backend: string,
  values: { input?: bigint; output: bigint; userFee?: OfferedFee; seconds?: number },
): Offer => ({
  backend,
  backendName: backend,
  input: baseUnits(values.input ?? 100_000_000n),
  output: baseUnits(values.output),
  minimumOutput: baseUnits(values.output),
  estimatedTimeSeconds: values.seconds ?? 60,
  lifetimeSeconds: 60,
  gasFee: fee(0n),
  userFee: values.userFee ?? fee(0n),
  actions: [],
  tracking: {},
  metadata: {},
  binding: {},
})

const order = (ranked: readonly { offer: Offer }[]): readonly string[] =>
  ranked.map(({ offer: { backend } }) => backend)

const lossOf = (one: Offer, prices: PriceOf): number | undefined =>
  lossBps({ offer: one, worth: worthOf(exactInput, one, prices) })

test('EXACT_INPUT ranks by output minus costs on top, in USD', () => {
  // 100 USDC against a fee of 0.001 ETH = 2 USD on top; 99 USDC without one is worth more.
  const ranked = rank(
    exactInput,
    [
      offer('its', { output: 100_000_000n, userFee: fee(10n ** 15n) }),
      offer('gateway', { output: 99_000_000n }),
    ],
    priceOf,
  )
  assert.deepEqual(order(ranked), ['gateway', 'its'])
  assert.equal(ranked[0]?.selectionReason, 'best_value')
})

test('a fee included in the quote is not subtracted again', () => {
  const ranked = rank(
    exactInput,
    [
      offer('its', { output: 99_000_000n }),
      offer('gateway', { output: 100_000_000n, userFee: fee(10n ** 15n, 'included_in_quote') }),
    ],
    priceOf,
  )
  assert.deepEqual(order(ranked), ['gateway', 'its'])
})

test('EXACT_OUTPUT ranks by the least total cost', () => {
  const ranked = rank(
    exactOutput,
    [
      offer('its', { input: 100_000_000n, output: 1n, userFee: fee(10n ** 15n) }),
      offer('gateway', { input: 101_000_000n, output: 1n }),
    ],
    priceOf,
  )
  assert.deepEqual(order(ranked), ['gateway', 'its'])
  assert.equal(ranked[0]?.selectionReason, 'best_value')
})

test('the first is named highest_output or lowest_input only where no other quote is better by that', () => {
  const reasonOf = (type: RankingOrder, offers: readonly Offer[]) =>
    rank(type, offers, priceOf).map(({ selectionReason }) => selectionReason)[0]
  const equal = [offer('its', { output: 5n, seconds: 60 }), offer('gateway', { output: 5n, seconds: 90 })]
  assert.equal(reasonOf(exactInput, equal), 'highest_output')
  assert.equal(reasonOf(exactOutput, equal), 'lowest_input')
  assert.equal(reasonOf(exactInput, equal.slice(1)), 'highest_output')
  const cheap = offer('its', { output: 99_000_000n })
  const dear = offer('gateway', { output: 100_000_000n, userFee: fee(10n ** 15n) })
  assert.equal(reasonOf(exactInput, [dear, cheap]), 'best_value')
})

test('without prices ranks by the bare amounts', () => {
  const offers = [
    offer('gateway', { output: 99_000_000n }),
    offer('its', { output: 100_000_000n, userFee: fee(10n ** 18n) }),
  ]
  assert.deepEqual(order(rank(exactInput, offers, noPrice)), ['its', 'gateway'])
})

test('ties go to the shorter time, then to the earlier offer', () => {
  const slow = offer('intent', { output: 5n, seconds: 90 })
  const its = offer('its', { output: 5n, seconds: 60 })
  const gateway = offer('gateway', { output: 5n, seconds: 60 })
  assert.deepEqual(order(rank(exactInput, [slow, gateway, its], priceOf)), ['gateway', 'its', 'intent'])
  assert.deepEqual(order(rank(exactInput, [its, slow, gateway], priceOf)), ['its', 'gateway', 'intent'])
})

test('every selection reason is true of its quote', () => {
  const reasons = rank(
    exactInput,
    [
      offer('intent', { output: 100_000_000n, seconds: 60, userFee: fee(2n) }),
      offer('gateway', { output: 90_000_000n, seconds: 10, userFee: fee(9n) }),
      offer('its', { output: 80_000_000n, seconds: 80, userFee: fee(1n) }),
      offer('gateway-express', { output: 70_000_000n, seconds: 90, userFee: fee(3n) }),
    ],
    priceOf,
  ).map(({ selectionReason }) => selectionReason)
  assert.deepEqual(reasons, ['highest_output', 'fastest', 'lowest_fee', 'alternative'])
})

test('ranking keeps every offer and never puts a worse one first', () => {
  const anyOffer = fc
    .record({
      backend: fc.constantFrom<string>('intent', 'its', 'gateway', 'gateway-express'),
      output: fc.bigInt({ min: 1n, max: 10n ** 30n }),
      cost: fc.bigInt({ min: 0n, max: 10n ** 24n }),
      seconds: fc.nat(5),
    })
    .map(({ backend, output, cost, seconds }) => offer(backend, { output, seconds, userFee: fee(cost) }))
  fc.assert(
    fc.property(fc.array(anyOffer, { maxLength: 8 }), (offers) => {
      const ranked = rank(exactInput, offers, priceOf)
      assert.deepEqual(new Set(ranked.map((entry) => entry.offer)), new Set(offers))
      const values = ranked.map(
        (entry) => entry.offer.output * 10n ** 12n - entry.offer.userFee.amount * 2_000n,
      )
      assert.ok(values.every((value, index) => index === 0 || value <= (values[index - 1] ?? value)))
    }),
  )
})

test('the loss of a quote includes costs on top and is never negative', () => {
  // 100 USDC in and 0.005 ETH = 10 USD on top; 88 out: 22 of 110 lost.
  assert.equal(lossOf(offer('its', { output: 88_000_000n, userFee: fee(5n * 10n ** 15n) }), priceOf), 2_000)
  assert.equal(lossOf(offer('its', { output: 100_000_001n }), priceOf), 0)
  assert.equal(lossOf(offer('its', { output: 1n }), noPrice), undefined)
})

const filledAt = (fillRate: number, isLastResort = false) => ({
  reliability: { solver: { name: 'solver', address: '0xA1' }, fillRate, refundSeconds: 7_200, isLastResort },
})

test('an offer loses what a failed try costs, as often as its solver fails', () => {
  // A failed try costs twice the gas of 1 USD, and 2 hours at 0.01 % of 100 USD: 2.02 USD.
  const gasFee = fee(5n * 10n ** 14n)
  const its = { ...offer('its', { output: 99_000_000n }), gasFee }
  const intent = (cents: bigint) => ({
    ...offer('intent', { output: 99_000_000n + cents * 10_000n }),
    gasFee,
    ...filledAt(500_000),
  })
  assert.deepEqual(order(rank(exactInput, [its, intent(102n)], priceOf)), ['intent', 'its'])
  assert.deepEqual(order(rank(exactInput, [its, intent(100n)], priceOf)), ['its', 'intent'])
})

test('a solver that fills every order ranks before its at equal cost, because it is faster', () => {
  const its = offer('its', { output: 99_000_000n, seconds: 90 })
  const intent = { ...offer('intent', { output: 99_000_000n, seconds: 7 }), ...filledAt(1_000_000) }
  assert.deepEqual(order(rank(exactInput, [its, intent], priceOf)), ['intent', 'its'])
})

test('a last resort follows every other offer, with prices and without', () => {
  const its = offer('its', { output: 1n })
  const intent = { ...offer('intent', { output: 99_000_000n }), ...filledAt(1_000_000, true) }
  for (const prices of [priceOf, noPrice])
    assert.deepEqual(order(rank(exactInput, [intent, its], prices)), ['its', 'intent'])
})

test('superlatives are true of any answer, and the first alone has highest_output or lowest_input', () => {
  const small = { min: 1n, max: 9n }
  const anyOffer = fc
    .record({
      input: fc.bigInt(small),
      output: fc.bigInt(small),
      cost: fc.bigInt({ min: 0n, max: 10n ** 13n }),
      seconds: fc.nat(5),
      rate: fc.option(fc.nat(1_000_000), { nil: undefined }),
      isLast: fc.boolean(),
    })
    .map(({ input, output, cost, seconds, rate, isLast }): Offer => {
      const plain = offer('intent', { output, seconds, userFee: fee(cost) })
      return { ...plain, input: baseUnits(input), ...(rate === undefined ? {} : filledAt(rate, isLast)) }
    })
  fc.assert(
    fc.property(
      fc.array(anyOffer, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(exactInput, exactOutput),
      fc.constantFrom(priceOf, noPrice),
      (offers, asked, prices) => {
        const [first, ...others] = rank(asked, offers, prices)
        assert.ok(first)
        const isMost = offers.every(({ output }) => output <= first.offer.output)
        const isLeast = offers.every(({ input }) => input >= first.offer.input)
        const superlative = asked === exactInput ? isMost && 'highest_output' : isLeast && 'lowest_input'
        assert.equal(first.selectionReason, superlative || 'best_value')
        for (const { offer: one, selectionReason } of others) {
          assert.ok(['fastest', 'lowest_fee', 'alternative'].includes(selectionReason))
          if (selectionReason === 'fastest')
            assert.ok(
              offers.every((other) => other === one || other.estimatedTimeSeconds > one.estimatedTimeSeconds),
            )
        }
      },
    ),
  )
})
