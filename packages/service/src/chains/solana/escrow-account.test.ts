import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeEscrowAccount } from '@openrfq/contracts/solana'
import fc from 'fast-check'
import { encodeBase58 } from './base58.ts'
import { parseEscrowAccount } from './escrow-account.ts'

const PROGRAM = encodeBase58(Buffer.alloc(32, 7))
const account = (data: Uint8Array, owner = PROGRAM) => ({
  lamports: 2_000_000n,
  owner,
  executable: false,
  data: Buffer.from(data),
})

test("an order's account says what the program's client reads from it", () =>
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 200, maxLength: 200 }), fc.nat(4), (bytes, status) => {
      bytes[0] = status
      const expected = decodeEscrowAccount(bytes)
      const parsed = parseEscrowAccount(account(bytes), PROGRAM)
      assert.deepEqual(
        parsed,
        expected && {
          status: expected.status,
          openDeadline: expected.openDeadline,
          refundAfter: expected.refundAfter,
          orderId: expected.orderId,
          payer: expected.payer,
        },
      )
    }),
  ))

test('an account that is missing, of another program or of another size is no order', () => {
  const open = Buffer.alloc(200)
  open[0] = 1
  assert.equal(parseEscrowAccount(account(open), PROGRAM)?.status, 'open')
  assert.equal(parseEscrowAccount(null, PROGRAM), undefined)
  assert.equal(parseEscrowAccount(account(open, encodeBase58(Buffer.alloc(32, 8))), PROGRAM), undefined)
  assert.equal(parseEscrowAccount(account(open.subarray(1)), PROGRAM), undefined)
  assert.equal(parseEscrowAccount(account(Buffer.alloc(0)), PROGRAM), undefined)
})
