import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toHopFees } from 'openrfq/src/protocols/axelar/gas-fee.ts'
import { type ChainGas, feesResult, hopFee } from './gas.ts'

/** A chain whose gas costs at most a thousandth of its native asset. */
const chainGas: fc.Arbitrary<ChainGas> = fc.integer({ min: 6, max: 18 }).chain((nativeDecimals) =>
  fc.record({
    nativeName: fc.constant('Native'),
    nativeSymbol: fc.constant('NTV'),
    nativeDecimals: fc.constant(nativeDecimals),
    nativeUsd: fc.integer({ min: 1, max: 10_000_000 }).map((cents) => (cents / 100).toFixed(2)),
    gasPrice: fc.bigInt({ min: 1n, max: 10n ** BigInt(nativeDecimals - 3) }),
    executeGasLimit: fc.bigInt({ min: 21_000n, max: 3_000_000n }),
    baseFeeUsd: fc.integer({ min: 0, max: 10_000 }).map((cents) => (cents / 100).toFixed(2)),
  }),
)

test('a payment of the getFees amount covers the hop', () => {
  const one = 10n ** 36n
  fc.assert(
    fc.property(chainGas, chainGas, (source, destination) => {
      const said = toHopFees(feesResult(source, destination))
      assert.ok(said)
      const cost = said.baseFee + said.gasPrice * destination.executeGasLimit
      const paid = (cost * 10n ** BigInt(source.nativeDecimals) + one - 1n) / one
      const { baseFee, executionFee } = hopFee(source, destination)
      assert.ok(paid >= baseFee + executionFee, `${paid} against ${baseFee + executionFee}`)
    }),
  )
})

test('converts by the prices of the two native tokens', () => {
  const cheap: ChainGas = {
    nativeName: 'Cheap',
    nativeSymbol: 'CHP',
    nativeDecimals: 6,
    nativeUsd: '0.5',
    gasPrice: 1n,
    executeGasLimit: 100n,
    baseFeeUsd: '1',
  }
  const dear: ChainGas = { ...cheap, nativeDecimals: 18, nativeUsd: '2000', gasPrice: 10n ** 9n }
  assert.deepEqual(hopFee(cheap, dear), {
    baseFee: 2_000_000n,
    executionFee: 400n,
    expressFee: undefined,
  })
  assert.deepEqual(hopFee(dear, cheap, 200n), {
    baseFee: 5n * 10n ** 14n,
    executionFee: 5n * 10n ** 10n,
    expressFee: undefined,
  })
})
