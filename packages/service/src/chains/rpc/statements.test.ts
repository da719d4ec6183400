import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChainId } from '@openrfq/sdk'
import { RpcError, type RpcErrorCode, rpcErrorCode } from './rpc-error.ts'
import type { RpcAsk, RpcMember, RpcMembers } from './rpc-members.ts'
import { createStatementReader } from './statements.ts'

const ask: RpcAsk = Object.assign(() => Promise.reject(new Error('no calls are expected')), {
  checkTime: () => undefined,
})

/** What an endpoint says about a fact, or why it says nothing. */
type Word = boolean | RpcErrorCode | 'pending'

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
    if (word === 'pending') return new Promise(() => undefined)
    return typeof word === 'string'
      ? Promise.reject(new RpcError(word, 'the endpoint says nothing'))
      : work(ask, word === true ? 1 : 0)
  }
  const lines: string[] = []
  const read = createStatementReader({
    members: { all, run },
    quorum: 2,
    chainId: ChainId.parse('solana:test'),
    now: () => now,
    log: (level, event, fields) => {
      lines.push(`${level} ${event} ${fields?.['endpoint']}`)
    },
  })
  return {
    lines,
    say: (next: readonly Word[]) => {
      said = next
    },
    pass: (ms: number) => {
      now += ms
    },
    /** What the endpoints say, as 'C' and 'D' by their places, or the error's code. */
    ask: (about = 'a fact') =>
      read({ about, confirms: async (_ask, isConfirmed) => isConfirmed === 1, deadlineMs: 1_000 }).then(
        (all) => all.map(({ endpoint, confirms }) => `${endpoint}${confirms ? 'C' : 'D'}`).join(' '),
        rpcErrorCode,
      ),
  }
}

for (const [words, told] of [
  [[true, true, true], '0C 1C 2C'],
  [[true, true, false], '0C 1C 2D'],
  [['TIMED_OUT', true, false], '1C 2D'],
  [[true, true, 'NODE_PRUNED'], 'NODE_BEHIND'],
  [[true, true, 'WRONG_CHAIN'], 'NODE_BEHIND'],
  [[true, true, 'AHEAD_OF_CLOCK'], 'NODE_BEHIND'],
  [[true, false, 'NODE_PRUNED'], '0C 1D'],
  [['NODE_PRUNED', 'NODE_PRUNED', 'NODE_PRUNED'], 'NODE_BEHIND'],
  [[true, true, 'TOO_MUCH'], 'NODE_BEHIND'],
  [[true, true, 'TIMED_OUT'], 'NODE_BEHIND'],
  [[true, true, 'NODE_BEHIND'], 'NODE_BEHIND'],
  [[true, true, 'MALFORMED'], 'NODE_BEHIND'],
  [[true, true, 'REFUSED'], 'NODE_BEHIND'],
  [['TIMED_OUT', 'TIMED_OUT', 'TIMED_OUT'], 'NODE_BEHIND'],
] as const)
  test(`endpoints that first say ${words.join(', ')} make ${told || 'no statement'}`, async () => {
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

test('waits 20 seconds for an endpoint whose answers about one fact are unusable', async () => {
  const { ask, say, pass } = open([true, true, 'MALFORMED'])
  assert.equal(await ask(), 'NODE_BEHIND')
  say([true, true, true])
  assert.equal(await ask('another'), '0C 1C 2C')
  say([true, true, 'MALFORMED'])
  pass(20_000)
  assert.equal(await ask(), '0C 1C')
})

test('fails while no endpoint says anything', async () => {
  const { ask, pass } = open(['TIMED_OUT', 'NODE_BEHIND', 'NODE_PRUNED'])
  assert.equal(await ask(), 'NODE_BEHIND')
  pass(20_000)
  assert.equal(await ask(), 'NO_ANSWER')
})

test('takes an endpoint that denied a fact and falls silent as denying it until it confirms it', async () => {
  const { ask, say, pass } = open([true, true, false])
  assert.equal(await ask(), '0C 1C 2D')
  for (const word of ['TIMED_OUT', 'NODE_BEHIND', 'NODE_PRUNED'] as const) {
    say([true, true, word])
    assert.equal(await ask(), '0C 1C 2D')
    pass(600_000)
    assert.equal(await ask(), '0C 1C 2D')
  }
  say([true, true, true])
  assert.equal(await ask(), '0C 1C 2C')
})

test('takes what an endpoint denied as no statement about another fact', async () => {
  const { ask, say, pass } = open([true, true, false])
  assert.equal(await ask('one'), '0C 1C 2D')
  say([true, true, 'NODE_PRUNED'])
  assert.equal(await ask('another'), 'NODE_BEHIND')
  pass(20_000)
  assert.equal(await ask('another'), '0C 1C')
})

test('waits the full time again for an endpoint that last failed long ago', async () => {
  const { ask, pass } = open([true, true, 'TIMED_OUT'])
  assert.equal(await ask(), 'NODE_BEHIND')
  pass(20_000)
  assert.equal(await ask(), '0C 1C')
  pass(60_000)
  assert.equal(await ask('another'), 'NODE_BEHIND')
})

test('waits 20 seconds for an endpoint of a wrong chain or time as for a silent one', async () => {
  for (const word of ['WRONG_CHAIN', 'AHEAD_OF_CLOCK'] as const) {
    const { ask, say, pass } = open([true, true, word])
    assert.equal(await ask(), 'NODE_BEHIND')
    pass(20_000)
    assert.equal(await ask(), '0C 1C')
    assert.equal(await ask('another'), '0C 1C')
    say([true, true, false])
    assert.equal(await ask(), '0C 1C 2D')
  }
})

test('waits 20 seconds about each fact for an endpoint whose history is too short', async () => {
  const { ask, pass } = open([true, true, 'NODE_PRUNED'])
  assert.equal(await ask('one'), 'NODE_BEHIND')
  pass(20_000)
  assert.equal(await ask('one'), '0C 1C')
  assert.equal(await ask('another'), 'NODE_BEHIND')
})

test('makes no statement once the history of every endpoint is too short for 20 seconds', async () => {
  const { ask, pass } = open(['NODE_PRUNED', 'NODE_PRUNED', 'NODE_PRUNED'])
  assert.equal(await ask(), 'NODE_BEHIND')
  pass(20_000)
  assert.equal(await ask(), '')
})

test('waits for an endpoint that is behind about each fact', async () => {
  const { ask, pass } = open([true, true, 'NODE_BEHIND'])
  assert.equal(await ask('one'), 'NODE_BEHIND')
  pass(20_000)
  assert.equal(await ask('one'), '0C 1C')
  assert.equal(await ask('another'), 'NODE_BEHIND')
})

test('does not wait for the answer of an endpoint that has failed for 20 seconds', async () => {
  const { ask, say, pass } = open([true, true, 'TIMED_OUT'])
  await ask()
  pass(20_000)
  await ask()
  say([true, true, 'pending'])
  assert.equal(await ask(), '0C 1C')
  say([true, false, 'pending'])
  assert.equal(await ask(), '0C 1D')
})

test('hears an endpoint that has failed for 20 seconds where the others are no quorum', async () => {
  const { ask, say, pass } = open([true, 'TIMED_OUT', 'TIMED_OUT'])
  await ask()
  pass(20_000)
  assert.equal(await ask(), '0C')
  say([true, 'TIMED_OUT', false])
  assert.equal(await ask(), '0C 2D')
})

test('waits for an endpoint with too much to read until it says something, and logs it', async () => {
  const { ask, say, pass, lines } = open([true, true, 'TOO_MUCH'])
  for (const ms of [0, 6_000, 13_999]) {
    pass(ms)
    assert.equal(await ask(), 'NODE_BEHIND')
  }
  assert.deepEqual(lines, [])
  for (const ms of [1, 6_000, 3_600_000]) {
    pass(ms)
    assert.equal(await ask(), 'NODE_BEHIND')
  }
  assert.deepEqual(lines, ['warn rpc_endpoint_reads_long 2'])
  say([true, true, false])
  assert.equal(await ask(), '0C 1C 2D')
  assert.deepEqual(lines.slice(1), ['info rpc_endpoint_read_all 2'])
})

test('holds while the answers of all endpoints are too long to be read', async () => {
  const { ask, pass } = open(['TOO_MUCH', 'NODE_PRUNED', 'TOO_MUCH'])
  assert.equal(await ask(), 'NODE_BEHIND')
  pass(20_000)
  assert.equal(await ask(), 'NODE_BEHIND')
})
