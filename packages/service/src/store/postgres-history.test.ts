import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPostgresHistory } from './postgres-history.ts'

type Place = { readonly cluster: string; readonly timeline: string; readonly position: string }
const PLACE: Place = { cluster: '7', timeline: '00000001', position: '1000' }

const at = (place: Partial<Place>) => ({ query: async () => ({ rows: [{ ...PLACE, ...place }] }) })
const failing = (code: string) => ({
  query: () => Promise.reject(Object.assign(new Error('refused'), { code })),
})

const open = () => {
  const lines: string[] = []
  return { lines, history: createPostgresHistory((level, event) => lines.push(`${level} ${event}`)) }
}

for (const [name, place] of [
  ['another cluster', { cluster: '8' }],
  ['another timeline', { timeline: '00000002', position: '5000' }],
  ['an earlier timeline', { timeline: '00000000' }],
  ['a log that ends before a known position', { position: '1999' }],
] as const)
  test(`a connection to ${name} is one to a replaced database, until a restart`, async () => {
    const { lines, history } = open()
    await history.compare(at({}))
    await history.compare(at({ position: '2000' }))
    history.expectSame()
    await history.compare(at(place))
    assert.throws(history.expectSame, { code: 'replaced' })
    await history.compare(at({ position: '3000' }))
    assert.throws(history.expectSame, { code: 'replaced' })
    assert.deepEqual(lines, ['error database_replaced'])
  })

test('answers that overtake each other replace nothing', async () => {
  const { history } = open()
  await history.compare(at({}))
  const slow = Promise.withResolvers<{ readonly rows: readonly unknown[] }>()
  const comparing = history.compare({ query: () => slow.promise })
  await history.compare(at({ position: '2000' }))
  slow.resolve({ rows: [{ ...PLACE, position: '1500' }] })
  await comparing
  history.expectSame()
  await history.compare(at({ position: '1999' }))
  assert.throws(history.expectSame, { code: 'replaced' })
})

test('a server that does not tell where its log stands is logged once and not compared', async () => {
  const { lines, history } = open()
  await history.compare(failing('42883'))
  await history.compare(failing('42883'))
  history.expectSame()
  assert.deepEqual(lines, ['warn database_history_unknown'])
})

test('a connection that cannot be read rejects', async () => {
  const { history } = open()
  await assert.rejects(history.compare(failing('57P01')), /refused/)
})
