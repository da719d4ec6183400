import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEmitter } from './emitter.ts'

test('every listener gets an event even when others throw or reject', async () => {
  const errors: unknown[] = []
  const seen: string[] = []
  const emitter = createEmitter<string>((error) => void errors.push(error))
  emitter.on(() => {
    throw new Error('thrown')
  })
  emitter.on(async () => {
    throw new Error('rejected')
  })
  emitter.on((event) => seen.push(event))
  emitter.emit('a')
  assert.deepEqual(seen, ['a'])
  await emitter.emitInTurn('b')
  assert.deepEqual(seen, ['a', 'b'])
  assert.deepEqual(errors.map(String).toSorted(), [
    'Error: rejected',
    'Error: rejected',
    'Error: thrown',
    'Error: thrown',
  ])
})

test('emitInTurn calls listeners without overlap', async () => {
  const seen: string[] = []
  const emitter = createEmitter<string>(() => assert.fail('nothing fails'))
  emitter.on(async () => {
    await sleep(2)
    seen.push('first')
  })
  emitter.on(() => seen.push('second'))
  await emitter.emitInTurn('a')
  assert.deepEqual(seen, ['first', 'second'])
})

test('a removed listener is not called, and one added during an event gets the next', () => {
  const seen: string[] = []
  const emitter = createEmitter<string>(() => assert.fail('nothing fails'))
  const remove = emitter.on((event) => {
    seen.push(`one ${event}`)
    if (event === 'a') emitter.on((later) => seen.push(`other ${later}`))
  })
  emitter.emit('a')
  emitter.emit('b')
  remove()
  remove()
  emitter.emit('c')
  assert.deepEqual(seen, ['one a', 'one b', 'other b', 'other c'])
})

test('a listener removed while another handles the event does not get it', async () => {
  const seen: string[] = []
  const emitter = createEmitter<string>(() => assert.fail('nothing fails'))
  emitter.on(async () => {
    await sleep(1)
    remove()
  })
  const remove = emitter.on((event) => seen.push(event))
  await emitter.emitInTurn('a')
  assert.deepEqual(seen, [])
})

test('reports an error with its event', () => {
  const errors: string[] = []
  const emitter = createEmitter<string>((error, event) => void errors.push(`${event} ${error}`))
  emitter.on(() => {
    throw new Error('down')
  })
  emitter.emit('a')
  assert.deepEqual(errors, ['a Error: down'])
})
