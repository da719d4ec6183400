import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/eventually.ts'
import { createKeptWarm } from './kept-warm.ts'

const world = (failing: ReadonlySet<string> = new Set()) => {
  const state = { time: 1, isDown: false, reads: [] as (readonly string[])[], lines: [] as string[] }
  const warm = createKeptWarm<string, string>({
    read: async (keys) => {
      state.reads.push(keys)
      if (state.isDown) throw new Error('down')
      return keys.map((key) => (failing.has(key) ? undefined : `${key} at ${state.time}`))
    },
    now: () => state.time,
    ...{ maxAgeMs: 30_000, refreshMs: 5_000, wantedMs: 60_000, limit: 100, together: 10, name: 'test_read' },
    log: (_level, event) => state.lines.push(event),
  })
  return { state, warm }
}

test('values asked for in one turn are read together, and fresh ones are not read again', async () => {
  const { state, warm } = world()
  assert.deepEqual(await Promise.all([warm.get('a'), warm.get('b'), warm.get('a')]), [
    'a at 1',
    'b at 1',
    'a at 1',
  ])
  state.time = 30_000
  assert.equal(await warm.get('a'), 'a at 1')
  assert.deepEqual(state.reads, [['a', 'b']])
  state.time = 30_001
  assert.equal(warm.peek('a'), undefined)
  assert.equal(await warm.get('a'), 'a at 30001')
})

test('a key that cannot be read is left alone, for longer each time, and others are read', async () => {
  const { state, warm } = world(new Set(['bad']))
  assert.deepEqual(await Promise.all([warm.get('bad'), warm.get('good')]), [undefined, 'good at 1'])
  assert.equal(await warm.get('bad'), undefined)
  assert.equal(state.reads.length, 1)
  state.time = 1_001
  assert.equal(await warm.get('bad'), undefined)
  state.time = 2_500
  assert.equal(await warm.get('bad'), undefined)
  assert.deepEqual(state.reads, [['bad', 'good'], ['bad']])
})

test('a wanted value is refreshed in the background, and an unwanted one is not', async () => {
  const { state, warm } = world()
  await warm.get('a')
  state.time = 5_001
  await warm.start()
  try {
    await until(() => warm.peek('a') === 'a at 5001')
    await warm.get('b')
    state.time = 70_000
    warm.peek('b')
    await until(() => warm.peek('b') === 'b at 70000')
    assert.deepEqual(state.reads.flat(), ['a', 'a', 'b', 'b'])
  } finally {
    await warm.stop()
  }
})

test('reads that all fail are told once when they begin to and once when they recover', async () => {
  const { state, warm } = world()
  state.isDown = true
  assert.deepEqual(await Promise.all([warm.get('a'), warm.get('b')]), [undefined, undefined])
  state.time = 5_000
  await warm.get('a')
  state.isDown = false
  state.time = 20_000
  assert.equal(await warm.get('a'), 'a at 20000')
  assert.deepEqual(state.lines, ['test_read_failed', 'test_read_recovered'])
})
