import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strKeyText } from '../../chains/stellar/str-key.ts'
import { baseUnits } from '../../core/amount.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import { createAttestationQueue } from './attestation-queue.ts'
import type { OpenedOrder } from './fill-check.ts'
import type { PendingPayment } from './payment-watch.ts'
import type { Progress } from './releaser.ts'

const account = (seed: number): string => strKeyText('G', new Uint8Array(32).fill(seed))
const EVM = '0x00000000000000000000000000000000000000E1'
const orderIdAt = (index: number): string => `0x${index.toString(16).padStart(64, '0')}`
const PAID_AT = 1_000

const ORDER: IntentOrder = {
  depositor: EVM,
  salt: `0x${'5a'.repeat(32)}`,
  originChain: 'eip155:31337',
  originSettler: EVM,
  destinationChain: 'stellar:sandbox',
  destinationSettler: account(1),
  openDeadline: PAID_AT,
  fillDeadline: PAID_AT,
  refundAfter: PAID_AT + 600,
  inputToken: EVM,
  inputAmount: baseUnits(1_000n),
  outputToken: strKeyText('C', new Uint8Array(32).fill(2)),
  outputAmount: baseUnits(500n),
  recipient: account(3),
  solver: EVM,
  filler: account(4),
  attester: EVM,
}

const paymentOf = (index: number, change: Partial<Payment>): PendingPayment => ({
  orderId: orderIdAt(index),
  payment: {
    chainId: ORDER.destinationChain,
    txHash: index.toString(16).padStart(64, '0'),
    position: 0,
    blockNumber: 5n,
    timestampSeconds: PAID_AT,
    from: ORDER.filler,
    to: ORDER.recipient,
    muxedId: undefined,
    token: ORDER.outputToken,
    amount: ORDER.outputAmount,
    memo: orderIdAt(index),
    ...change,
  },
})

type Case = {
  readonly order: 'open' | 'closed' | 'unknown' | 'unreadable'
  readonly change?: Partial<Payment>
  readonly releases?: Progress
}

/** The payments released and settled after one round over all cases. */
const roundOver = async (cases: readonly Case[], readUpTo: number | undefined) => {
  let pending = cases.map(({ change = {} }, index) => paymentOf(index, change))
  const released: string[] = []
  const settled: string[] = []
  const queue = createAttestationQueue({
    orders: {
      readUpToSeconds: () => readUpTo,
      find: async (orderId): Promise<OpenedOrder | undefined> => {
        const { order } = cases[Number(orderId)] ?? { order: 'unknown' }
        if (order === 'unreadable') throw new Error('no database')
        return order === 'unknown' ? undefined : { orderId, order: ORDER, isOpen: order === 'open' }
      },
    },
    watches: [
      {
        pending: () => pending,
        settle: ({ orderId }) => {
          settled.push(orderId)
          pending = pending.filter((other) => other.orderId !== orderId)
        },
      },
    ],
    release: async ({ orderId }) => {
      released.push(orderId)
      return cases[Number(orderId)]?.releases ?? 'waiting'
    },
    now: () => 0,
    log: () => undefined,
  })
  await queue.round()
  await queue.round()
  return { released: released.map(Number), settled: settled.map(Number).sort((one, other) => one - other) }
}

test('only a payment that fills an open order is released, and an error with one does not delay others', async () => {
  const cases: readonly Case[] = [
    { order: 'unreadable' },
    { order: 'open' },
    { order: 'open', releases: 'settled' },
    { order: 'closed' },
    { order: 'open', change: { amount: 499n } },
    { order: 'open', change: { timestampSeconds: PAID_AT + 1 } },
    { order: 'open', change: { memo: orderIdAt(1) } },
    { order: 'unknown' },
  ]
  const { released, settled } = await roundOver(cases, PAID_AT + 60)
  assert.deepEqual(released, [1, 2], 'a payment was processed before its next turn')
  assert.deepEqual(settled, [2, 3, 4, 5, 6])
})

test('drops a payment without an order once every chain has been read an hour past it', async () => {
  for (const [readUpTo, expected] of [
    [undefined, []],
    [PAID_AT + 3_599, []],
    [PAID_AT + 3_600, [0]],
  ] as const)
    assert.deepEqual((await roundOver([{ order: 'unknown' }], readUpTo)).settled, expected)
})
