import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROGRAM, SPONSOR } from '@openrfq/sandbox/test/escrow-world.ts'
import { toHex } from 'viem'
import { findEscrowAddress } from '../src/solana/escrow-address.ts'
import { openEscrow, refundEscrow, releaseEscrow } from '../src/solana/escrow-instructions.ts'
import type { EscrowOrder } from '../src/solana/escrow-order.ts'
import { escrowOf, FILL, orderOf, signFill } from './escrow-order.ts'

const UNFIT: readonly Partial<EscrowOrder>[] = [
  { salt: toHex(1, { size: 31 }) },
  { recipient: '0x' },
  { filler: `0x${'zz'.repeat(32)}` },
  { outputAmount: 2n ** 256n },
  { inputAmount: 2n ** 64n },
  { inputAmount: -1n },
  { recipientTag: 2n ** 64n },
  { openDeadline: 2 ** 32 },
  { refundAfter: -1 },
  { attester: toHex(1, { size: 32 }) },
]

test('the clients refuse values that do not fit their fields', async () => {
  const { place, orderId } = await escrowOf('SOL')
  for (const terms of UNFIT) {
    const order = { ...place.order, ...terms }
    await assert.rejects(openEscrow({ ...place, order }, SPONSOR), RangeError, Object.keys(terms).join())
  }
  await assert.rejects(findEscrowAddress(PROGRAM, '0x12'), RangeError)
  const { signature } = await signFill(orderId)
  for (const attestation of [
    { transaction: FILL, signature: toHex(1, { size: 64 }) },
    { transaction: toHex(1, { size: 31 }), signature },
  ])
    await assert.rejects(releaseEscrow(place, attestation), RangeError)
})

test('the clients refuse a token order without its token program', async () => {
  const { orderId } = await escrowOf('SPL')
  const place = { program: PROGRAM, orderId, order: orderOf('SPL') }
  await assert.rejects(openEscrow(place, SPONSOR), RangeError)
  await assert.rejects(refundEscrow(place, SPONSOR), RangeError)
})

test('the recovery of a signature is 0 or 1, in both forms that wallets make', async () => {
  const { place, orderId } = await escrowOf('SOL')
  const { signature } = await signFill(orderId)
  const rest = signature.slice(0, -2)
  for (const [last, recovery] of [
    ['00', 0],
    ['01', 1],
    ['1b', 0],
    ['1c', 1],
  ] as const) {
    const { data } = await releaseEscrow(place, { transaction: FILL, signature: `0x${rest.slice(2)}${last}` })
    assert.deepEqual([...(data ?? [])].slice(104), [recovery, 0, 0, 0, 0, 0, 0, 0])
  }
})
