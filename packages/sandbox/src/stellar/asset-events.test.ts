import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  Address,
  Asset,
  Claimant,
  Contract,
  Keypair,
  Memo,
  nativeToScVal,
  Operation,
  rpc,
  type TransactionBuilder,
} from '@stellar/stellar-sdk'
import {
  codesOf,
  muxed,
  readEvent,
  type StellarFixture,
  startStellarFixture,
  UNIT,
} from '../../test/stellar-fixture.ts'

let world: StellarFixture
before(async () => {
  world = await startStellarFixture()
})
after(() => world.ledger.stop())

const { FAILED } = rpc.Api.GetTransactionStatus

const pay = (destination: string, amount: string, asset = Asset.native(), source?: string) =>
  Operation.payment({ destination, asset, amount, ...(source === undefined ? {} : { source }) })

const symbol = (text: string): string => nativeToScVal(text, { type: 'symbol' }).toXdr('base64')
const contractOf = (asset: Asset): string => asset.contractId(world.ledger.networkPassphrase)
test("a payment's event carries the muxed id, or else the memo", async () => {
  const [from, to] = [world.user(0).publicKey(), world.user(1).publicKey()]
  const memo = (value: Memo) => (builder: TransactionBuilder) => builder.setTimeout(0).addMemo(value)
  const name = `USDC:${world.usdc.getIssuer()}`
  const idOf = async (destination: string, value: Memo) => {
    const operations = [pay(destination, '1.5', world.usdc)]
    const included = await world.run(operations, { by: [world.user(0)], shape: memo(value) })
    const [fee, transfer] = await world.eventsOf(included)
    assert.deepEqual(fee, { topics: ['fee', from], value: 100n })
    assert.deepEqual(transfer?.topics, ['transfer', from, to, name])
    return transfer?.value
  }
  assert.equal(await idOf(to, Memo.none()), 15_000_000n)
  const paid = (id: unknown) => ({ amount: 15_000_000n, to_muxed_id: id })
  const largest = '18446744073709551615'
  assert.deepEqual(await idOf(muxed(to, largest), Memo.text('ignored')), paid(BigInt(largest)))
  assert.deepEqual(await idOf(to, Memo.id('77')), paid(77n))
  assert.deepEqual(await idOf(to, Memo.text('order')), paid('order'))
  const hash = createHash('sha256').update('order').digest()
  const hashed = await idOf(to, Memo.hash(hash))
  assert.ok(hashed !== null && typeof hashed === 'object' && 'to_muxed_id' in hashed)
  assert.ok(hashed.to_muxed_id instanceof Uint8Array && hash.equals(hashed.to_muxed_id))
})

test('every movement of an asset emits its event, and a failed transaction only its fee event', async () => {
  const [holder, issuer] = [world.user(2), await world.fresh(20n)]
  const [address, mint] = [holder.publicKey(), issuer.publicKey()]
  const asset = new Asset('MINT', mint)
  const name = `MINT:${mint}`
  const events = async (operations: Parameters<StellarFixture['run']>[0], by: readonly Keypair[]) =>
    (await world.eventsOf(await world.run(operations, { by }))).slice(1)
  await world.run([Operation.changeTrust({ asset })], { by: [holder] })
  assert.deepEqual(await events([pay(address, '5', asset)], [issuer]), [
    { topics: ['mint', address, name], value: 50_000_000n },
  ])
  assert.deepEqual(await events([pay(mint, '1', asset)], [holder]), [
    { topics: ['burn', address, name], value: 10_000_000n },
  ])
  const fresh = Keypair.random()
  assert.deepEqual(
    await events(
      [Operation.createAccount({ destination: fresh.publicKey(), startingBalance: '3' })],
      [holder],
    ),
    [{ topics: ['transfer', address, fresh.publicKey(), 'native'], value: 30_000_000n }],
  )
  assert.deepEqual(await events([Operation.accountMerge({ destination: muxed(address, '5') })], [fresh]), [
    {
      topics: ['transfer', fresh.publicKey(), address, 'native'],
      value: { amount: 29_999_900n, to_muxed_id: 5n },
    },
  ])
  const claimants = [new Claimant(mint)]
  const created = await world.build(
    [Operation.createClaimableBalance({ asset: world.native, amount: '2', claimants })],
    { by: [holder] },
  )
  const waiting = Address.claimableBalance(
    Buffer.from(created.getClaimableBalanceId(0), 'hex').subarray(3),
  ).toString()
  assert.deepEqual((await world.eventsOf(await world.include(created))).slice(1), [
    { topics: ['transfer', address, waiting, 'native'], value: 20_000_000n },
  ])
  const balanceId = created.getClaimableBalanceId(0)
  assert.deepEqual(await events([Operation.claimClaimableBalance({ balanceId })], [issuer]), [
    { topics: ['transfer', waiting, mint, 'native'], value: 20_000_000n },
  ])
  const failed = await world.run([pay(address, '1'), pay(address, '999999999')], { by: [issuer] })
  assert.equal(failed.status, FAILED)
  assert.deepEqual(await world.eventsOf(failed), [{ topics: ['fee', mint], value: 200n }])
})

test('a path payment emits every trade and then the payment', async () => {
  const [from, to] = [world.user(3).publicKey(), world.user(4).publicKey()]
  const included = await world.run(
    [
      Operation.pathPaymentStrictReceive({
        sendAsset: world.native,
        sendMax: '100',
        destination: muxed(to, '3'),
        destAsset: world.usdc,
        destAmount: '2',
        path: [],
      }),
    ],
    { by: [world.user(3)] },
  )
  const name = `USDC:${world.usdc.getIssuer()}`
  const [, paid, bought, arrived] = await world.eventsOf(included)
  const [, , dealer] = paid?.topics ?? []
  assert.deepEqual(paid, { topics: ['transfer', from, dealer, 'native'], value: 10n * UNIT })
  assert.deepEqual(bought, { topics: ['transfer', dealer, from, name], value: 2n * UNIT })
  assert.deepEqual(arrived, {
    topics: ['transfer', from, to, name],
    value: { amount: 2n * UNIT, to_muxed_id: 3n },
  })
})

test('events are found by contract and topics, and paged without loss or repetition', async () => {
  const { server } = world
  const to = Keypair.random()
  const address = to.publicKey()
  const first = (await server.getLatestLedger()).sequence
  await world.run([Operation.createAccount({ destination: address, startingBalance: '5' })], {
    by: [world.user(5)],
  })
  await world.run([Operation.changeTrust({ asset: world.usdc })], { by: [to] })
  for (const amounts of [
    ['1', '2'],
    ['3', '4', '5'],
  ])
    await world.run(
      amounts.map((amount) => pay(muxed(address, amount), amount, world.usdc)),
      {
        by: [world.user(5)],
      },
    )
  const filters: rpc.Api.EventFilter[] = [
    {
      type: 'contract',
      contractIds: [contractOf(world.usdc)],
      topics: [[symbol('transfer'), '*', new Address(address).toScVal().toXdr('base64'), '**']],
    },
  ]
  const all = await server.getEvents({ startLedger: first, filters })
  const ids = all.events.map(({ id }) => id)
  assert.deepEqual(
    all.events.map((event) => readEvent(event).value),
    [1n, 2n, 3n, 4n, 5n].map((id) => ({ amount: id * UNIT, to_muxed_id: id })),
  )
  assert.deepEqual([...ids].sort(), ids)
  const paged: string[] = []
  let page = await server.getEvents({ startLedger: first, filters, limit: 2 })
  for (let round = 0; round < 4 && page.events.length > 0; round += 1) {
    paged.push(...page.events.map(({ id }) => id))
    page = await server.getEvents({ filters, cursor: page.cursor, limit: 2 })
  }
  assert.deepEqual(paged, ids)
  await world.run([pay(address, '6', world.usdc)], { by: [world.user(5)] })
  const next = await server.getEvents({ filters, cursor: page.cursor })
  assert.deepEqual(
    next.events.map((event) => readEvent(event).value),
    [60_000_000n],
  )
  const exact = [[symbol('transfer'), '*', '*']]
  assert.deepEqual((await server.getEvents({ startLedger: first, filters: [{ topics: exact }] })).events, [])
  const other = [{ contractIds: [contractOf(world.eurc)] }]
  assert.deepEqual((await server.getEvents({ startLedger: first, filters: other })).events, [])
})

test("an asset contract's transfer is simulated, paid and reported like a payment; other calls are trapped", async () => {
  const [from, to] = [world.user(6), world.user(7).publicKey()]
  const transfer = (destination: string, amount: bigint, asset = world.usdc) =>
    new Contract(contractOf(asset)).call(
      'transfer',
      new Address(from.publicKey()).toScVal(),
      new Address(destination).toScVal(),
      nativeToScVal(amount, { type: 'i128' }),
    )
  const earlier = await world.balance(to, world.usdc)
  const raw = await world.build([transfer(muxed(to, '21'), 5n)], { by: [from] })
  const prepared = await world.server.prepareTransaction(raw)
  prepared.sign(from)
  const included = await world.include(prepared)
  assert.deepEqual(codesOf(included.resultXdr), ['txSuccess', 'invokeHostFunctionSuccess'])
  assert.equal(included.resultXdr.feeCharged, 20_100n)
  assert.equal(await world.balance(to, world.usdc), earlier + 5n)
  const name = `USDC:${world.usdc.getIssuer()}`
  assert.deepEqual((await world.eventsOf(included)).slice(1), [
    { topics: ['transfer', from.publicKey(), to, name], value: { amount: 5n, to_muxed_id: 21n } },
  ])
  assert.deepEqual(await world.refusal(raw), ['txSorobanInvalid'])
  const poor = await world.build([transfer(to, 10n ** 18n)], { by: [from] })
  await assert.rejects(world.server.prepareTransaction(poor), /cannot pay/)
  const soon = await world.build([transfer(to, 5n, world.native)], { by: [from] })
  const ready = await world.server.prepareTransaction(soon)
  const envelope = ready.toEnvelope()
  assert.ok(envelope.type === 'envelopeTypeTx')
  const { operations, ext } = envelope.v1.tx
  const body = operations[0]?.body
  assert.ok(body?.type === 'invokeHostFunction' && ext.type === 'sorobanData')
  const func = body.invokeHostFunctionOp.hostFunction
  const unauthorized = await world.build([Operation.invokeHostFunction({ func, auth: [] })], {
    by: [from],
    shape: (builder) => builder.setTimeout(0).setSorobanData(ext.sorobanData),
  })
  assert.deepEqual(codesOf((await world.include(unauthorized)).resultXdr), [
    'txFailed',
    'invokeHostFunctionTrapped',
  ])
})
