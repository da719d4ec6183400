import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { memoOf, memosOn, openPayoutWorld, payoutOf, START_SECONDS } from '../../test/payout-world.ts'
import type { PaymentChain } from '../chains/payment-chain.ts'
import type { Renewal } from './payout-monitor.ts'

let world: Awaited<ReturnType<typeof openPayoutWorld>>
before(async () => {
  world = await openPayoutWorld()
})
after(() => world.files.remove())

const open: typeof world.open = (options) => world.open(options)
const outcomeOf = (key: string) => world.outcomeOf(key)

test('makes a payment once that is submitted many times at once', async () => {
  const { paymentChain, outbox } = open()
  const payout = payoutOf('often')
  const entries = await Promise.all(Array.from({ length: 20 }, () => outbox.submit(payout)))
  assert.equal(new Set(entries.map(({ txHash }) => txHash)).size, 1)
  for (let block = 0; block < 20 && (await outcomeOf('often')) === 'open'; block += 1) {
    paymentChain.advance()
    await outbox.round()
  }
  assert.equal(await outcomeOf('often'), 'succeeded')
  assert.equal((await outbox.submit(payout)).outcome, 'succeeded')
  assert.deepEqual(
    paymentChain.landed().map(({ from, to, token, amount, memo }) => [from, to, token, amount, memo]),
    [['vault', 'recipient', 'token', 2n ** 64n, payout.memo]],
  )
})

test('never has more payouts in flight than the chain allows', async () => {
  const { paymentChain, outbox } = open({ maximumPayouts: 1 })
  await outbox.submit(payoutOf('only'))
  await assert.rejects(outbox.submit(payoutOf('too many')), /1 payouts of vault are open/)
  assert.equal(await outcomeOf('too many'), undefined)
  for (let block = 0; block < 20 && (await outcomeOf('only')) === 'open'; block += 1) {
    paymentChain.advance()
    await outbox.round()
  }
  assert.equal((await outbox.submit(payoutOf('too many'))).outcome, 'open')
})

test('sends a payment again that a fork dropped, and keeps it open until it is final', async () => {
  const { paymentChain, outbox } = open({ finality: 4, lifeBlocks: 40 })
  const { txHash } = await outbox.submit(payoutOf('dropped'))
  paymentChain.advance(3)
  await outbox.round()
  assert.deepEqual([memosOn(paymentChain).length, await outcomeOf('dropped')], [1, 'open'])
  paymentChain.fork()
  assert.equal(memosOn(paymentChain).length, 0)
  await outbox.round()
  for (let block = 0; block < 30 && (await outcomeOf('dropped')) === 'open'; block += 1) {
    paymentChain.advance()
    await outbox.round()
  }
  const entry = await world.files.store().findPayout('dropped')
  assert.deepEqual([entry?.outcome, entry?.txHash], ['succeeded', txHash])
  assert.deepEqual(memosOn(paymentChain), [memoOf('dropped')])
})

test('signs an unsent expired payout again after a restart, and stores it before sending', async () => {
  const { paymentChain, outboxOver } = open()
  const silent = outboxOver({ ...paymentChain.chain, broadcast: () => Promise.reject(new Error('killed')) })
  const signed = await silent.submit(payoutOf('expired'))
  await silent.stop()
  paymentChain.advance(20)
  await world.files.reopen()
  const kept: (string | undefined)[] = []
  const watched: PaymentChain = {
    ...paymentChain.chain,
    broadcast: async (raw) => {
      kept.push((await world.files.store().findPayout('expired'))?.rawTransaction)
      assert.equal(kept.at(-1), raw)
      await paymentChain.chain.broadcast(raw)
    },
  }
  const outbox = outboxOver(watched)
  for (let block = 0; block < 20 && (await outcomeOf('expired')) === 'open'; block += 1) {
    await outbox.round()
    paymentChain.advance()
  }
  const entry = await world.files.store().findPayout('expired')
  assert.deepEqual([entry?.outcome, entry?.earlierTxHashes], ['succeeded', [signed.txHash]])
  assert.ok(kept.length > 0)
  assert.deepEqual(memosOn(paymentChain), [memoOf('expired')])
})

test('signs an expired payout again only while that is allowed, and gives it up past its deadline', async () => {
  const { paymentChain, outboxOver } = open()
  const silent = { ...paymentChain.chain, broadcast: () => Promise.reject(new Error('silent')) }
  let renewal: Renewal = 'wait'
  const outbox = outboxOver(silent, world.files.store(), async () => renewal)
  const { txHash } = await outbox.submit(payoutOf('forbidden', { notAfterSeconds: START_SECONDS + 60 }))
  const entry = () => world.files.store().findPayout('forbidden')
  paymentChain.advance(20)
  await outbox.round()
  assert.deepEqual([(await entry())?.txHash, (await entry())?.outcome], [txHash, 'open'])
  renewal = 'sign'
  await outbox.round()
  assert.deepEqual((await entry())?.earlierTxHashes, [txHash])
  renewal = 'wait'
  paymentChain.advance(60)
  await outbox.round()
  assert.equal((await entry())?.outcome, 'expired')
})

test('drops an unwanted payment only when it can never land, and makes room for others', async () => {
  const { paymentChain, outboxOver } = open({ maximumPayouts: 1 })
  const silent = { ...paymentChain.chain, broadcast: () => Promise.reject(new Error('silent')) }
  const outbox = outboxOver(silent, world.files.store(), async () => 'drop')
  await outbox.submit(payoutOf('unwanted'))
  await outbox.round()
  assert.equal(await outcomeOf('unwanted'), 'open')
  await assert.rejects(outbox.submit(payoutOf('next')), /1 payouts of vault are open/)
  paymentChain.advance(20)
  await outbox.round()
  assert.equal(await outcomeOf('unwanted'), 'expired')
  assert.equal((await outbox.submit(payoutOf('next'))).outcome, 'open')
})

test('gives up a payment past its deadline only when it can never land', async () => {
  const { paymentChain, outboxOver } = open()
  const outbox = outboxOver({ ...paymentChain.chain, broadcast: () => Promise.reject(new Error('silent')) })
  await outbox.submit(payoutOf('late', { notAfterSeconds: START_SECONDS + 4 }))
  paymentChain.advance(5)
  await outbox.round()
  assert.equal(await outcomeOf('late'), 'open')
  paymentChain.advance(1)
  await outbox.round()
  assert.equal(await outcomeOf('late'), 'expired')
  assert.equal((await outbox.submit(payoutOf('late'))).outcome, 'expired')
})

test('does not give up a payout for an older signature when another process signed again', async () => {
  const { paymentChain, outboxOver } = open()
  const silent = { ...paymentChain.chain, broadcast: () => Promise.reject(new Error('silent')) }
  await outboxOver(silent).submit(payoutOf('raced', { notAfterSeconds: START_SECONDS + 40 }))
  paymentChain.advance(20)
  const late: PaymentChain['outcome'] = async (signed) => {
    const outcome = await paymentChain.chain.outcome(signed)
    await outboxOver(silent).round()
    paymentChain.advance(30)
    return outcome
  }
  await outboxOver({ ...silent, outcome: late }).round()
  const entry = await world.files.store().findPayout('raced')
  assert.deepEqual([entry?.outcome, entry?.earlierTxHashes.length], ['open', 1])
})

test('an unreadable payment chain decides nothing', async () => {
  const { paymentChain, outbox } = open()
  const { txHash } = await outbox.submit(payoutOf('unread'))
  paymentChain.setReadable(false)
  await outbox.round()
  await assert.rejects(outbox.submit(payoutOf('unsigned')))
  assert.equal(await outcomeOf('unsigned'), undefined)
  assert.equal((await world.files.store().findPayout('unread'))?.txHash, txHash)
  assert.equal(await outcomeOf('unread'), 'open')
})

test('a started outbox runs by itself, and stops', async () => {
  const { paymentChain, outbox } = open()
  outbox.start()
  outbox.start()
  await outbox.submit(payoutOf('by itself'))
  await eventually('the end of the payout', async () => {
    paymentChain.advance()
    return (await outcomeOf('by itself')) !== 'open'
  })
  await outbox.stop()
  assert.equal(await outcomeOf('by itself'), 'succeeded')
})
