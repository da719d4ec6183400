import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Memo } from '@stellar/stellar-sdk'
import { openStellarWorld, pay, type Rewrite, type StellarWorld } from '../../test/stellar-world.ts'
import type { PaymentChain, PaymentsRead } from './payment-chain.ts'

let world: StellarWorld

before(async () => {
  world = await openStellarWorld()
  const other = await world.build(
    world.user(2),
    [pay(world.user(3).publicKey(), '1')],
    Memo.text('of another order'),
  )
  otherEnvelopeXdr = other.toEnvelope().toXdr('base64')
})
after(() => world.close())

type LooseEvent = { readonly txHash: string; readonly id: string; readonly ledger: number }
// CAST: the results of getEvents, which the node under test has just made.
const eventsOf = (result: Readonly<Record<string, unknown>>) =>
  (result['events'] ?? []) as readonly LooseEvent[]

/** The last payment's transaction as in the ledger; the lying endpoint shows it for invented hashes. */
let envelopeXdr: string | undefined
/** A transaction with a memo, which a lying endpoint shows for others. */
let otherEnvelopeXdr: string | undefined

const forged = (event: LooseEvent): LooseEvent => ({
  ...event,
  txHash: event.txHash.replace(/^..../, 'dead'),
})

/** A transaction of the right hash whose operations did nothing. */
const withoutEvents: (result: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> = (
  result,
) =>
  'events' in result ? { ...result, events: { contractEventsXdr: [], transactionEventsXdr: [] } } : result

/** Lies of one endpoint about the ledger; the others are honest. */
const LIES: Readonly<Record<string, Rewrite>> = {
  'repeats each payment under another transaction': (method, result) =>
    method === 'getEvents'
      ? { ...result, events: eventsOf(result).flatMap((event) => [event, forged(event)]) }
      : { ...result, ...(method === 'getTransaction' ? { envelopeXdr } : {}) },
  'reports payments of another transaction': (method, result) =>
    method === 'getEvents'
      ? { ...result, events: eventsOf(result).map(forged) }
      : { ...result, ...(method === 'getTransaction' ? { envelopeXdr } : {}) },
  'tells another memo of the transaction': (method, result) =>
    method === 'getTransaction' && 'envelopeXdr' in result
      ? { ...result, envelopeXdr: otherEnvelopeXdr }
      : result,
  'leaves payments out': (method, result) => {
    if (method === 'getEvents') return { ...result, events: [] }
    return method === 'getTransaction' ? withoutEvents(result) : result
  },
  'tells a later time': (method, result) => ({
    ...result,
    ...('latestLedgerCloseTime' in result
      ? { latestLedgerCloseTime: String(Number(result['latestLedgerCloseTime']) + 300) }
      : {}),
    ...(method === 'getEvents'
      ? {
          events: eventsOf(result).map((event) => ({ ...event, ledgerClosedAt: '2030-01-01T00:00:00Z' })),
        }
      : {}),
  }),
  'claims to be far ahead': (_method, result) => ({
    ...result,
    ...('latestLedger' in result ? { latestLedger: Number(result['latestLedger']) + 1_000 } : {}),
  }),
  'stays behind': (_method, result) => ({
    ...result,
    ...('latestLedger' in result ? { latestLedger: Number(result['latestLedger']) - 2 } : {}),
  }),
  'breaks off': () => undefined,
}

const connect = async (...rewrites: readonly (Rewrite | undefined)[]): Promise<PaymentChain> =>
  world.connect(
    await Promise.all(rewrites.map((rewrite) => world.startRelay(rewrite ?? ((_method, result) => result)))),
  )

/** Reads like the service: from the last agreed block on, until `upTo` is agreed. */
const follow = async (
  chain: PaymentChain,
  account: string,
  start: bigint,
  upTo: bigint,
): Promise<Pick<PaymentsRead, 'final' | 'upToTimestampSeconds'>> => {
  const final: PaymentsRead['final'][number][] = []
  let cursor = start
  for (let round = 0; round < 20; round += 1) {
    const read = await chain.readPayments([account], cursor)
    final.push(...read.final)
    cursor = read.upTo
    if (cursor >= upTo) return { final, upToTimestampSeconds: read.upToTimestampSeconds }
    world.passSeconds(6)
  }
  assert.fail(`agreed on ledger ${cursor}, expected ${upTo}`)
}

/** Pays 1 to the vault, and closes an empty ledger. */
const payVault = async () => {
  // The head is too old for a moment after time has passed.
  await world.until(() => world.chain.head() !== undefined)
  const start = world.height()
  const hash = await world.submit(world.user(0), [pay(world.user(1).publicKey(), '1')])
  await world.closeLedger()
  const paidAt = world.now() / 1000
  await world.closeLedger()
  const found = await world.server.getTransaction(hash)
  envelopeXdr = found.status === 'SUCCESS' ? found.envelopeXdr.toXdr('base64') : undefined
  return { start, upTo: start + 2n, hash, paidAt, vault: world.user(1).publicKey() }
}

for (const [lie, rewrite] of Object.entries(LIES))
  for (const place of [0, 1, 2])
    test(`one endpoint of three that ${lie} changes nothing, at position ${place}`, async () => {
      const { start, upTo, hash, paidAt, vault } = await payVault()
      const chain = await connect(...[0, 1, 2].map((position) => (position === place ? rewrite : undefined)))
      const { final, upToTimestampSeconds } = await follow(chain, vault, start, upTo)
      assert.deepEqual(
        final.map(({ txHash, timestampSeconds, memo }) => [txHash, timestampSeconds, memo]),
        [[hash, paidAt, undefined]],
      )
      assert.equal(upToTimestampSeconds, paidAt + 1)
      await chain.stop()
    })

test('a payment that only one endpoint reports is tentative', async () => {
  const { start, hash, vault } = await payVault()
  const chain = await connect(LIES['repeats each payment under another transaction'], undefined, undefined)
  const { final, tentative } = await chain.readPayments([vault], start)
  assert.deepEqual(
    final.map(({ txHash }) => txHash),
    [hash],
  )
  assert.deepEqual(
    tentative.map(({ txHash }) => txHash.slice(0, 4)),
    ['dead'],
  )
  await chain.stop()
})

test('endpoints without a quorum agree on no payments', async () => {
  const { start, vault } = await payVault()
  for (const others of [
    [LIES['leaves payments out']],
    [LIES['breaks off'], LIES['leaves payments out']],
    [LIES['reports payments of another transaction'], LIES['leaves payments out']],
  ]) {
    const chain = await connect(undefined, ...others)
    await assert.rejects(chain.readPayments([vault], start), { code: 'NO_AGREEMENT' })
    await chain.stop()
  }
})

test('nothing is read from endpoints that all tell times ahead of the clock, until they tell others', async () => {
  const { start, upTo, hash, vault } = await payVault()
  let isLying = true
  const later: Rewrite = (method, result) => (isLying ? LIES['tells a later time']?.(method, result) : result)
  const chain = await connect(later, later, undefined)
  await assert.rejects(chain.timeOf(upTo), { code: 'NO_AGREEMENT' })
  await assert.rejects(chain.readPayments([vault], start), { code: 'NO_AGREEMENT' })
  assert.equal(chain.isAheadOfClock(), true)
  isLying = false
  const { final } = await follow(chain, vault, start, upTo)
  assert.deepEqual(
    final.map(({ txHash }) => txHash),
    [hash],
  )
  assert.equal(chain.isAheadOfClock(), false)
  await chain.stop()
})

test('reads a chain without payments from one endpoint, and from a quorum every five seconds', async () => {
  let asked = 0
  const count: Rewrite = (method, result) => {
    if (method === 'getEvents') asked += 1
    return result
  }
  const vault = world.user(7).publicKey()
  await world.closeLedger()
  const chain = await connect(undefined, count, count)
  const { upTo } = await chain.readPayments([vault], world.height())
  const agreedOnce = asked
  assert.ok(agreedOnce > 0)
  world.node.closeLedger()
  for (let round = 0; round < 10; round += 1)
    assert.equal((await chain.readPayments([vault], upTo)).upTo, upTo)
  assert.equal(asked, agreedOnce)
  world.passSeconds(6)
  assert.equal((await chain.readPayments([vault], upTo)).upTo, upTo + 1n)
  assert.ok(asked > agreedOnce)
  await chain.stop()
})

for (const lie of ['tells another memo of the transaction', 'leaves payments out'])
  test(`the third endpoint still confirms a payment when each of the other two ${lie}`, async () => {
    const { start, upTo, vault } = await payVault()
    const honest = await connect(undefined, undefined, undefined)
    const [paid] = (await follow(honest, vault, start, upTo)).final
    assert.ok(paid)
    const chain = await connect(LIES[lie], LIES[lie], undefined)
    const told = await chain.paymentStatements(paid)
    assert.deepEqual(
      told.map(({ confirms }) => confirms),
      [false, false, true],
    )
    await chain.stop()
    await honest.stop()
  })

test('one of three endpoints reports the payment that two hide from the search for it', async () => {
  const { hash, vault, paidAt } = await payVault()
  const chain = await connect(LIES['leaves payments out'], LIES['leaves payments out'], undefined)
  const search = {
    about: 'a payment is absent',
    from: world.user(0).publicKey(),
    to: { account: vault, token: world.token('XLM') },
    memo: 'no memo',
    sinceSeconds: paidAt,
    untilSeconds: paidAt,
    nowSeconds: world.now() / 1000,
    isSought: ({ txHash }: { readonly txHash: string }) => txHash === hash,
  }
  assert.deepEqual(await chain.absenceStatements(search), [
    { endpoint: 0, confirms: true },
    { endpoint: 1, confirms: true },
    { endpoint: 2, confirms: false },
  ])
  await assert.rejects(
    chain.absenceStatements({
      ...search,
      about: 'no payment',
      isSought: () => false,
      untilSeconds: paidAt + 600,
    }),
    { code: 'NODE_BEHIND' },
  )
  await chain.stop()
})

test('endpoints that date a payment in the future, or break off, say nothing about it', async () => {
  const { start, upTo, vault } = await payVault()
  const honest = await connect(undefined, undefined, undefined)
  const [paid] = (await follow(honest, vault, start, upTo)).final
  assert.ok(paid)
  const chain = await connect(LIES['tells a later time'], LIES['breaks off'], undefined)
  await assert.rejects(chain.paymentStatements(paid), { code: 'NODE_BEHIND' })
  world.passSeconds(20)
  assert.deepEqual(await chain.paymentStatements(paid), [{ endpoint: 2, confirms: true }])
  await chain.stop()
  await honest.stop()
})

for (const place of [0, 1, 2])
  test(`while endpoint ${place} of three says that an account is empty, balances are those of the others`, async () => {
    const owner = world.user(1).publicKey()
    const assets = [world.token('XLM'), world.token('USDC')]
    const isEmpty: Rewrite = (method, result) =>
      method === 'getLedgerEntries' ? { ...result, entries: [] } : result
    const honest = await connect(undefined, undefined, undefined)
    const truth = await honest.agreedBalances(owner, assets)
    assert.ok(truth.every((amount) => amount > 0n))
    const chain = await connect(...[0, 1, 2].map((position) => (position === place ? isEmpty : undefined)))
    assert.deepEqual(await chain.agreedBalances(owner, assets), truth)
    await chain.stop()
    await honest.stop()
  })
