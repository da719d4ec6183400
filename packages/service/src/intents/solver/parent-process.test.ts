import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { createModeSwitch } from './modes.ts'
import { followParent } from './parent-process.ts'

const open = (hasParent: boolean) => {
  const events = new EventEmitter()
  const sent: object[] = []
  const modes = createModeSwitch(() => undefined)
  let gone = 0
  const announce = followParent({
    channel: {
      on: events.on.bind(events),
      ...(hasParent ? { send: (message: object) => sent.push(message) } : {}),
    },
    modes,
    onGone: () => {
      gone += 1
    },
  })
  return { events, sent, modes, announce, gone: () => gone }
}

test('a mode of the parent is in force when it is answered', () => {
  const { events, sent, modes } = open(true)
  events.emit('message', { mode: 'paused' })
  assert.equal(modes.mode(), 'paused')
  events.emit('message', { mode: 'asleep' })
  events.emit('message', 'paused')
  assert.deepEqual(sent, [{ mode: 'paused' }])
})

test('notifies the parent once when the service has the quotes', () => {
  const { sent, announce } = open(true)
  announce()
  announce()
  assert.deepEqual(sent, [{ quoting: true }])
})

test('reports the end of the parent', () => {
  const { events, gone } = open(true)
  events.emit('disconnect')
  assert.equal(gone(), 1)
})

test('ignores a missing parent process', () => {
  const { events, announce, modes } = open(false)
  announce()
  events.emit('message', { mode: 'paused' })
  assert.equal(modes.mode(), 'normal')
})
