import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Statement } from '../chains/rpc/statements.ts'
import { createFactCheck, type Fact } from './fact-check.ts'

const CHAIN = 'eip155:1'
const confirmed = (...endpoints: readonly number[]): readonly Statement[] =>
  endpoints.map((endpoint) => ({ endpoint, confirms: true }))
const denied = (...endpoints: readonly number[]): readonly Statement[] =>
  endpoints.map((endpoint) => ({ endpoint, confirms: false }))

const open = () => {
  let now = 0
  let said: readonly Statement[] = confirmed(0, 1, 2)
  let asked = 0
  const lines: (readonly unknown[])[] = []
  const check = createFactCheck({
    now: () => now,
    log: (level, event, fields) => lines.push([level, event, fields]),
  })
  const fact: Fact = {
    chainId: CHAIN,
    text: 'the order is filled',
    ask: async () => {
      asked += 1
      return said
    },
  }
  return {
    check,
    fact,
    lines,
    asked: () => asked,
    say: (statements: readonly Statement[]) => {
      said = statements
    },
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('allows a payment if every endpoint confirms its facts, or if no endpoint makes a statement', async () => {
  const { check, fact, say, lines } = open()
  assert.equal(await check.allows('release:1', [fact]), true)
  say(confirmed(2))
  assert.equal(await check.allows('release:2', [fact]), true)
  say([])
  assert.equal(await check.allows('release:3', [fact]), true)
  assert.deepEqual(check.held(), [])
  assert.deepEqual(lines, [])
})

test('holds a payment while one endpoint denies a fact that two confirm, and says so once', async () => {
  const { check, fact, say, pass, lines } = open()
  say([...confirmed(0, 1), ...denied(2)])
  for (let round = 0; round < 3; round += 1) {
    assert.equal(await check.allows('release:1', [fact]), false)
    pass(5_000)
  }
  assert.deepEqual(check.held(), [CHAIN])
  assert.deepEqual(lines, [
    [
      'error',
      'payment_contradicted',
      { chainId: CHAIN, key: 'release:1', fact: 'the order is filled', confirmedBy: '0,1', deniedBy: '2' },
    ],
  ])
  say(confirmed(0, 1, 2))
  assert.equal(await check.allows('release:1', [fact]), true)
  assert.deepEqual(check.held(), [])
  assert.deepEqual(lines.at(-1)?.slice(0, 2), ['info', 'payment_not_contradicted'])
})

test('holds one payment and not others', async () => {
  const { check, fact, say } = open()
  say(denied(1))
  assert.equal(await check.allows('refund:1', [{ ...fact, text: 'another' }, fact]), false)
  say(confirmed(0, 1))
  assert.equal(await check.allows('refund:2', [fact]), true)
})

test('asks about a held payment every five seconds', async () => {
  const { check, fact, say, pass, asked } = open()
  say(denied(1))
  for (let round = 0; round < 10; round += 1) {
    await check.allows('refund:1', [fact])
    pass(1_000)
  }
  assert.equal(asked(), 2)
})

test('forgets a held payment that is not asked about for ten minutes', async () => {
  const { check, fact, say, pass } = open()
  say(denied(1))
  await check.allows('refund:1', [fact])
  pass(600_001)
  assert.deepEqual(check.held(), [])
})

test('rejects while no endpoint answers', async () => {
  const { check, fact } = open()
  const silent: Fact = { ...fact, ask: () => Promise.reject(new Error('no endpoint')) }
  await assert.rejects(check.allows('refund:1', [silent]), /no endpoint/)
})
