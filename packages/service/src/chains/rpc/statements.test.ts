import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RpcError, type RpcErrorCode, rpcErrorCode } from './rpc-error.ts'
import type { RpcAsk, RpcMember, RpcMembers } from './rpc-members.ts'
import { createStatementReader } from './statements.ts'

const ask: RpcAsk = Object.assign(() => Promise.reject(new Error('no calls are expected')), {
  checkTime: () => undefined,
})

/** What an endpoint says about a fact, or why it says nothing. */
type Word = boolean | RpcErrorCode

const open = (words: readonly Word[]) => {
  let now = 0
  let said = words
  const all = words.map((_, position) => {
    const member: Pick<RpcMember, 'position'> = { position }
    // CAST: the reader uses no more of an endpoint than its place.
    return member as RpcMember
  })
  const run: RpcMembers['run'] = (member, work) => {
    const word = said[member.position]
    return typeof word === 'string'
      ? Promise.reject(new RpcError(word, 'the endpoint says nothing'))
      : work(ask, word === true ? 1 : 0)
  }
  const read = createStatementReader({ members: { all, run }, now: () => now })
  return {
    say: (next: readonly Word[]) => {
      said = next
    },
    pass: (ms: number) => {
      now += ms
    },
    /** What the endpoints say, as 'C' and 'D' by their places, or the error's code. */
    ask: () =>
      read(async (_ask, isConfirmed) => isConfirmed === 1, 1_000).then(
        (all) => all.map(({ endpoint, confirms }) => `${endpoint}${confirms ? 'C' : 'D'}`).join(' '),
        rpcErrorCode,
      ),
  }
}

for (const [words, told] of [
  [[true, true, true], '0C 1C 2C'],
  [[true, true, false], '0C 1C 2D'],
  [['TIMED_OUT', true, false], '1C 2D'],
  [[true, true, 'NODE_PRUNED'], '0C 1C'],
  [[true, true, 'WRONG_CHAIN'], '0C 1C'],
  [[true, true, 'AHEAD_OF_CLOCK'], '0C 1C'],
  [['NODE_PRUNED', 'TOO_MUCH', 'NODE_PRUNED'], ''],
  [[true, true, 'TIMED_OUT'], 'NODE_BEHIND'],
  [[true, true, 'NODE_BEHIND'], 'NODE_BEHIND'],
  [['TIMED_OUT', 'TIMED_OUT', 'TIMED_OUT'], 'NODE_BEHIND'],
] as const)
  test(`endpoints of which each says ${words.join(', ')} at first make ${told || 'no statement'}`, async () => {
    assert.equal(await open(words).ask(), told)
  })

test('waits 20 seconds for an endpoint that says nothing, and not again until it has said something', async () => {
  const { ask, say, pass } = open([true, true, 'TIMED_OUT'])
  assert.equal(await ask(), 'NODE_BEHIND')
  pass(19_999)
  assert.equal(await ask(), 'NODE_BEHIND')
  pass(1)
  assert.equal(await ask(), '0C 1C')
  assert.equal(await ask(), '0C 1C')
  say([true, true, true])
  assert.equal(await ask(), '0C 1C 2C')
  say([true, true, 'TIMED_OUT'])
  assert.equal(await ask(), 'NODE_BEHIND')
})

test('fails while no endpoint says anything', async () => {
  const { ask, pass } = open(['TIMED_OUT', 'NODE_BEHIND', 'NODE_PRUNED'])
  assert.equal(await ask(), 'NODE_BEHIND')
  pass(20_000)
  assert.equal(await ask(), 'NO_ANSWER')
})
