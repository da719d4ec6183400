import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RfqError } from './rfq-error.ts'
import { TransportError } from './transport-error.ts'
import { untilAnswered } from './until-answered.ts'

const unreachable = () => new TransportError('unreachable', 'cannot reach it', true)

test('repeats a read that fails until it is answered, and tells each failure', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const answers = [unreachable(), unreachable(), 'there']
  const failures: unknown[] = []
  const read = async (): Promise<string> => {
    const answer = answers.shift()
    if (typeof answer === 'string') return answer
    throw answer
  }
  const answered = untilAnswered(read, {
    onFailure: (error) => {
      failures.push(error)
      // The pause begins after this.
      setImmediate(() => t.mock.timers.tick(15_000))
    },
  })
  assert.equal(await answered, 'there')
  assert.equal(failures.length, 2)
})

test('a refusal is not repeated', async () => {
  let reads = 0
  const refusal = new RfqError('INVALID_REQUEST', 'no')
  const read = async () => {
    reads += 1
    throw refusal
  }
  await assert.rejects(untilAnswered(read, {}), refusal)
  assert.equal(reads, 1)
})

test('ends with the reason of its signal', async () => {
  const controller = new AbortController()
  const reason = new Error('left')
  const read = async () => {
    throw unreachable()
  }
  const answered = untilAnswered(read, {
    signal: controller.signal,
    onFailure: () => setImmediate(() => controller.abort(reason)),
  })
  await assert.rejects(answered, reason)
})
