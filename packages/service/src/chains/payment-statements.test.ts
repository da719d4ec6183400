import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payment } from '../core/payment.ts'
import { createPaymentStatements } from './payment-statements.ts'
import type { RpcAsk } from './rpc/rpc-members.ts'

const ASK: RpcAsk = Object.assign(async () => [], { checkTime: () => undefined })
const PAYMENT: Payment = {
  chainId: 'solana:test',
  txHash: 'transaction',
  position: 0,
  blockNumber: 102n,
  timestampSeconds: 102,
  from: 'filler',
  to: 'recipient',
  token: 'token',
  amount: 1n,
  muxedId: undefined,
  memo: undefined,
}

/** What an endpoint says that hands over one block of one second per read, has reached a block, and may be slow. */
const search = async ({
  untilSeconds,
  newest,
  deadlineMs = 60_000,
}: {
  readonly untilSeconds: number
  readonly newest: bigint
  readonly deadlineMs?: number
}) => {
  const { absenceStatements } = createPaymentStatements({
    pool: { statements: async (confirms) => [{ endpoint: 0, confirms: await confirms(ASK, 0) }] },
    read:
      ({ after }) =>
      async () => {
        const upTo = after + 1n
        const final = upTo === PAYMENT.blockNumber ? [PAYMENT] : []
        return { upTo, upToTimestampSeconds: Number(upTo), final, tentative: [] }
      },
    finalNumber: async () => newest,
    oldestNumber: async () => 100n,
    paymentsBeside: () => async () => [],
    fastestBlockMs: 1,
    deadlineMs,
  })
  const told = (isSought: (payment: Payment) => boolean) =>
    absenceStatements({
      accounts: ['recipient', 'filler'],
      sinceSeconds: 100,
      untilSeconds,
      nowSeconds: Number(newest),
      isSought,
    }).then(
      (all) => all.map(({ confirms }) => (confirms ? 'confirms' : 'denies')).join(),
      ({ code }: { readonly code: string }) => code,
    )
  return { absent: await told(() => false), paid: await told(() => true) }
}

test('the search for a payment reads on until the deadline is past', async () => {
  assert.deepEqual(await search({ untilSeconds: 104, newest: 200n }), { absent: 'confirms', paid: 'denies' })
})

test('an endpoint that has not reached the deadline is behind', async () => {
  assert.deepEqual(await search({ untilSeconds: 104, newest: 104n }), {
    absent: 'NODE_BEHIND',
    paid: 'denies',
  })
})

test('a search that is too long is given up', async () => {
  assert.equal((await search({ untilSeconds: 10_000, newest: 20_000n })).absent, 'TOO_MUCH')
  assert.equal((await search({ untilSeconds: 104, newest: 200n, deadlineMs: 0 })).absent, 'TOO_MUCH')
})
