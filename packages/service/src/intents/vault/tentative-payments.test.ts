import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { TERMS, testUnmatchedTermsOf } from '../../../test/test-deposits.ts'
import { createTestVault } from '../../../test/test-vault.ts'
import type { PaymentChain, PaymentsRead } from '../../chains/payment-chain.ts'
import { createPaymentIndex } from './payment-index.ts'

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

/** An index of a vault whose chain is read from an endpoint that the test changes, at the time of the test. */
const openIndex = async () => {
  const world = createTestVault(files.store())
  const { origin, quote, deposit } = world
  origin.advance(20)
  let endpoint = (read: PaymentsRead): PaymentsRead => read
  let passedMs = 0
  const chain: PaymentChain = {
    ...origin.chain,
    readPayments: async (accounts, from) => endpoint(await origin.chain.readPayments(accounts, from)),
  }
  const { signingMarks } = chain
  assert.ok(signingMarks)
  const index = createPaymentIndex({
    vaults: [
      {
        chain,
        signingMarks,
        vault: 'vault',
        treasury: [],
        readAfter: undefined,
        tokens: ['token'],
        dustOf: TERMS.dustOf,
        unmatchedTermsOf: testUnmatchedTermsOf,
        dailyLimitOf: () => undefined,
      },
    ],
    paymentChains: new Map([[chain.chainId, chain]]),
    terms: { depositGraceSeconds: 5 },
    store: files.store(),
    now: () => world.now() + passedMs,
    log: () => undefined,
  })
  await index.round()
  const { orderId, order, muxedId } = await quote()
  return {
    ...{ origin, index, chain },
    pay: () => origin.pay(deposit({ muxedId })),
    /** What the order's deposits add up to, with those that are not final. */
    seen: async () => {
      await index.round()
      return (await index.lastKnown(orderId, order)).deposits?.seen.credited
    },
    read: (change: (read: PaymentsRead) => PaymentsRead) => {
      endpoint = change
    },
    pass: (ms: number) => {
      passedMs += ms
    },
  }
}

const behind = (read: PaymentsRead): PaymentsRead => ({ ...read, tentative: [] })

test('a deposit that one endpoint has shown stays while an endpoint that is behind is read', async () => {
  const { origin, pay, seen, read } = await openIndex()
  pay()
  assert.equal(await seen(), 1_000n)
  read(behind)
  assert.equal(await seen(), 1_000n)
  origin.advance()
  assert.equal(await seen(), 1_000n)
  read((told) => told)
  origin.advance(3)
  assert.equal(await seen(), 1_000n)
})

test('a deposit that a fork drops is gone once final blocks have passed its place', async () => {
  const { origin, pay, seen, read } = await openIndex()
  pay()
  assert.equal(await seen(), 1_000n)
  read(behind)
  origin.fork()
  origin.advance()
  assert.equal(await seen(), 1_000n)
  origin.advance(3)
  assert.equal(await seen(), 0n)
})

test('a deposit that one endpoint makes up in a block far ahead is forgotten after half a minute', async () => {
  const { origin, seen, read, pass, pay } = await openIndex()
  pay()
  read((told) => ({
    ...told,
    tentative: told.tentative.map((payment) => ({ ...payment, blockNumber: 2n ** 60n })),
  }))
  assert.equal(await seen(), 1_000n)
  read(behind)
  origin.fork()
  pass(25_000)
  assert.equal(await seen(), 1_000n)
  pass(10_000)
  assert.equal(await seen(), 0n)
})

test('a deposit that lands again after a fork counts once', async () => {
  const { pay, seen, read } = await openIndex()
  pay()
  assert.equal(await seen(), 1_000n)
  read((told) => ({
    ...told,
    tentative: told.tentative.map((payment) => ({ ...payment, blockNumber: payment.blockNumber + 1n })),
  }))
  assert.equal(await seen(), 1_000n)
})
