import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { baseUnits } from '../../core/amount.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import { Settlement } from './config.ts'
import { batchesDue, type ProvableFill } from './proof-batch.ts'

const ADDRESS = `0x${'1'.repeat(40)}`
const order = (originChain: string, destinationChain: string): IntentOrder => ({
  depositor: ADDRESS,
  salt: `0x${'0'.repeat(64)}`,
  originChain,
  originSettler: ADDRESS,
  destinationChain,
  destinationSettler: ADDRESS,
  openDeadline: 1,
  fillDeadline: 2,
  refundAfter: 3,
  inputToken: ADDRESS,
  inputAmount: baseUnits(1n),
  outputToken: ADDRESS,
  outputAmount: baseUnits(1n),
  recipient: ADDRESS,
  solver: ADDRESS,
  filler: ADDRESS,
})

const fill = (id: number, part: Partial<ProvableFill> = {}): ProvableFill => ({
  orderId: `0x${id.toString(16).padStart(64, '0')}`,
  order: order('eip155:1', 'eip155:2'),
  filledAt: 0,
  proofs: 0,
  provedAt: undefined,
  ...part,
})
const settlement = Settlement.parse({ batchSize: 4, batchWaitMs: 1_000, proofStallSeconds: 60 })

test('sends a full batch at once, and a smaller one after its wait', () => {
  const fills = [1, 2, 3, 4, 5].map((id) => fill(id, { filledAt: 500 }))
  assert.deepEqual(
    batchesDue(fills, settlement, 600).map((batch) => batch.fills.length),
    [4],
  )
  assert.deepEqual(
    batchesDue(fills, settlement, 1_500).map((batch) => batch.fills.length),
    [4, 1],
  )
})

test('proves a fill again only when its proof has stalled', () => {
  const proved = fill(1, { proofs: 1, provedAt: 0 })
  assert.deepEqual(batchesDue([proved], settlement, 59_999), [])
  assert.equal(batchesDue([proved], settlement, 60_000)[0]?.round, 1)
})

test('every due fill is in exactly one batch, of one direction and round, within the size limit', () => {
  const chain = fc.constantFrom('eip155:1', 'eip155:2', 'eip155:3')
  const anyFill = fc.record({ from: chain, to: chain, proofs: fc.integer({ min: 0, max: 2 }) })
  fc.assert(
    fc.property(fc.array(anyFill, { maxLength: 100 }), (shapes) => {
      const fills = shapes.map(({ from, to, proofs }, id) =>
        fill(id, { order: order(from, to), proofs, provedAt: proofs === 0 ? undefined : 0 }),
      )
      const batches = batchesDue(fills, settlement, 10 ** 6)
      assert.deepEqual(
        batches.flatMap((batch) => batch.fills.map(({ orderId }) => orderId)).toSorted(),
        fills.map(({ orderId }) => orderId).toSorted(),
      )
      for (const { fills: some, originChain, destinationChain, round } of batches) {
        assert.ok(some.length <= 4)
        assert.ok(
          some.every(
            (one) =>
              one.order.originChain === originChain &&
              one.order.destinationChain === destinationChain &&
              one.proofs === round,
          ),
        )
      }
    }),
  )
})
