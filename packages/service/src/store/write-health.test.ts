import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWriteHealth } from './write-health.ts'

const FULL = new Error('disk full')
const DUPLICATE = new Error('duplicate')

const healthOf = () => {
  const asked: string[] = []
  const lines: string[] = []
  const disk = { isFull: false }
  const health = createWriteHealth({
    check: async () => {
      asked.push('check')
    },
    tryWrite: async () => {
      asked.push('try')
      if (disk.isFull) throw FULL
    },
    blamesRow: (error) => error === DUPLICATE,
    log: (level, event, { error } = {}) => {
      lines.push([level, event, ...(error instanceof Error ? [error.message] : [])].join(' '))
    },
  })
  return { ...health, asked, lines, disk }
}

test('a store whose last write failed answers a ping only when a write of the same kind succeeds', async () => {
  const { note, ping, asked, lines, disk } = healthOf()
  await ping()
  disk.isFull = true
  await assert.rejects(note(Promise.reject(FULL)), FULL)
  await assert.rejects(ping(), FULL)
  await assert.rejects(ping(), FULL)
  disk.isFull = false
  await ping()
  await ping()
  assert.deepEqual(asked, ['check', 'try', 'try', 'try', 'check'])
  assert.deepEqual(lines, ['error store_write_failed disk full', 'info store_write_recovered'])
})

test('a write that succeeds ends the failure', async () => {
  const { note, ping, asked } = healthOf()
  await assert.rejects(note(Promise.reject(FULL)))
  assert.equal(await note(Promise.resolve(7)), 7)
  await ping()
  assert.deepEqual(asked, ['check'])
})

test('a row that the database rejects says nothing about the store', async () => {
  const { note, ping, asked, lines } = healthOf()
  await assert.rejects(note(Promise.reject(DUPLICATE)), DUPLICATE)
  await ping()
  assert.deepEqual([asked, lines], [['check'], []])
})
