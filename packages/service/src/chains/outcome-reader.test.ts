import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChainId } from '@openrfq/sdk'
import type { OutcomeVote } from './agreed-outcome.ts'
import { createOutcomeReader } from './outcome-reader.ts'
import { RpcError, rpcErrorCode } from './rpc/rpc-error.ts'
import type { RpcAsk, RpcMember, RpcMembers } from './rpc/rpc-members.ts'
import { createStatementReader } from './rpc/statements.ts'

const ask: RpcAsk = Object.assign(() => Promise.reject(new Error('no calls are expected')), {
  checkTime: () => undefined,
})

/** An endpoint's vote, or `silent` if its answer is lost. */
type Vote = OutcomeVote | 'silent'

const open = () => {
  let now = 0
  const all = [0, 1, 2].map((position) => {
    const member: Pick<RpcMember, 'position'> = { position }
    // CAST: the reader uses no more of an endpoint than its place.
    return member as RpcMember
  })
  const run: RpcMembers['run'] = (member, work) => work(ask, member.position)
  const pool = {
    quorum: 2,
    statements: createStatementReader({
      members: { all, run },
      quorum: 2,
      chainId: ChainId.parse('solana:test'),
      now: () => now,
      log: () => undefined,
    }),
  }
  const read = createOutcomeReader({ pool, deadlineMs: 1_000 })
  return {
    pass: (ms: number) => {
      now += ms
    },
    outcome: (...votes: readonly [Vote, Vote, Vote]) =>
      read('0x1', async (_ask, endpoint) => {
        const vote = votes[endpoint]
        if (vote === undefined || vote === 'silent') throw new RpcError('UNREACHABLE', 'a lost answer')
        return vote
      }).catch(rpcErrorCode),
  }
}

for (const end of ['failed', 'expired'] as const) {
  test(`two endpoints that say ${end} are not believed before the third was silent for 20 seconds`, async () => {
    const { outcome, pass } = open()
    assert.equal(await outcome(end, end, 'silent'), 'pending')
    pass(19_999)
    assert.equal(await outcome(end, end, 'silent'), 'pending')
    pass(1)
    assert.equal(await outcome(end, end, 'silent'), end)
  })

  for (const seen of ['pending', 'succeeded'] as const)
    test(`two endpoints that say ${end} are never believed against one that said ${seen} and fell silent`, async () => {
      const { outcome, pass } = open()
      await outcome('unknown', 'unknown', seen)
      assert.equal(await outcome(end, end, 'silent'), 'pending')
      pass(600_000)
      assert.equal(await outcome(end, end, 'silent'), 'pending')
      assert.equal(await outcome(end, end, end), end)
    })

  test(`two endpoints that say ${end} are not believed against one to which the payout is unknown`, async () => {
    const { outcome, pass } = open()
    assert.equal(await outcome(end, end, 'unknown'), 'pending')
    pass(600_000)
    assert.equal(await outcome(end, end, 'unknown'), 'pending')
  })
}

test('two endpoints prove at once that a payout succeeded', async () => {
  assert.equal(await open().outcome('succeeded', 'silent', 'succeeded'), 'succeeded')
})

test('no outcome is told while all endpoints are silent', async () => {
  const { outcome, pass } = open()
  assert.equal(await outcome('silent', 'silent', 'silent'), 'NO_ANSWER')
  pass(20_000)
  assert.equal(await outcome('silent', 'silent', 'silent'), 'NO_ANSWER')
})
