import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createLru } from './lru.ts'

const CAPACITY = 8
const key = fc.nat({ max: 20 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('set'), key }),
  fc.record({ kind: fc.constant('get'), key }),
  fc.record({ kind: fc.constant('delete'), key }),
)

test('keeps recently used entries and never returns a wrong value', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const memory = createLru<number, number>(CAPACITY)
      const model = new Map<number, number>()
      let used: number[] = []
      for (const [value, { kind, key }] of steps.entries()) {
        used = used.filter((other) => other !== key)
        if (kind === 'delete') {
          memory.delete(key)
          model.delete(key)
          continue
        }
        if (kind === 'set') {
          memory.set(key, value)
          model.set(key, value)
        } else {
          const found = memory.get(key)
          if (found === undefined) continue
          assert.equal(found, model.get(key))
        }
        used.push(key)
      }
      for (const late of used.slice(-CAPACITY / 2)) assert.equal(memory.get(late), model.get(late))
    }),
  )
})

test('never exceeds its capacity', () => {
  const memory = createLru<number, number>(CAPACITY)
  for (let index = 0; index < 100; index += 1) memory.set(index, index)
  const held = Array.from({ length: 100 }, (_, index) => 99 - index).filter(
    (key) => memory.get(key) !== undefined,
  )
  assert.ok(held.length >= CAPACITY / 2 && held.length <= CAPACITY)
})

test('deletes single entries, and all when cleared', () => {
  const memory = createLru<string, number>(CAPACITY)
  for (let index = 0; index < CAPACITY; index += 1) memory.set(`${index}`, index)
  memory.delete('7')
  assert.equal(memory.get('7'), undefined)
  memory.clear()
  assert.equal(memory.get('6'), undefined)
})

test('a new value replaces the old one in either generation', () => {
  const map = createLru<string, number>(4)
  map.set('one', 1)
  map.set('two', 2)
  map.set('three', 3)
  map.set('one', 11)
  assert.equal(map.get('one'), 11)
  assert.equal(map.get('none'), undefined)
})
