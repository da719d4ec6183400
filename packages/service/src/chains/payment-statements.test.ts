import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAYMENT, statements } from '../../test/one-endpoint.ts'
import { createPaymentStatements } from './payment-statements.ts'
import { RpcError } from './rpc/rpc-error.ts'

for (const [newest, told] of [
  [{ number: 101n, timestampSeconds: 102 }, 'NODE_BEHIND'],
  [{ number: 101n, timestampSeconds: 103 }, 'denies'],
  [{ number: 102n, timestampSeconds: 103 }, 'NODE_BEHIND'],
] as const)
  test(`an endpoint at block ${newest.number} and second ${newest.timestampSeconds} says ${told} about a payment in block 102 at second 102`, async () => {
    const { paymentStatements } = createPaymentStatements({
      pool: { statements },
      paymentsBeside: () => async () => {
        throw new RpcError('NODE_BEHIND', 'the block is not final here')
      },
      newest: async () => newest,
      deadlineMs: 60_000,
    })
    const said = await paymentStatements(PAYMENT).then(
      ([statement]) => (statement?.confirms === true ? 'confirms' : 'denies'),
      ({ code }: { readonly code: string }) => code,
    )
    assert.equal(said, told)
  })

test('an endpoint reads a transaction once for all payments in it between the same accounts', async () => {
  const payments = Array.from({ length: 100 }, (_, position) => ({ ...PAYMENT, position }))
  let reads = 0
  const { statementsOfEach } = createPaymentStatements({
    pool: { statements },
    paymentsBeside: () => async () => {
      reads += 1
      return payments.slice(1)
    },
    newest: async () => ({ number: 200n, timestampSeconds: 200 }),
    deadlineMs: 60_000,
  })
  const told = await Promise.all(statementsOfEach([...payments, { ...PAYMENT, from: 'other', position: 7 }]))
  const isConfirmed = told.map(([statement]) => statement?.confirms)
  assert.deepEqual(isConfirmed, [false, ...Array(99).fill(true), false])
  assert.equal(reads, 2)
})
