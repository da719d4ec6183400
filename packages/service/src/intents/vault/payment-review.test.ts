import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { floodDeposit, START_SECONDS } from '../../../test/test-deposits.ts'
import type { Statement } from '../../chains/rpc/statements.ts'
import type { Payment } from '../../core/payment.ts'
import type { StoredPayment } from '../../store/store.ts'
import { createPaymentReview } from './payment-review.ts'

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

const depositOf = (chainId: string, number: number): StoredPayment =>
  floodDeposit(chainId, number, BigInt(100 + Math.floor(number / 100)))

/** A review of some stored deposits, a hundred in each transaction, and how many transactions the chain was asked about. */
const reviewOf = async (chainId: string, count: number, confirms: (payment: Payment) => boolean) => {
  const store = files.store()
  const deposits = Array.from({ length: count }, (_, number) => depositOf(chainId, number))
  await store.savePayments(chainId, { blockNumber: 1_000n, blockHash: '' }, deposits)
  let asked = 0
  const statementsOf = async (payment: Payment): Promise<readonly Statement[]> => [
    { endpoint: 0, confirms: confirms(payment) },
  ]
  const review = createPaymentReview({
    chain: {
      chainId,
      faults: () => [],
      statementsOfEach: (payments) => {
        assert.equal(new Set(payments.map(({ txHash }) => txHash)).size, 1)
        asked += 1
        return payments.map(statementsOf)
      },
    },
    store,
    voidPayment: async () => false,
    now: () => START_SECONDS * 1000,
    log: () => undefined,
  })
  const unconfirmed = async (): Promise<number> =>
    (await store.listUnconfirmedPayments(chainId, 10_000)).length
  return { review, unconfirmed, asked: () => asked }
}

test('2,000 payments of 20 transactions are confirmed by 20 questions', async () => {
  const { review, unconfirmed, asked } = await reviewOf('stellar:flooded', 2_000, () => true)
  for (let round = 0; round < 5; round += 1) await review.round()
  assert.deepEqual([await unconfirmed(), asked()], [0, 20])
})

test('payments that an endpoint denies hold up no review of later ones', async () => {
  const isDenied = ({ blockNumber }: Payment): boolean => blockNumber < 106n
  const { review, unconfirmed } = await reviewOf('stellar:denied', 700, (payment) => !isDenied(payment))
  for (let round = 0; round < 2; round += 1) await review.round()
  assert.equal(await unconfirmed(), 600)
})
