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
    const paymentStatements = createPaymentStatements({
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
