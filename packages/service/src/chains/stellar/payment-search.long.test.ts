import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Memo } from '@stellar/stellar-sdk'
import { openStellarWorld, pay, type StellarWorld, USDC } from '../../../test/stellar-world.ts'
import type { Payment } from '../../core/payment.ts'
import type { PaymentAbsence, PaymentChain } from '../payment-chain.ts'

/** Operations of a transaction, the most that the network takes. */
const OPERATIONS = 100
const FLOODS = 6
const MEMO = 'ab'.repeat(32)

let world: StellarWorld
let asked: string[] = []
let chain: PaymentChain

before(async () => {
  world = await openStellarWorld()
  const relay = await world.startRelay((method, result) => {
    asked.push(method)
    return result
  })
  chain = world.connect([relay])
})
after(() => world.close())

/** Strangers pay the recipient and the filler, and the filler pays others and the recipient, some hundred times each. */
const flood = async (): Promise<void> => {
  const [filler, recipient, stranger] = [world.user(0), world.user(1), world.user(2)]
  const payments = (to: string) => Array.from({ length: OPERATIONS }, () => pay(to, '0.0000001', USDC))
  for (let round = 0; round < FLOODS; round += 1) {
    await world.submit(stranger, payments(recipient.publicKey()))
    await world.submit(filler, payments(stranger.publicKey()))
    await world.closeLedger()
    await world.submit(stranger, payments(filler.publicKey()))
    await world.submit(filler, payments(recipient.publicKey()))
    await world.closeLedger()
  }
}

const absenceOf = (sinceSeconds: number, untilSeconds: number, about: string): PaymentAbsence => {
  const [from, to] = [world.user(0).publicKey(), world.user(1).publicKey()]
  return {
    about,
    from,
    to: { account: to, token: world.token('USDC') },
    memo: `0x${MEMO}`,
    sinceSeconds,
    untilSeconds,
    nowSeconds: world.now() / 1000,
    isSought: (payment: Payment) =>
      payment.memo === `0x${MEMO}` &&
      payment.from === from &&
      payment.to === to &&
      payment.amount === 50_000_000n,
  }
}

test('thousands of payments of strangers are not read to prove that an order was not filled', async () => {
  const since = world.now() / 1000
  await flood()
  const until = world.now() / 1000
  await world.closeLedger()
  asked = []
  assert.deepEqual(await chain.absenceStatements(absenceOf(since, until, 'not filled')), [
    { endpoint: 0, confirms: true },
  ])
  const pages = asked.filter((method) => method === 'getEvents').length
  // One more proves that the endpoint shows payments.
  assert.ok(pages <= Math.ceil((FLOODS * OPERATIONS) / 200) + 3, `${pages} pages`)
  // One asks for the range, one for the first ledger to search, and two prove network and endpoint; none for a memo.
  assert.ok(asked.filter((method) => method === 'getTransaction').length <= 4, asked.join())
})

test('a fill among thousands of payments is found by its memo', async () => {
  const since = world.now() / 1000
  await flood()
  await world.submit(world.user(0), [pay(world.user(1).publicKey(), '5', USDC)], Memo.hash(MEMO))
  await world.closeLedger()
  const until = world.now() / 1000
  await world.closeLedger()
  const filled = absenceOf(since, until, 'not filled again')
  assert.deepEqual(await chain.absenceStatements(filled), [{ endpoint: 0, confirms: false }])
  const other = { ...filled, about: 'other', memo: 'other', isSought: (one: Payment) => one.memo === 'other' }
  assert.deepEqual(await chain.absenceStatements(other), [{ endpoint: 0, confirms: true }])
})
