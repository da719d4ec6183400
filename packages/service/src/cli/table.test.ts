import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fields, table } from './table.ts'

test('columns are as wide as their widest cell, and aligned as declared', () => {
  assert.deepEqual(
    table(
      [{ title: 'token' }, { title: 'amount', align: 'right' }],
      [
        ['USDC', '1.5'],
        ['axlUSDC', '1000'],
      ],
    ),
    ['TOKEN    AMOUNT', 'USDC        1.5', 'axlUSDC    1000'],
  )
})

test('colour codes do not count as width', () => {
  const [, coloured, plain] = table(
    [{ title: 'a' }, { title: 'b' }],
    [
      ['\u001b[31mno\u001b[39m', 'x'],
      ['yes', 'x'],
    ],
  )
  assert.equal(coloured?.indexOf('x'), (plain?.indexOf('x') ?? 0) + '\u001b[31m\u001b[39m'.length)
})

test('a table without rows shows its headings', () => {
  assert.deepEqual(table([{ title: 'chain' }], []), ['CHAIN'])
})

test('fields align their values and have no trailing spaces', () => {
  assert.deepEqual(
    fields([
      ['a', '1'],
      ['long', ''],
    ]),
    ['a     1', 'long'],
  )
})
