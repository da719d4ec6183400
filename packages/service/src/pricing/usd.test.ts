import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NetworkToken } from '../core/network.ts'
import { fixedPrices } from './fixed.ts'
import { USD_DIGITS } from './price-source.ts'
import { usdPrice, usdText } from './usd.ts'

const token = (address: string, price?: string): NetworkToken =>
  NetworkToken.parse({
    chainId: 'eip155:31337',
    address,
    symbol: 'T',
    name: 'Token',
    decimals: 6,
    verified: true,
    ...(price === undefined ? {} : { usdPrice: price }),
  })

test('formats USD with two to six fraction digits, rounded down', () => {
  const one = 10n ** BigInt(USD_DIGITS)
  assert.equal(usdText(1_000_000n * one, 18 + 6), '1.00')
  assert.equal(usdText(1_500_000n * one, 18 + 6), '1.50')
  assert.equal(usdText(1_234_567n * one, 18 + 6), '1.234567')
  assert.equal(usdText(1_999_999_999_999_999_999n * one, 18 + 18), '1.999999')
  assert.equal(usdText(one, 18 + 18), '0.00')
  assert.equal(usdText(10n ** 18n * 2_500_500_000_000_000_000_000n, 18 + 18), '2500.50')
  assert.equal(usdText(7n * one, 18), '7.00')
})

test('never shows more than an amount is worth', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      fc.integer({ min: 0, max: 36 }),
      fc.bigInt({ min: 1n, max: 10n ** 30n }),
      (amount, decimals, price) => {
        const text = usdText(amount * price, 18 + decimals)
        assert.match(text, /^\d+\.\d{2,6}$/)
        const [whole = '0', fraction = ''] = text.split('.')
        const micros = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
        const scale = 10n ** BigInt(USD_DIGITS + decimals)
        const worth = amount * price * 1_000_000n
        assert.ok(micros * scale <= worth && worth < (micros + 1n) * scale)
      },
    ),
  )
})

test('returns the configured prices, and none for a token without one', () => {
  const priced = token('0x1111111111111111111111111111111111111111', '2500.5')
  const bare = token('0x2222222222222222222222222222222222222222')
  const worthless = token('0x3333333333333333333333333333333333333333', '0')
  const prices = fixedPrices([priced, bare, worthless])
  assert.equal(prices(priced), usdPrice('2500.5'))
  assert.equal(prices(bare), undefined)
  assert.equal(prices(worthless), undefined)
})
