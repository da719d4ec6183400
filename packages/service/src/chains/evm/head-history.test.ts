import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type BlockLink, createHeadHistory } from './head-history.ts'

/** Block `number` of the branch that left the trunk after block `split`. */
const blockOf = (number: number, split = Number.POSITIVE_INFINITY): BlockLink => {
  const nameOf = (height: number): string =>
    height > split ? `branch ${split} ${height}` : `trunk ${height}`
  return { number: BigInt(number), hash: nameOf(number), parentHash: nameOf(number - 1) }
}

const historyOf = (numbers: readonly number[]) => {
  const history = createHeadHistory()
  for (const number of numbers) history.accept(blockOf(number))
  return history
}

test('distinguishes a lagging endpoint from a reorg', () => {
  const seen = [5, 6, 9, 10]
  const cases: readonly (readonly [BlockLink, string])[] = [
    [blockOf(10), 'same'],
    [blockOf(11), 'newer'],
    [blockOf(20), 'newer'],
    [blockOf(9), 'lagging'],
    [blockOf(6), 'lagging'],
    [blockOf(8), 'lagging'],
    [blockOf(3), 'lagging'],
    [blockOf(10, 9), 'reorg'],
    [blockOf(10, 3), 'reorg'],
    [blockOf(9, 8), 'reorg'],
    [blockOf(7, 5), 'reorg'],
    [blockOf(11, 9), 'reorg'],
    [blockOf(12, 9), 'newer'],
  ]
  for (const [block, move] of cases) assert.equal(historyOf(seen).judge(block), move, block.hash)
})

test('counts the first block as newer', () => {
  assert.equal(createHeadHistory().judge(blockOf(3)), 'newer')
})

test('after a reorg the old branch contradicts the new one', () => {
  const history = historyOf([8, 9, 10])
  history.accept(blockOf(9, 8))
  assert.equal(history.judge(blockOf(10, 8)), 'newer')
  assert.equal(history.judge(blockOf(10)), 'reorg')
  assert.equal(history.judge(blockOf(8)), 'lagging')
})

test('blocks of one branch in any order never look like a reorg', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 2_000 }), { maxLength: 60 }), (numbers) => {
      const history = createHeadHistory()
      for (const number of numbers) {
        const move = history.judge(blockOf(number))
        assert.notEqual(move, 'reorg')
        if (move === 'newer') history.accept(blockOf(number))
      }
    }),
  )
})
