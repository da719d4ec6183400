import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { crashable, seeded, startLife } from '../../test/crashable.ts'
import { eventually } from '../../test/eventually.ts'
import { openOwnStore } from '../../test/outbox-world.ts'
import { createTestPaymentChain, testSecretOf } from '../../test/test-payment-chain.ts'
import type { PaymentChain } from '../chains/payment-chain.ts'
import type { Store } from '../store/store.ts'
import { createPayoutOutbox, type KeyedPayout } from './payout-outbox.ts'

const WALKS = Number(process.env['PAYOUT_WALKS'] ?? 1_000)
const START_SECONDS = 1_800_000_000
const log = (): void => {}

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

const memoOf = (key: string): string => `0x${createHash('sha256').update(key).digest('hex')}`

const payoutOf = (key: string, changes: Partial<KeyedPayout> = {}): KeyedPayout => ({
  key,
  recipient: 'recipient',
  token: 'token',
  amount: 2n ** 64n,
  memo: memoOf(key),
  notAfterSeconds: undefined,
  ...changes,
})

let paymentChains = 0
const open = (options: Partial<Parameters<typeof createTestPaymentChain>[0]> = {}) => {
  paymentChains += 1
  const paymentChain = createTestPaymentChain({ chainId: `solana:${paymentChains}`, ...options })
  const clock = (): number => (paymentChain.chain.head()?.timestampSeconds ?? START_SECONDS) * 1000
  const outboxOver = (chain: PaymentChain, store: Store = files.store()) =>
    createPayoutOutbox({
      store,
      chain,
      secret: testSecretOf('vault'),
      now: clock,
      log,
      timing: { roundMs: 5, rebroadcastMs: 1_000 },
    })
  return { paymentChain, outboxOver, outbox: outboxOver(paymentChain.chain) }
}

const outcomeOf = async (key: string) => (await files.store().findPayout(key))?.outcome

const memosOn = (paymentChain: ReturnType<typeof createTestPaymentChain>): readonly string[] =>
  paymentChain.landed().map(({ memo }) => memo ?? '')

test('a payment that is submitted many times at once is made once', async () => {
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

test('a payment that a fork drops is sent again and is open until it is final', async () => {
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
  const entry = await files.store().findPayout('dropped')
  assert.deepEqual([entry?.outcome, entry?.txHash], ['succeeded', txHash])
  assert.deepEqual(memosOn(paymentChain), [memoOf('dropped')])
})

test('a payout that expired unsent is signed again after a restart, and stored before it is sent', async () => {
  const { paymentChain, outboxOver } = open()
  const silent = outboxOver({ ...paymentChain.chain, broadcast: () => Promise.reject(new Error('killed')) })
  const signed = await silent.submit(payoutOf('expired'))
  await silent.stop()
  paymentChain.advance(20)
  await files.reopen()
  const kept: (string | undefined)[] = []
  const watched: PaymentChain = {
    ...paymentChain.chain,
    broadcast: async (raw) => {
      kept.push((await files.store().findPayout('expired'))?.rawTransaction)
      assert.equal(kept.at(-1), raw)
      await paymentChain.chain.broadcast(raw)
    },
  }
  const outbox = outboxOver(watched)
  for (let block = 0; block < 20 && (await outcomeOf('expired')) === 'open'; block += 1) {
    await outbox.round()
    paymentChain.advance()
  }
  const entry = await files.store().findPayout('expired')
  assert.deepEqual([entry?.outcome, entry?.earlierTxHashes], ['succeeded', [signed.txHash]])
  assert.ok(kept.length > 0)
  assert.deepEqual(memosOn(paymentChain), [memoOf('expired')])
})

test('a payment whose time has passed is given up only when it can never land', async () => {
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

test('a payout that another process signed again is not given up for its older signature', async () => {
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
  const entry = await files.store().findPayout('raced')
  assert.deepEqual([entry?.outcome, entry?.earlierTxHashes.length], ['open', 1])
})

test('an unreadable payment chain decides nothing', async () => {
  const { paymentChain, outbox } = open()
  const { txHash } = await outbox.submit(payoutOf('unread'))
  paymentChain.setReadable(false)
  await outbox.round()
  await assert.rejects(outbox.submit(payoutOf('unsigned')))
  assert.equal(await outcomeOf('unsigned'), undefined)
  assert.equal((await files.store().findPayout('unread'))?.txHash, txHash)
  assert.equal(await outcomeOf('unread'), 'open')
})

test('a started outbox tends by itself, and stops', async () => {
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

const IMMEDIATE = ['head', 'accountOf']
const KEYS = 2

/** Some lives that each end at a random wait, then one that is not ended. */
const walk = async (seed: number): Promise<void> => {
  const random = seeded(seed)
  const { paymentChain, outboxOver } = open({ random, maximumPayouts: 1 + Math.floor(random() * 3) })
  const store = files.store()
  const keys = Array.from({ length: KEYS }, (_, index) => `walk ${seed} ${index}`)
  const live = async (outbox: ReturnType<typeof outboxOver>, rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      for (const key of keys) await outbox.submit(payoutOf(key)).catch(() => undefined)
      paymentChain.advance(1 + Math.floor(random() * 3))
      if (random() < 0.2) paymentChain.fork()
      await outbox.round()
      const outcomes = await Promise.all(keys.map(outcomeOf))
      if (outcomes.every((outcome) => outcome !== undefined && outcome !== 'open')) return
    }
  }
  for (let lives = 0; lives < 3; lives += 1) {
    const life = startLife(1 + Math.floor(random() * 12))
    const outbox = outboxOver(
      crashable(paymentChain.chain, life, random, IMMEDIATE),
      crashable(store, life, random),
    )
    await Promise.race([live(outbox, 6), life.over])
    life.left = 0
    paymentChain.advance(Math.floor(random() * 4))
  }
  await live(outboxOver(paymentChain.chain), 200)
  for (const key of keys) {
    const count = memosOn(paymentChain).filter((memo) => memo === memoOf(key)).length
    const outcome = await outcomeOf(key)
    assert.equal(
      count,
      outcome === 'succeeded' ? 1 : 0,
      `seed ${seed}: ${key} ${outcome} landed ${count} times`,
    )
    assert.notEqual(outcome, 'open')
  }
}

test(`${WALKS} walks with forks, losses and kills at any wait pay nothing twice`, async (context) => {
  const startedAt = performance.now()
  const side = 500
  for (let first = 0; first < WALKS; first += side)
    await Promise.all(
      Array.from({ length: Math.min(side, WALKS - first) }, (_, index) => walk(first + index)),
    )
  context.diagnostic(`${Math.round(performance.now() - startedAt)} ms`)
})
