import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { keepTexts } from './kept-texts.ts'

const part = fc.oneof(fc.constantFrom('', 'a', 'b', '__proto__', 'constructor'), fc.string())

test('a kept text is the one its parts make, and is made once', () => {
  let made = 0
  const joined = keepTexts((one: string, other: string, third: string) => {
    made += 1
    return JSON.stringify([one, other, third])
  })
  const seen = new Set<string>()
  fc.assert(
    fc.property(part, part, part, (one, other, third) => {
      const expected = JSON.stringify([one, other, third])
      seen.add(expected)
      assert.equal(joined(one, other, third), expected)
      assert.equal(joined(one, other, third), expected)
      assert.equal(made, seen.size)
    }),
  )
})

test('an empty text is kept too', () => {
  let made = 0
  const nothing = keepTexts((_: string) => {
    made += 1
    return ''
  })
  assert.deepEqual([nothing('a'), nothing('a'), made], ['', '', 1])
})

test('texts do not pile up: after 10,000 others the first is made again', () => {
  let made = 0
  const kept = keepTexts((text: string) => {
    made += 1
    return `${text}.`
  })
  for (let count = 0; count < 10_001; count += 1) assert.equal(kept(`${count}`), `${count}.`)
  assert.equal(made, 10_001)
  assert.equal(kept('0'), '0.')
  assert.equal(made, 10_002)
})
