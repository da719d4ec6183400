import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_BASE_UNITS } from '../../core/amount.ts'
import { amountFor, transferFee } from '../../protocols/axelar/transfer-fee.ts'
import { inputRange, outputRange, payoutRoom } from './limits.ts'

test('the room is what mint limit and holdings leave', () => {
  assert.equal(payoutRoom(0n, 5n, null), null)
  assert.equal(payoutRoom(0n, 5n, 70n), 70n)
  assert.equal(payoutRoom(100n, 30n, null), 70n)
  assert.equal(payoutRoom(100n, 30n, 20n), 20n)
  assert.equal(payoutRoom(100n, 100n, null), 0n)
  assert.equal(payoutRoom(1n, 0n, null), 0n)
})

test('every input inside the range can be paid out, and the next one outside cannot', () => {
  const fees = fc
    .record({
      rate: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10n ** 17n })),
      minFee: fc.bigInt({ min: 0n, max: 10n ** 9n }),
      span: fc.bigInt({ min: 0n, max: 10n ** 9n }),
    })
    .map(({ rate, minFee, span }) => ({ rate, minFee, maxFee: minFee + span }))
  const room = fc.oneof(fc.constant(null), fc.bigInt({ min: 0n, max: 10n ** 30n }))
  fc.assert(
    fc.property(fees, room, (info, left) => {
      const outputs = outputRange(info, left)
      if (outputs === undefined) return left === 0n
      const inputs = inputRange(info, outputs)
      const fits = (input: bigint): boolean => {
        const output = input - transferFee(info, input)
        return output >= 1n && output <= (left ?? MAX_BASE_UNITS) && input <= MAX_BASE_UNITS
      }
      assert.ok(fits(inputs.minimum) && fits(inputs.maximum))
      for (const output of [outputs.minimum, outputs.maximum]) assert.ok(fits(amountFor(info, output)))
      assert.ok(!fits(inputs.minimum - 1n) && !fits(inputs.maximum + 1n))
      return true
    }),
    { numRuns: 500 },
  )
})
