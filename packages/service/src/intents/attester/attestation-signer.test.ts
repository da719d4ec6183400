import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDigestOf } from '@openrfq/sandbox/test/attested-order.ts'
import { getBase58Decoder } from '@solana/kit'
import fc from 'fast-check'
import { type Hex, keccak256, pad, recoverAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createTestPaymentChain, type TestPayment } from '../../../test/test-payment-chain.ts'
import { muxedAddress } from '../../chains/stellar/muxed-account.ts'
import { strKeyText } from '../../chains/stellar/str-key.ts'
import { baseUnits } from '../../core/amount.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import { orderIdOf } from '../settlers/settler-contract.ts'
import { createAttestationSigner, transactionWord } from './attestation-signer.ts'
import type { OpenedOrder } from './fill-check.ts'

const KEY: Hex = `0x${'a7'.repeat(32)}`
const ATTESTER = privateKeyToAccount(KEY).address
const SETTLER = '0x00000000000000000000000000000000000000e1'
const STELLAR = 'stellar:sandbox'
const START = 1_800_000_000

const account = (seed: number): string => strKeyText('G', new Uint8Array(32).fill(seed))
const token = (seed: number): string => strKeyText('C', new Uint8Array(32).fill(seed))

const ORDER: IntentOrder = {
  depositor: '0x00000000000000000000000000000000000000D1',
  salt: `0x${'5a'.repeat(32)}`,
  originChain: 'eip155:31337',
  originSettler: '0x00000000000000000000000000000000000000E1',
  destinationChain: STELLAR,
  destinationSettler: account(1),
  openDeadline: START,
  fillDeadline: START + 3,
  refundAfter: START + 600,
  inputToken: '0x0000000000000000000000000000000000000000',
  inputAmount: baseUnits(1_000n),
  outputToken: token(2),
  outputAmount: baseUnits(500n),
  recipient: muxedAddress(account(3), 7n),
  solver: '0x00000000000000000000000000000000000000F1',
  filler: account(4),
  attester: ATTESTER,
}

const known = (order: IntentOrder, isOpen = true): OpenedOrder => ({
  orderId: orderIdOf(order),
  order,
  isOpen,
})

const fillOf = (order: IntentOrder): TestPayment => ({
  from: order.filler,
  to: account(3),
  muxedId: 7n,
  token: order.outputToken,
  amount: order.outputAmount,
  memo: orderIdOf(order),
})

type Scene = {
  readonly known?: OpenedOrder
  readonly payment?: Partial<TestPayment>
  readonly paidAt?: number
}

/** The attester's signature for a final payment, made some seconds after the start. */
const attested = async ({ paidAt = 2, ...scene }: Scene) => {
  const paymentChain = createTestPaymentChain({ chainId: STELLAR, chainType: 'stellar', startSeconds: START })
  paymentChain.advance(paidAt - 1)
  const payment = { ...fillOf(ORDER), ...scene.payment }
  paymentChain.pay(payment)
  paymentChain.advance(2)
  const [seen] = (await paymentChain.chain.readPayments([payment.from], 0n)).final
  assert.ok(seen !== undefined)
  return createAttestationSigner(KEY)(scene.known ?? known(ORDER), seen)
}

const signerOf = (signature: string, transaction: string): Promise<string> => {
  const fill = {
    orderId: hex(orderIdOf(ORDER)),
    repayTo: pad(hex(ORDER.solver)),
    transaction: hex(transaction),
  }
  const digest = fillDigestOf(31_337, SETTLER, fill)
  return recoverAddress({ hash: digest, signature: hex(signature) })
}

// CAST: every text here begins with 0x.
const hex = (text: string): Hex => text as Hex

test('attests an exact payment for its order and transaction', async () => {
  for (const scene of [{}, { paidAt: 3 }]) {
    const attestation = await attested(scene)
    assert.ok(attestation !== undefined)
    assert.equal(await signerOf(attestation.signature, attestation.transaction), ATTESTER)
  }
})

const foreign = { ...ORDER, attester: '0x00000000000000000000000000000000000000A1' }
const elsewhere = { ...ORDER, destinationChain: 'stellar:pubnet' }
const REFUSED: readonly (readonly [string, Scene])[] = [
  ['paid after the fill deadline', { paidAt: 4 }],
  ['one unit short', { payment: { amount: 499n } }],
  ['one unit over', { payment: { amount: 501n } }],
  ['with the memo of another order', { payment: { memo: `0x${'11'.repeat(32)}` } }],
  ['without a memo', { payment: { memo: undefined } }],
  ['in another token', { payment: { token: token(9) } }],
  ['to another recipient', { payment: { to: account(9) } }],
  ['to another muxed id', { payment: { muxedId: 8n } }],
  ['to no muxed id', { payment: { muxedId: undefined } }],
  ['by another payer', { payment: { from: account(9) } }],
  ['on another chain', { known: known(elsewhere), payment: { memo: orderIdOf(elsewhere) } }],
  ['for an order that is not open in a final block', { known: known(ORDER, false) }],
  ['for an order of another attester', { known: known(foreign), payment: { memo: orderIdOf(foreign) } }],
  ['for an order without an attester', { known: { ...known(ORDER), order: withoutAttester() } }],
  [
    'for an order with the id of another',
    { known: { ...known(ORDER), order: { ...ORDER, inputAmount: baseUnits(9n) } } },
  ],
]

function withoutAttester(): IntentOrder {
  const { attester: _, ...order } = ORDER
  return { ...order }
}

for (const [what, scene] of REFUSED)
  test(`does not attest a payment ${what}`, async () => {
    assert.equal(await attested(scene), undefined)
  })

const change = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Partial<TestPayment>>({}) },
  fc.constantFrom<Partial<TestPayment>>(
    { amount: 499n },
    { memo: undefined },
    { token: token(9) },
    { to: account(9) },
    { muxedId: undefined },
    { from: account(9) },
  ),
)

test('signs exactly for a matching final payment of an open order', async () => {
  const facts = fc.record({ payment: change, isOpen: fc.boolean(), paidAt: fc.integer({ min: 1, max: 5 }) })
  await fc.assert(
    fc.asyncProperty(facts, async ({ payment, paidAt, isOpen }) => {
      const attestation = await attested({ payment, paidAt, known: known(ORDER, isOpen) })
      const isExact = Object.keys(payment).length === 0 && paidAt <= 3
      assert.equal(attestation !== undefined, isOpen && isExact)
    }),
    { numRuns: 300 },
  )
})

test("identifies a transaction by its hash on EVM chains and Stellar, and by its signature's hash on Solana", () => {
  const [stellar, solana] = ['stellar:pubnet', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp']
  assert.equal(transactionWord({ chainId: stellar, txHash: 'ab'.repeat(32) }), `0x${'ab'.repeat(32)}`)
  const evmHash = `0x${'ab'.repeat(32)}`
  assert.equal(transactionWord({ chainId: 'eip155:1', txHash: evmHash }), evmHash)
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (signature) => {
      const txHash = getBase58Decoder().decode(signature)
      assert.equal(transactionWord({ chainId: solana, txHash }), keccak256(signature))
    }),
  )
  for (const wrong of [
    { chainId: solana, txHash: 'ab'.repeat(32) },
    { chainId: stellar, txHash: '1'.repeat(88) },
    { chainId: stellar, txHash: 'abc' },
    { chainId: 'eip155:1', txHash: 'ab'.repeat(32) },
  ])
    assert.throws(() => transactionWord(wrong), RangeError)
})
