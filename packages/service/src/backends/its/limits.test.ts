import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_BASE_UNITS } from '../../core/amount.ts'
import { dustOf, flowRoom, inputFor, inputRange, outputOf, outputRange } from './limits.ts'

const decimals = fc.integer({ min: 0, max: 36 })
const amount = fc.bigInt({ min: 1n, max: 10n ** 60n })
const limit = fc.oneof(fc.constant(null), fc.bigInt({ min: 0n, max: 10n ** 40n }))

/** FlowLimit.sol's own check of one more amount. */
const contractAccepts = (flowLimit: bigint, along: bigint, against: bigint, more: bigint): boolean => {
  if (flowLimit === 0n) return true
  const flow = along + more
  const net = flow >= against ? flow - against : against - flow
  return more <= flowLimit && net <= flowLimit
}

test('flow room is the most that FlowLimit.sol accepts', () => {
  assert.equal(flowRoom(100n, 0n, 100n), 100n)
  assert.equal(flowRoom(100n, 0n, 101n), 0n)
  assert.equal(flowRoom(100n, 100n, 0n), 0n)
  const flow = fc.bigInt({ min: 0n, max: 1_000n })
  fc.assert(
    fc.property(flow, flow, flow, (flowLimit, along, against) => {
      const room = flowRoom(flowLimit, along, against)
      if (room === null) return flowLimit === 0n
      if (room === 0n) return !contractAccepts(flowLimit, along, against, 1n) || against > along + flowLimit
      return (
        contractAccepts(flowLimit, along, against, room) &&
        contractAccepts(flowLimit, along, against, 1n) &&
        !contractAccepts(flowLimit, along, against, room + 1n)
      )
    }),
    { numRuns: 1_000 },
  )
})

test('the hub rounds the output down, and the remainder is dust', () => {
  assert.equal(outputOf(1_234_567_890_123n, 18, 6), 1n)
  assert.equal(dustOf(1_234_567_890_123n, 18, 6), 234_567_890_123n)
  assert.equal(outputOf(7n, 6, 18), 7_000_000_000_000n)
  assert.equal(dustOf(7n, 6, 18), 0n)
  fc.assert(
    fc.property(amount, decimals, decimals, (input, from, to) => {
      const moved = input - dustOf(input, from, to)
      assert.equal(outputOf(moved, from, to), outputOf(input, from, to))
      assert.equal(inputFor(outputOf(input, from, to), from, to), moved)
    }),
  )
})

test('the input for an output is the smallest sufficient one', () => {
  fc.assert(
    fc.property(amount, decimals, decimals, (output, from, to) => {
      const input = inputFor(output, from, to)
      assert.ok(outputOf(input, from, to) >= output)
      assert.ok(outputOf(input - 1n, from, to) < output)
      if (from >= to) assert.equal(outputOf(input, from, to), output)
    }),
  )
})

test('every amount inside the range can be delivered, and the next one outside cannot', () => {
  fc.assert(
    fc.property(
      decimals,
      decimals,
      fc.constantFrom(64, 127, 256),
      limit,
      limit,
      (fromDecimals, toDecimals, maxUintBits, maxSend, maxReceive) => {
        const limits = { fromDecimals, toDecimals, maxUintBits, maxSend, maxReceive }
        const fits = (input: bigint): boolean => {
          const output = outputOf(input, fromDecimals, toDecimals)
          return (
            output > 0n &&
            output < 2n ** BigInt(maxUintBits) &&
            input <= (maxSend ?? MAX_BASE_UNITS) &&
            output <= (maxReceive ?? MAX_BASE_UNITS)
          )
        }
        const inputs = inputRange(limits)
        if (inputs === undefined) {
          assert.ok(!fits(inputFor(1n, fromDecimals, toDecimals)))
          return
        }
        const outputs = outputRange(limits, inputs)
        assert.ok(fits(inputs.minimum) && fits(inputs.maximum))
        assert.ok(!fits(inputs.minimum - 1n) && !fits(inputs.maximum + 1n))
        for (const output of [outputs.minimum, outputs.maximum])
          assert.ok(fits(inputFor(output, fromDecimals, toDecimals)))
        assert.ok(!fits(inputFor(outputs.maximum + 1n, fromDecimals, toDecimals)))
      },
    ),
    { numRuns: 500 },
  )
})
