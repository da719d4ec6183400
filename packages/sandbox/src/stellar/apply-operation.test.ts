import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  Asset,
  AuthClawbackEnabledFlag,
  AuthRequiredFlag,
  AuthRevocableFlag,
  Claimant,
  Keypair,
  Memo,
  Operation,
  type xdr,
} from '@stellar/stellar-sdk'
import { codesOf, muxed, type StellarFixture, startStellarFixture, UNIT } from '../../test/stellar-fixture.ts'

let world: StellarFixture
before(async () => {
  world = await startStellarFixture()
})
after(() => world.ledger.stop())

const pay = (destination: string, amount: string, asset = Asset.native(), source?: string) =>
  Operation.payment({ destination, asset, amount, ...(source === undefined ? {} : { source }) })

test('every entry reserves half an XLM', async () => {
  const key = await world.fresh(2n)
  const trust = (asset: Asset) => Operation.changeTrust({ asset })
  const first = await world.run([trust(world.usdc)], { by: [key] })
  assert.deepEqual(codesOf(first.resultXdr), ['txSuccess', 'changeTrustSuccess'])
  const second = await world.run([trust(world.eurc)], { by: [key] })
  assert.deepEqual(codesOf(second.resultXdr), ['txFailed', 'changeTrustLowReserve'])
  const spend = await world.run([pay(world.user(0).publicKey(), '0.5')], { by: [key] })
  assert.deepEqual(codesOf(spend.resultXdr), ['txFailed', 'paymentUnderfunded'])
  const closed = await world.run([Operation.changeTrust({ asset: world.usdc, limit: '0' })], { by: [key] })
  assert.deepEqual(codesOf(closed.resultXdr), ['txSuccess', 'changeTrustSuccess'])
  const freed = await world.run([pay(world.user(0).publicKey(), '0.99')], { by: [key] })
  assert.deepEqual(codesOf(freed.resultXdr), ['txSuccess', 'paymentSuccess'])
})

test('a malformed operation is rejected before any ledger', async () => {
  const from = world.user(0)
  const self = await world.build([Operation.accountMerge({ destination: from.publicKey() })], { by: [from] })
  assert.deepEqual(await world.refusal(self), ['txFailed', 'accountMergeMalformed'])
  const unknown = await world.build([Operation.inflation({})], { by: [from] })
  assert.deepEqual(await world.refusal(unknown), ['txFailed', 'opNotSupported'])
})

test('path payments trade through the order book and are exact on the named side', async () => {
  const [from, to] = [world.user(5), world.user(6)]
  const [sendAsset, destAsset] = [world.native, world.usdc]
  const destination = to.publicKey()
  const earlier = await Promise.all([
    world.balance(from.publicKey(), sendAsset),
    world.balance(destination, destAsset),
  ])
  const received = await world.run(
    [
      Operation.pathPaymentStrictReceive({
        sendAsset,
        sendMax: '50',
        destination: muxed(destination, '9'),
        destAsset,
        destAmount: '3',
        path: [],
      }),
    ],
    { by: [from] },
  )
  assert.deepEqual(codesOf(received.resultXdr), ['txSuccess', 'pathPaymentStrictReceiveSuccess'])
  const sent = await world.run(
    [
      Operation.pathPaymentStrictSend({
        sendAsset: world.usdc,
        sendAmount: '2',
        destination,
        destAsset: world.eurc,
        destMin: '0.05',
        path: [world.native],
      }),
    ],
    { by: [from] },
  )
  assert.deepEqual(codesOf(sent.resultXdr), ['txSuccess', 'pathPaymentStrictSendSuccess'])
  const later = await Promise.all([
    world.balance(from.publicKey(), sendAsset),
    world.balance(destination, destAsset),
  ])
  assert.deepEqual(later, [earlier[0] - 15n * UNIT - 200n, earlier[1] + 3n * UNIT])
  const issuer = world.usdc.getIssuer() ?? ''
  const missing = new Asset('NOBOOK', issuer)
  const failures: readonly (readonly [string, xdr.Operation])[] = [
    [
      'pathPaymentStrictReceiveOverSendmax',
      Operation.pathPaymentStrictReceive({
        sendAsset,
        sendMax: '14.9',
        destination,
        destAsset,
        destAmount: '3',
        path: [],
      }),
    ],
    [
      'pathPaymentStrictSendUnderDestmin',
      Operation.pathPaymentStrictSend({
        sendAsset,
        sendAmount: '15',
        destination,
        destAsset,
        destMin: '3.1',
        path: [],
      }),
    ],
    [
      'pathPaymentStrictReceiveTooFewOffers',
      Operation.pathPaymentStrictReceive({
        sendAsset,
        sendMax: '99',
        destination,
        destAsset,
        destAmount: '1',
        path: [missing],
      }),
    ],
    [
      'pathPaymentStrictReceiveNoTrust',
      Operation.pathPaymentStrictReceive({
        sendAsset,
        sendMax: '1',
        destination,
        destAsset: new Asset('OTHER', from.publicKey()),
        destAmount: '1',
        path: [],
      }),
    ],
    [
      'pathPaymentStrictSendNoDestination',
      Operation.pathPaymentStrictSend({
        sendAsset,
        sendAmount: '1',
        destination: Keypair.random().publicKey(),
        destAsset,
        destMin: '0.1',
        path: [],
      }),
    ],
  ]
  for (const [code, operation] of failures) {
    const included = await world.run([operation], { by: [from] })
    assert.deepEqual(codesOf(included.resultXdr), ['txFailed', code])
  }
})

test('offers bind what they sell, are taken in part, and release the rest when removed', async () => {
  const [seller, buyer] = [await world.fresh(100n), world.user(7)]
  const token = new Asset('TAKEN', world.user(8).publicKey())
  await world.run([Operation.changeTrust({ asset: token })], { by: [seller] })
  await world.run([Operation.changeTrust({ asset: token })], { by: [buyer] })
  await world.run([pay(seller.publicKey(), '10', token)], { by: [world.user(8)] })
  const price = { n: 3, d: 2 }
  const placed = await world.run(
    [Operation.manageSellOffer({ selling: token, buying: world.native, amount: '10', price })],
    { by: [seller] },
  )
  assert.deepEqual(codesOf(placed.resultXdr), ['txSuccess', 'manageSellOfferSuccess'])
  const bound = await world.run([pay(buyer.publicKey(), '0.1', token)], { by: [seller] })
  assert.deepEqual(codesOf(bound.resultXdr), ['txFailed', 'paymentUnderfunded'])
  const earlier = await world.balance(seller.publicKey(), world.native)
  const taken = await world.run(
    [Operation.manageSellOffer({ selling: world.native, buying: token, amount: '6', price: { n: 2, d: 3 } })],
    { by: [buyer] },
  )
  assert.deepEqual(codesOf(taken.resultXdr), ['txSuccess', 'manageSellOfferSuccess'])
  assert.equal(await world.balance(seller.publicKey(), world.native), earlier + 6n * UNIT)
  assert.equal(await world.balance(seller.publicKey(), token), 6n * UNIT)
  assert.equal(await world.balance(buyer.publicKey(), token), 4n * UNIT)
  const own = await world.run(
    [Operation.manageSellOffer({ selling: world.native, buying: token, amount: '1', price: { n: 2, d: 3 } })],
    { by: [seller] },
  )
  assert.deepEqual(codesOf(own.resultXdr), ['txFailed', 'manageSellOfferCrossSelf'])
  assert.ok(placed.resultXdr.result.type === 'txSuccess')
  const [operation] = placed.resultXdr.result.results
  assert.ok(operation?.type === 'opInner' && operation.tr.type === 'manageSellOffer')
  const { value } = operation.tr.manageSellOfferResult
  assert.ok(value !== null && value.offer.type === 'manageOfferCreated')
  const offerId = value.offer.offer.offerId.toString()
  const removed = await world.run(
    [Operation.manageSellOffer({ selling: token, buying: world.native, amount: '0', price, offerId })],
    { by: [seller] },
  )
  assert.deepEqual(codesOf(removed.resultXdr), ['txSuccess', 'manageSellOfferSuccess'])
  const freed = await world.run([pay(buyer.publicKey(), '6', token)], { by: [seller] })
  assert.deepEqual(codesOf(freed.resultXdr), ['txSuccess', 'paymentSuccess'])
})

test('a claimable balance can be claimed only by its claimant and at its time', async () => {
  const [from, to, other] = [world.user(5), world.user(6), world.user(7)]
  const soon = Claimant.predicateNot(Claimant.predicateBeforeRelativeTime('60'))
  const claimants = [new Claimant(to.publicKey(), soon)]
  const created = await world.build(
    [Operation.createClaimableBalance({ asset: world.usdc, amount: '4', claimants })],
    { by: [from] },
  )
  const balanceId = created.getClaimableBalanceId(0)
  assert.deepEqual(codesOf((await world.include(created)).resultXdr), [
    'txSuccess',
    'createClaimableBalanceSuccess',
  ])
  assert.equal((await world.server.getClaimableBalance(balanceId)).amount, 4n * UNIT)
  const claim = [Operation.claimClaimableBalance({ balanceId })]
  for (const by of [to, other])
    assert.deepEqual(codesOf((await world.run(claim, { by: [by] })).resultXdr), [
      'txFailed',
      'claimClaimableBalanceCannotClaim',
    ])
  world.advanceSeconds(61)
  const earlier = await world.balance(to.publicKey(), world.usdc)
  assert.deepEqual(codesOf((await world.run(claim, { by: [to] })).resultXdr), [
    'txSuccess',
    'claimClaimableBalanceSuccess',
  ])
  assert.equal(await world.balance(to.publicKey(), world.usdc), earlier + 4n * UNIT)
  await assert.rejects(world.server.getClaimableBalance(balanceId))
})

test('a merge pays out all XLM and removes the account', async () => {
  const key = await world.fresh(7n)
  const to = world.user(1).publicKey()
  const earlier = await world.balance(to, world.native)
  const merged = await world.run([Operation.accountMerge({ destination: muxed(to, '11') })], { by: [key] })
  assert.deepEqual(codesOf(merged.resultXdr), ['txSuccess', 'accountMergeSuccess'])
  assert.equal(await world.balance(to, world.native), earlier + 7n * UNIT - 100n)
  await assert.rejects(world.server.getAccountEntry(key.publicKey()))
  const bumped = await world.fresh(5n)
  await world.run([Operation.bumpSequence({ bumpTo: '9000000000000000000' })], { by: [bumped] })
  const tooFar = await world.run([Operation.accountMerge({ destination: to })], { by: [bumped] })
  assert.deepEqual(codesOf(tooFar.resultXdr), ['txFailed', 'accountMergeSeqnumTooFar'])
})

test('an issuer authorizes, revokes and claws back its asset', async () => {
  const [issuer, holder, other] = [await world.fresh(10n), await world.fresh(10n), await world.fresh(10n)]
  const asset = new Asset('GUARDED', issuer.publicKey())
  const flags = AuthRequiredFlag | AuthRevocableFlag | AuthClawbackEnabledFlag
  // CAST: the SDK's type names single flags; the network takes their union.
  await world.run([Operation.setOptions({ setFlags: flags as typeof AuthRequiredFlag })], { by: [issuer] })
  for (const by of [holder, other]) await world.run([Operation.changeTrust({ asset })], { by: [by] })
  const give = [pay(holder.publicKey(), '5', asset)]
  assert.deepEqual(codesOf((await world.run(give, { by: [issuer] })).resultXdr), [
    'txFailed',
    'paymentNotAuthorized',
  ])
  const allow = (trustor: Keypair, authorized: boolean) =>
    Operation.setTrustLineFlags({ trustor: trustor.publicKey(), asset, flags: { authorized } })
  for (const trustor of [holder, other])
    assert.deepEqual(codesOf((await world.run([allow(trustor, true)], { by: [issuer] })).resultXdr), [
      'txSuccess',
      'setTrustLineFlagsSuccess',
    ])
  assert.deepEqual(codesOf((await world.run(give, { by: [issuer] })).resultXdr), [
    'txSuccess',
    'paymentSuccess',
  ])
  await world.run([allow(holder, false)], { by: [issuer] })
  const spend = [pay(other.publicKey(), '1', asset)]
  assert.deepEqual(codesOf((await world.run(spend, { by: [holder] })).resultXdr), [
    'txFailed',
    'paymentSrcNotAuthorized',
  ])
  const again = await world.run(
    [Operation.allowTrust({ trustor: holder.publicKey(), assetCode: 'GUARDED', authorize: 1 })],
    { by: [issuer] },
  )
  assert.deepEqual(codesOf(again.resultXdr), ['txSuccess', 'allowTrustSuccess'])
  const back = await world.run([Operation.clawback({ asset, from: holder.publicKey(), amount: '2' })], {
    by: [issuer],
  })
  assert.deepEqual(codesOf(back.resultXdr), ['txSuccess', 'clawbackSuccess'])
  assert.equal(await world.balance(holder.publicKey(), asset), 3n * UNIT)
})

test('meta holds the state before and after, and the sequence number used', async () => {
  const included = await world.run([pay(world.user(1).publicKey(), '1', world.usdc)], {
    by: [world.user(0)],
    shape: (builder) => builder.setTimeout(0).addMemo(Memo.text('hello')),
  })
  const { resultMetaXdr: meta } = included
  assert.ok(meta.type === 'v4')
  assert.deepEqual(
    meta.v4.txChangesBefore.map(({ type }) => type),
    ['ledgerEntryState', 'ledgerEntryUpdated'],
  )
  const changes = meta.v4.operations[0]?.changes ?? []
  const balances = changes.flatMap((change) =>
    (change.type === 'ledgerEntryState' || change.type === 'ledgerEntryUpdated') &&
    change.value.data.type === 'trustline'
      ? [change.value.data.trustLine.balance]
      : [],
  )
  assert.equal(balances.length, 4)
  assert.equal((balances[1] ?? 0n) - (balances[0] ?? 0n) + (balances[3] ?? 0n) - (balances[2] ?? 0n), 0n)
})
