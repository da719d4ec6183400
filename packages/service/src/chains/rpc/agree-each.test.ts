import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agreeOnEach } from './agree-each.ts'
import { RpcError } from './rpc-error.ts'
import type { RpcPool } from './rpc-pool.ts'

type Answer = readonly string[] | Error | Promise<readonly string[]>

const never = new Promise<readonly string[]>(() => undefined)

const agree = (answers: readonly Answer[], count: number) => {
  const workEach: RpcPool['workEach'] = (work) =>
    answers.map((_, endpoint) =>
      work(
        Object.assign(async () => [], { checkTime: () => undefined }),
        endpoint,
      ),
    )
  const quorum = Math.floor(answers.length / 2) + 1
  return agreeOnEach<string>(
    { workEach, quorum },
    {
      work: async (_ask, endpoint) => {
        const answer = answers[endpoint]
        if (answer === undefined || answer instanceof Error) throw answer
        return answer
      },
      count,
      keyOf: (value) => value,
      deadlineMs: 1_000,
    },
  )
}

test('facts are agreed one by one, also when no two endpoints say the same list', async () => {
  const lists = [
    ['a', 'x', 'c'],
    ['a', 'b', 'y'],
    ['z', 'b', 'c'],
  ]
  assert.deepEqual(await agree(lists, 3), ['a', 'b', 'c'])
})

test('a fact without a quorum is undefined, the others are known', async () => {
  const lists = [
    ['a', 'x'],
    ['a', 'y'],
    ['a', 'z'],
  ]
  assert.deepEqual(await agree(lists, 2), ['a', undefined])
})

test('a silent endpoint is not waited for once all facts are agreed', async () => {
  assert.deepEqual(await agree([['a'], never, ['a']], 1), ['a'])
})

test('fewer answers than a quorum are an error that names the cause', async () => {
  const behind = new RpcError('NODE_BEHIND', 'behind')
  await assert.rejects(agree([['a'], behind, new RpcError('UNREACHABLE', 'gone')], 1), {
    code: 'NODE_BEHIND',
  })
  const gone = new RpcError('UNREACHABLE', 'gone')
  await assert.rejects(agree([['a'], gone, gone], 1), { code: 'NO_AGREEMENT' })
})

test('a list of another length is no answer', async () => {
  assert.deepEqual(await agree([['a'], ['a', 'a'], ['a']], 1), ['a'])
  await assert.rejects(agree([['a'], ['a', 'a'], []], 1), { code: 'NO_AGREEMENT' })
})
