import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeBase58 } from './base58.ts'
import { paymentsOfTransaction } from './payments-of-transaction.ts'
import { PROGRAMS } from './programs.ts'

const key = (fill: number): string => encodeBase58(new Uint8Array(32).fill(fill))
const [PAYER, VAULT, PROGRAM] = [key(1), key(2), key(3)]
/** Lamports moved by the transaction. */
const AMOUNT = 7n
/** Data of 10,240 bytes, the most that one program may pass to another. */
const LONGEST_CALL = 'z'.repeat(13_983)

type Called = { programIdIndex: number; accounts: number[]; data: string }

/** The system program's transfer from payer to vault, called as the fourth account of a transaction. */
const transferred = (): Called => {
  const transfer = Buffer.alloc(12)
  transfer.writeUInt32LE(2, 0)
  transfer.writeBigUInt64LE(AMOUNT, 4)
  return { programIdIndex: 3, accounts: [0, 1], data: encodeBase58(transfer) }
}

/** The vault's payments in a transaction that moves the amount; `program` is its fifth account, and one instruction calls others. */
const paymentsIn = (
  program: string,
  instructions: Called[],
  inner: { index: number; instructions: Called[] },
) =>
  paymentsOfTransaction(
    {
      slot: 5n,
      blockTime: 100,
      transaction: {
        signatures: ['signature'],
        message: { accountKeys: [PAYER, VAULT, PROGRAM, PROGRAMS.system, program], instructions },
      },
      meta: {
        err: null,
        fee: 0n,
        preBalances: [10n, 0n, 0n, 0n, 0n],
        postBalances: [10n - AMOUNT, AMOUNT, 0n, 0n, 0n],
        preTokenBalances: [],
        postTokenBalances: [],
        loadedAddresses: { writable: [], readonly: [] },
        innerInstructions: [inner],
      },
    },
    'solana:test',
    new Set([VAULT]),
  )

/** A transaction that pays the vault, and in which `PROGRAM` calls another program with some data. */
const paymentsBeside = (program: string, data: string) =>
  paymentsIn(program, [transferred(), { programIdIndex: 2, accounts: [1], data: '' }], {
    index: 1,
    instructions: [{ programIdIndex: 4, accounts: [1], data }],
  })

for (const [name, program] of Object.entries({ ...PROGRAMS, unknown: key(9) }))
  test(`reads the payments beside the longest call of the program ${name}`, () => {
    const [payment, ...others] = paymentsBeside(program, LONGEST_CALL)
    assert.equal(payment?.amount, AMOUNT)
    assert.equal(payment?.from, PAYER)
    assert.deepEqual(others, [])
  })

for (const name of ['memo', 'memoV1', 'memoV4'] as const)
  test(`reads the text of the program ${name} as the payment's memo`, () => {
    const [payment] = paymentsBeside(PROGRAMS[name], encodeBase58(Buffer.from('order 7')))
    assert.equal(payment?.memo, 'order 7')
  })

test('ignores what a program was told that moves no money', () => {
  assert.equal(paymentsBeside(key(9), 'not base58 0OIl')[0]?.amount, AMOUNT)
})

test('refuses a transfer that cannot be decoded', () => {
  assert.throws(() => paymentsBeside(PROGRAMS.system, '0OIl'), { code: 'MALFORMED' })
})

test('a payment made by a program has no memo, even if the transaction has one', () => {
  const noted = { programIdIndex: 4, accounts: [], data: encodeBase58(Buffer.from('order 7')) }
  const [payment] = paymentsIn(PROGRAMS.memo, [{ programIdIndex: 2, accounts: [0, 1, 3], data: '' }, noted], {
    index: 0,
    instructions: [transferred()],
  })
  assert.deepEqual([payment?.from, payment?.amount, payment?.memo], [PAYER, AMOUNT, undefined])
})
