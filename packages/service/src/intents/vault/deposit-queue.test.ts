import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { testDeposit } from '../../../test/test-deposits.ts'
import type { StoredPayment } from '../../store/store.ts'
import { createDepositQueue, type Try } from './deposit-queue.ts'

const MINUTE_MS = 60_000
const UNPAYABLE: Try = { unpayable: 'the account does not exist' }

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

let chains = 0

/** A queue of some unmatched deposits of a chain of their own. */
const open = async (count: number) => {
  chains += 1
  const chainId = `stellar:queue-${chains}`
  const deposits = Array.from(
    { length: count },
    (_, index): StoredPayment => ({
      ...testDeposit(index + 1, { from: 'stranger' }),
      chainId,
      role: 'deposit',
      orderId: undefined,
      quoteId: undefined,
      settled: false,
      confirmed: true,
    }),
  )
  await files.store().savePayments(chainId, { blockNumber: 1n, blockHash: '' }, deposits)
  const held: string[] = []
  let nowMs = 1_800_000_000_000 + chains * 1_000_000_000_000
  const start = () =>
    createDepositQueue({
      store: files.store(),
      hold: async (deposit, why) => {
        held.push(why)
        await files.store().settleDeposits([deposit])
      },
      now: () => nowMs,
    })
  const due = async (queue: ReturnType<typeof start>) =>
    (await queue.next()).unmatched.filter(([first]) => first?.chainId === chainId)
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { deposits, held, start, due, pass }
}

test('a payer that cannot be paid is tried twelve times in a day, with growing pauses, across restarts', async () => {
  const { held, start, due, pass } = await open(1)
  const minutes: number[] = []
  for (let minute = 0; minute < 3_000 && held.length === 0; minute += 1) {
    const queue = start()
    for (const deposits of await due(queue)) {
      minutes.push(minute)
      await queue.tried(deposits, UNPAYABLE)
    }
    pass(MINUTE_MS)
  }
  const pauses = minutes.slice(1).map((minute, index) => minute - (minutes[index] ?? 0))
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360])
  assert.deepEqual(held, ['the account does not exist'])
  assert.deepEqual(await due(start()), [])
})

test('other failures hold no deposit and are an hour apart at most', async () => {
  const { deposits: all, held, start, due, pass } = await open(1)
  const queue = start()
  let tries = 0
  for (let minute = 0; minute < 1_440; minute += 1) {
    for (const deposits of await due(queue)) {
      tries += 1
      await queue.tried(deposits, 'failed')
    }
    pass(MINUTE_MS)
  }
  await files.store().settleDeposits(all)
  assert.deepEqual(held, [])
  assert.ok(tries > 24 && tries < 40, `${tries} tries in a day`)
})

test('a turn has as many deposits that were tried before as new ones, the longest due first', async () => {
  const { deposits, start, due, pass } = await open(200)
  const queue = start()
  const first = await due(queue)
  assert.deepEqual(
    first.flat().map(({ txHash }) => txHash),
    deposits.slice(0, 32).map(({ txHash }) => txHash),
  )
  for (const one of first) await queue.tried(one, 'waits')
  for (const one of (await due(queue)).toReversed()) await queue.tried(one, 'waits')
  pass(MINUTE_MS)
  const turn = (await due(queue)).flat()
  assert.deepEqual(turn.length, 64)
  assert.deepEqual(
    turn.map(({ txHash }) => deposits.findIndex((one) => one.txHash === txHash) < 64),
    turn.map((_, index) => index < 32),
  )
})
