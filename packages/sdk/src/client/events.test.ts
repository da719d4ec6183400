import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createEventParser } from './events.ts'

const TEXT = [
  'retry: 2000',
  '',
  ': a comment',
  '',
  'event: status',
  'id: 1.a',
  'data: {"a":1}',
  '',
  'data:first',
  'data: second: third',
  'unknown: x',
  '',
  'event: without data',
  '',
  '',
]
const EVENTS = [
  { name: 'status', id: '1.a', data: '{"a":1}' },
  { name: 'message', id: undefined, data: 'first\nsecond: third' },
]

test('reads events with every line ending, however the text is cut', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 60 }),
      (ending, lengths) => {
        const text = TEXT.join(ending)
        const parse = createEventParser(1_000)
        let at = 0
        const events = lengths.flatMap((length) => {
          const part = text.slice(at, at + length)
          at += length
          return parse(part)
        })
        assert.deepEqual([...events, ...parse(text.slice(at))], EVENTS)
      },
    ),
  )
})

test('refuses an event that is too long', () => {
  assert.throws(() => createEventParser(100)(`data: ${'x'.repeat(200)}`), RangeError)
  const parse = createEventParser(100)
  assert.throws(() => {
    for (let line = 0; line < 20; line += 1) parse('data: 0123456789\n')
  }, RangeError)
})
