import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balancesOfQuorum } from './balances-of-quorum.ts'

/** What the quorum says when each endpoint tells this amount at this block; an error is a silent endpoint. */
const saidBy = async (quorum: number, told: readonly (readonly [bigint, bigint] | Error)[]) => {
  const workEach = () =>
    told.map(async (one) => {
      if (one instanceof Error) throw one
      return { amounts: [one[0]], number: one[1] }
    })
  const pool = { quorum, workEach: workEach as never }
  const [balance] = await balancesOfQuorum({ pool, deadlineMs: 1 }, () => Promise.reject(), 1)
  return balance && [balance.amount, balance.number]
}

test('no endpoint alone lowers a balance', async () => {
  assert.deepEqual(
    await saidBy(2, [
      [0n, 9n],
      [7n, 8n],
      [7n, 8n],
    ]),
    [7n, 8n],
  )
  assert.deepEqual(
    await saidBy(2, [
      [0n, 9n],
      [7n, 8n],
    ]),
    [7n, 8n],
  )
  assert.deepEqual(
    await saidBy(2, [
      [5n, 9n],
      [7n, 8n],
      [4n, 9n],
    ]),
    [5n, 9n],
  )
})

test('too few endpoints say nothing, and the only one decides', async () => {
  assert.equal(await saidBy(2, [[0n, 9n], new Error('silent')]), undefined)
  assert.deepEqual(await saidBy(1, [[0n, 9n]]), [0n, 9n])
})
