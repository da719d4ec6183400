import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseStrictJson } from './strict-json.ts'

const bytes = (text: string): Buffer => Buffer.from(text)
const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

const REFUSED: readonly (readonly [string, Buffer])[] = [
  ['an empty body', bytes('')],
  ['white space alone', bytes('  ')],
  ['an unfinished object', bytes('{"a":1')],
  ['a trailing comma', bytes('{"a":1,}')],
  ['two values', bytes('{} {}')],
  ['a comment', bytes('{/**/}')],
  ['NaN', bytes('{"a":NaN}')],
  ['a control character in a string', bytes('{"a":"\n"}')],
  ['a byte order mark', bytes('\ufeff{}')],
  ['invalid UTF-8', Buffer.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
  ['an overlong encoding', Buffer.of(0x22, 0xc0, 0xaf, 0x22)],
  ['UTF-16', Buffer.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0)],
  ['an encoded surrogate', Buffer.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
  ['an escaped lone surrogate', bytes('{"a":"\\ud800"}')],
  ['a duplicate key', bytes('{"a":1,"b":2,"a":1}')],
  ['a duplicate key behind an escape', bytes('{"amount":1,"\\u0061mount":2}')],
  ['a duplicate key in a nested object', bytes('{"a":[{"b":1,"b":1}]}')],
  ['a duplicate key after a nested object', bytes('{"a":{"a":1},"a":2}')],
  ['a duplicate __proto__', bytes('{"__proto__":1,"__proto__":2}')],
  ['17 levels', bytes(deep(17))],
  ['8,000 levels', bytes(deep(8000))],
]

for (const [name, body] of REFUSED) {
  test(`rejects ${name} with INVALID_REQUEST`, () => {
    assert.throws(() => parseStrictJson(body), { name: 'RfqError', code: 'INVALID_REQUEST' })
  })
}

test('accepts 16 levels, equal keys in different objects, equal strings, and numbers beyond the largest', () => {
  for (const text of [
    deep(16),
    '{"a":{"a":{"a":"a"}},"b":["a","a",{"a":"a"}]}',
    '["a","a"]',
    '{"a":"\\\\","b":"\\"a\\":","c":"{[,"}',
    '{"slippageTolerance":1e400,"x":-0}',
    '"\\ud83d\\ude00"',
    'null',
  ]) {
    assert.deepEqual(parseStrictJson(bytes(text)), JSON.parse(text))
  }
})

test('treats a __proto__ key like any other field', () => {
  const value = parseStrictJson(bytes('{"__proto__":{"approvalMode":"MAX"}}'))
  assert.ok(typeof value === 'object' && value !== null)
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
  assert.equal(Reflect.get({}, 'approvalMode'), undefined)
})

test('parses every JSON value like JSON.parse', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5, stringUnit: 'binary' }), (text) => {
      assert.deepEqual(parseStrictJson(bytes(text)), JSON.parse(text))
    }),
    { numRuns: 500 },
  )
})

test('rejects every object with a repeated key at any depth', () => {
  const entry = fc.tuple(fc.string(), fc.json({ maxDepth: 2 }))
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 6 }), fc.nat(), (entries, pick) => {
      const [repeated = ''] = entries[pick % entries.length] ?? []
      const members = [...entries, [repeated, '1'] as const].map(
        ([key, value]) => `${JSON.stringify(key)}:${value}`,
      )
      assert.throws(() => parseStrictJson(bytes(`{${members.join(',')}}`)), { code: 'INVALID_REQUEST' })
    }),
    { numRuns: 300 },
  )
})
