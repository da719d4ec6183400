import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Account, Asset, Keypair, Operation, rpc, TransactionBuilder, type xdr } from '@stellar/stellar-sdk'
import { codesOf, muxed, type StellarFixture, startStellarFixture, UNIT } from '../../test/stellar-fixture.ts'

let world: StellarFixture
before(async () => {
  world = await startStellarFixture()
})
after(() => world.ledger.stop())

const pay = (destination: string, amount: string, asset = Asset.native(), source?: string) =>
  Operation.payment({ destination, asset, amount, ...(source === undefined ? {} : { source }) })

test('a payment moves its exact amount and costs its exact fee', async () => {
  const [from, to] = [world.user(0), world.user(1)]
  const read = () =>
    Promise.all([
      world.balance(from.publicKey(), world.native),
      world.balance(from.publicKey(), world.usdc),
      world.balance(to.publicKey(), world.native),
      world.balance(to.publicKey(), world.usdc),
    ])
  const earlier = await read()
  const included = await world.run(
    [pay(to.publicKey(), '1.0000001'), pay(muxed(to.publicKey(), '7'), '2.5', world.usdc)],
    { by: [from], fee: '1000' },
  )
  assert.deepEqual(codesOf(included.resultXdr), ['txSuccess', 'paymentSuccess', 'paymentSuccess'])
  assert.equal(included.resultXdr.feeCharged, 200n)
  const later = await read()
  assert.deepEqual(
    later.map((amount, index) => amount - (earlier[index] ?? 0n)),
    [-10_000_201n, -25_000_000n, 10_000_001n, 25_000_000n],
  )
})

test('an invalid transaction is rejected with the code of its fault', async () => {
  const [from, to] = [world.user(0), world.user(1)]
  const one = [pay(to.publicKey(), '1')]
  const now = world.nowSeconds()
  const poor = await world.fresh(1n)
  const bounds = (minTime: number, maxTime: number) => (builder: TransactionBuilder) =>
    builder.setTimebounds(minTime, maxTime)
  const within = (minLedger: number, maxLedger: number) => (builder: TransactionBuilder) =>
    builder.setTimeout(0).setLedgerbounds(minLedger, maxLedger)
  const cases: readonly (readonly [
    string,
    readonly xdr.Operation[],
    Parameters<StellarFixture['build']>[1],
  ])[] = [
    ['txBadAuth', one, { by: [to], source: from.publicKey() }],
    ['txBadAuth', one, { by: [], source: from.publicKey() }],
    ['txBadAuthExtra', one, { by: [from, to] }],
    ['txBadSeq', one, { by: [from], skip: 1n }],
    ['txBadSeq', one, { by: [from], skip: -1n }],
    ['txTooLate', one, { by: [from], shape: bounds(0, now - 1) }],
    ['txTooEarly', one, { by: [from], shape: bounds(now + 60, 0) }],
    ['txTooLate', one, { by: [from], shape: within(0, 2) }],
    ['txTooEarly', one, { by: [from], shape: within(1_000_000, 0) }],
    ['txInsufficientFee', one, { by: [from], fee: '99' }],
    ['txMissingOperation', [], { by: [from] }],
    ['txInsufficientBalance', one, { by: [poor], fee: '20000000' }],
    [
      'txBadMinSeqAgeOrGap',
      one,
      {
        by: [from],
        shape: (builder) => builder.setTimeout(0).setMinAccountSequenceAge(10n ** 12n),
      },
    ],
    [
      'txBadMinSeqAgeOrGap',
      one,
      {
        by: [from],
        shape: (builder) => builder.setTimeout(0).setMinAccountSequenceLedgerGap(1_000_000),
      },
    ],
    [
      'txBadAuth',
      one,
      {
        by: [from],
        shape: (builder) => builder.setTimeout(0).setExtraSigners([to.publicKey()]),
      },
    ],
  ]
  for (const [code, operations, draft] of cases)
    assert.deepEqual(await world.refusal(await world.build(operations, draft)), [code], code)
})

test('rejects a signature for another network, and an account that does not exist', async () => {
  const from = world.user(0)
  const account = await world.server.getAccount(from.publicKey())
  const foreign = new TransactionBuilder(account, { fee: '100', networkPassphrase: 'Another Network' })
    .addOperation(pay(world.user(1).publicKey(), '1'))
    .setTimeout(0)
    .build()
  foreign.sign(from)
  assert.deepEqual(await world.refusal(foreign), ['txBadAuth'])
  const nobody = Keypair.random()
  const unknown = new TransactionBuilder(new Account(nobody.publicKey(), '0'), {
    fee: '100',
    networkPassphrase: world.ledger.networkPassphrase,
  })
    .addOperation(pay(from.publicKey(), '1'))
    .setTimeout(0)
    .build()
  unknown.sign(nobody)
  assert.deepEqual(await world.refusal(unknown), ['txNoAccount'])
})

test('a minimum sequence number lets a transaction skip numbers, which are then unusable', async () => {
  const key = await world.fresh(10n)
  const start = BigInt((await world.server.getAccount(key.publicKey())).sequenceNumber())
  const shape = (builder: TransactionBuilder) => builder.setTimeout(0).setMinAccountSequence(start.toString())
  const jumped = await world.run([pay(world.user(0).publicKey(), '1')], { by: [key], skip: 5n, shape })
  assert.deepEqual(codesOf(jumped.resultXdr), ['txSuccess', 'paymentSuccess'])
  const behind = await world.build([pay(world.user(0).publicKey(), '1')], { by: [key], skip: -3n })
  assert.deepEqual(await world.refusal(behind), ['txBadSeq'])
})

test('a failing operation undoes the whole transaction, which still uses its fee and sequence number', async () => {
  const noTrust = await world.fresh(10n)
  const holder = await world.fresh(3n)
  const tight = await world.fresh(2n)
  await world.run([Operation.changeTrust({ asset: world.usdc, limit: '1' })], { by: [holder] })
  const [from, nobody] = [world.user(2), Keypair.random()]
  const stranger = new Asset('NONE', nobody.publicKey())
  const address = from.publicKey()
  const cases: readonly (readonly [string, Keypair, xdr.Operation])[] = [
    ['paymentUnderfunded', from, pay(holder.publicKey(), '99000000')],
    ['paymentNoDestination', from, pay(nobody.publicKey(), '1')],
    ['paymentNoTrust', from, pay(noTrust.publicKey(), '1', world.usdc)],
    ['paymentSrcNoTrust', noTrust, pay(address, '1', world.usdc)],
    ['paymentUnderfunded', holder, pay(address, '0.5', world.usdc)],
    ['paymentLineFull', from, pay(holder.publicKey(), '1.0000001', world.usdc)],
    [
      'createAccountAlreadyExist',
      from,
      Operation.createAccount({ destination: holder.publicKey(), startingBalance: '1' }),
    ],
    [
      'createAccountLowReserve',
      from,
      Operation.createAccount({ destination: nobody.publicKey(), startingBalance: '0.9999999' }),
    ],
    [
      'createAccountUnderfunded',
      tight,
      Operation.createAccount({ destination: nobody.publicKey(), startingBalance: '1.5' }),
    ],
    ['changeTrustNoIssuer', noTrust, Operation.changeTrust({ asset: stranger })],
    ['changeTrustInvalidLimit', from, Operation.changeTrust({ asset: world.usdc, limit: '1' })],
    ['accountMergeHasSubEntries', from, Operation.accountMerge({ destination: holder.publicKey() })],
    ['accountMergeNoAccount', from, Operation.accountMerge({ destination: nobody.publicKey() })],
    ['manageDataNameNotFound', from, Operation.manageData({ name: 'absent', value: null })],
    [
      'claimClaimableBalanceDoesNotExist',
      from,
      Operation.claimClaimableBalance({ balanceId: '00'.repeat(36) }),
    ],
    ['endSponsoringFutureReservesNotSponsored', from, Operation.endSponsoringFutureReserves()],
    ['opNoAccount', from, Operation.bumpSequence({ bumpTo: '1', source: nobody.publicKey() })],
  ]
  for (const [code, by, operation] of cases) {
    const earlier = await world.server.getAccountEntry(by.publicKey())
    const extra = code === 'opNoAccount' ? [nobody] : []
    const included = await world.run([pay(world.user(3).publicKey(), '0.1'), operation], {
      by: [by, ...extra],
    })
    assert.deepEqual(codesOf(included.resultXdr), ['txFailed', 'paymentSuccess', code], code)
    const later = await world.server.getAccountEntry(by.publicKey())
    assert.equal(later.balance, earlier.balance - 200n, code)
    assert.equal(later.seqNum, earlier.seqNum + 1n, code)
  }
})

test('signers and thresholds decide which signatures authorize an operation', async () => {
  const owner = await world.fresh(10n)
  const [second, third, heavy] = [Keypair.random(), Keypair.random(), Keypair.random()]
  const secret = Buffer.from('a secret that unlocks')
  const lock = createHash('sha256').update(secret).digest()
  const setUp = await world.run(
    [
      Operation.setOptions({ signer: { ed25519PublicKey: second.publicKey(), weight: 1 } }),
      Operation.setOptions({ signer: { ed25519PublicKey: heavy.publicKey(), weight: 2 } }),
      Operation.setOptions({ signer: { sha256Hash: lock.toString('hex'), weight: 1 } }),
      Operation.setOptions({
        masterWeight: 1,
        lowThreshold: 1,
        medThreshold: 2,
        highThreshold: 3,
        homeDomain: 'rfq.example',
      }),
    ],
    { by: [owner] },
  )
  assert.deepEqual(codesOf(setUp.resultXdr)[0], 'txSuccess')
  const entry = await world.server.getAccountEntry(owner.publicKey())
  assert.deepEqual([...entry.thresholds.value], [1, 1, 2, 3])
  assert.equal(entry.numSubEntries, 3)
  assert.equal(entry.homeDomain.toString(), 'rfq.example')
  const payment = [pay(world.user(0).publicKey(), '1')]
  const source = owner.publicKey()
  assert.deepEqual(await world.refusal(await world.build(payment, { by: [owner] })), [
    'txFailed',
    'opBadAuth',
  ])
  assert.deepEqual(await world.refusal(await world.build(payment, { by: [third], source })), ['txBadAuth'])
  const both = await world.run(payment, { by: [second, owner], source })
  assert.deepEqual(codesOf(both.resultXdr), ['txSuccess', 'paymentSuccess'])
  const alone = await world.run(payment, { by: [heavy], source })
  assert.deepEqual(codesOf(alone.resultXdr), ['txSuccess', 'paymentSuccess'])
  const hashed = await world.build(payment, { by: [second], source })
  hashed.signHashX(secret)
  assert.deepEqual(codesOf((await world.include(hashed)).resultXdr), ['txSuccess', 'paymentSuccess'])
  const merge = [Operation.accountMerge({ destination: world.user(0).publicKey() })]
  assert.deepEqual(await world.refusal(await world.build(merge, { by: [second, owner], source })), [
    'txFailed',
    'opBadAuth',
  ])
  const all = await world.build(merge, { by: [second, owner], source })
  all.signHashX(secret)
  assert.deepEqual(codesOf((await world.include(all)).resultXdr)[1], 'accountMergeSuccess')
})

test("a sponsor holds an account's reserves from its creation to its merge", async () => {
  const [sponsor, deposit] = [await world.fresh(10n), Keypair.random()]
  const address = deposit.publicKey()
  const opening = [
    Operation.beginSponsoringFutureReserves({ sponsoredId: address }),
    Operation.createAccount({ destination: address, startingBalance: '0' }),
    Operation.changeTrust({ source: address, asset: world.usdc }),
    Operation.endSponsoringFutureReserves({ source: address }),
  ]
  const openEnded = await world.run(opening.slice(0, 3), { by: [sponsor, deposit] })
  assert.deepEqual(codesOf(openEnded.resultXdr), ['txBadSponsorship'])
  await assert.rejects(world.server.getAccountEntry(address))
  assert.equal(
    (await world.run(opening, { by: [sponsor, deposit] })).status,
    rpc.Api.GetTransactionStatus.SUCCESS,
  )
  const sponsorship = async (key: Keypair) => {
    const { ext } = await world.server.getAccountEntry(key.publicKey())
    assert.ok(ext.type === 'v1' && ext.v1.ext.type === 'v2')
    return [ext.v1.ext.v2.numSponsored, ext.v1.ext.v2.numSponsoring]
  }
  assert.deepEqual(await sponsorship(deposit), [3, 0])
  assert.deepEqual(await sponsorship(sponsor), [0, 3])
  const paid = await world.run([pay(address, '5', world.usdc)], { by: [world.user(0)] })
  assert.equal(paid.status, rpc.Api.GetTransactionStatus.SUCCESS)
  const swept = await world.run(
    [
      pay(world.user(1).publicKey(), '5', world.usdc, address),
      Operation.changeTrust({ source: address, asset: world.usdc, limit: '0' }),
      Operation.accountMerge({ source: address, destination: sponsor.publicKey() }),
    ],
    { by: [sponsor, deposit] },
  )
  assert.deepEqual(codesOf(swept.resultXdr), [
    'txSuccess',
    'paymentSuccess',
    'changeTrustSuccess',
    'accountMergeSuccess',
  ])
  assert.deepEqual(await sponsorship(sponsor), [0, 0])
  const poor = await world.fresh(2n)
  const beyond = await world.run(opening, { by: [poor, deposit] })
  assert.deepEqual(codesOf(beyond.resultXdr)[0], 'txFailed')
  const merging = await world.run([...opening, Operation.accountMerge({ destination: poor.publicKey() })], {
    by: [sponsor, deposit],
  })
  assert.ok(codesOf(merging.resultXdr).includes('accountMergeIsSponsor'))
})

test('a fee bump pays for a transaction without a fee of its own', async () => {
  const [payer, sender] = [world.user(4), await world.fresh(5n)]
  const start = await world.balance(payer.publicKey(), world.native)
  const inner = await world.build([pay(world.user(0).publicKey(), '1')], { by: [sender] })
  const bump = TransactionBuilder.buildFeeBumpTransaction(payer, '300', inner, world.ledger.networkPassphrase)
  assert.deepEqual(await world.refusal(bump), ['txBadAuth'])
  bump.sign(payer)
  const included = await world.include(bump)
  assert.deepEqual(codesOf(included.resultXdr), ['txFeeBumpInnerSuccess', 'txSuccess', 'paymentSuccess'])
  assert.equal(included.feeBump, true)
  assert.equal(await world.balance(payer.publicKey(), world.native), start - 200n)
  assert.equal(await world.balance(sender.publicKey(), world.native), 4n * UNIT)
  const byInner = await world.server.getTransaction(Buffer.from(inner.hash()).toString('hex'))
  assert.equal(byInner.status, rpc.Api.GetTransactionStatus.SUCCESS)
  const failing = await world.build([pay(world.user(0).publicKey(), '50')], { by: [sender] })
  const failed = TransactionBuilder.buildFeeBumpTransaction(
    payer,
    '300',
    failing,
    world.ledger.networkPassphrase,
  )
  failed.sign(payer)
  assert.deepEqual(codesOf((await world.include(failed)).resultXdr), [
    'txFeeBumpInnerFailed',
    'txFailed',
    'paymentUnderfunded',
  ])
  const stale = TransactionBuilder.buildFeeBumpTransaction(
    payer,
    '300',
    inner,
    world.ledger.networkPassphrase,
  )
  stale.sign(payer)
  assert.deepEqual(await world.refusal(stale), ['txFeeBumpInnerFailed', 'txBadSeq'])
})
