import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ISSUER_KEY } from '@openrfq/sandbox/src/stellar/keys.ts'
import {
  Address,
  Asset,
  Claimant,
  Keypair,
  Memo,
  nativeToScVal,
  Operation,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import { z } from 'zod'
import { eventually } from '../../../test/eventually.ts'
import {
  openStellarWorld,
  pay,
  RETAINED_LEDGERS,
  type StellarWorld,
  UNIT,
  USDC,
} from '../../../test/stellar-world.ts'
import type { Payment } from '../../core/payment.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import { contractIdOf } from './asset-contract.ts'
import { createMovementReader } from './asset-movement.ts'
import { readAssetEvents } from './event-pages.ts'
import { createStellarChain } from './index.ts'
import { muxedAddress } from './muxed-account.ts'
import { loadStellarSdk } from './sdk.ts'

const Paged = z.object({ pagination: z.object({ limit: z.number() }) })

const MEMO = `0x${'ab'.repeat(32)}`
const FLOOD = 14_000
const FLOOD_LEDGER = 70_000n
const EVENTS_OF_LEDGER = 100
const EVENTS_OF_PAGE = 200
/** As an endpoint on another continent answers a page, and longer. */
const SLOW_PAGE_MS = 300

/**
 * A node with payments of one stroop to a muxed address of an account, a hundred in each ledger, each its own transaction; what it was
 * asked, by method.
 */
const startFlood = async (count: number, latencyMs = 0) => {
  const [vault, payer] = [Keypair.random().publicKey(), Keypair.random().publicKey()]
  const { networkPassphrase: passphrase } = world.node
  const last = Number(FLOOD_LEDGER) + count / EVENTS_OF_LEDGER - 1
  const [topic, value] = [
    [
      nativeToScVal('transfer', { type: 'symbol' }),
      ...[payer, vault].map((one) => new Address(one).toScVal()),
    ],
    nativeToScVal(
      { amount: 1n, to_muxed_id: 7n },
      { type: { amount: ['symbol', 'i128'], to_muxed_id: ['symbol', 'u64'] } },
    ),
  ]
  const fixed = {
    contractId: contractIdOf('native', passphrase),
    topic: [...topic, nativeToScVal('native')].map((one) => one.toXdr('base64')),
    value: value.toXdr('base64'),
    ledgerClosedAt: '2026-01-01T00:00:00Z',
    inSuccessfulContractCall: true,
  }
  const eventAt = (place: number) => {
    const ledger = Number(FLOOD_LEDGER) + Math.floor(place / EVENTS_OF_LEDGER)
    const order = (BigInt(ledger) << 32n) | (BigInt(1 + (place % EVENTS_OF_LEDGER)) << 12n)
    const id = `${order.toString().padStart(19, '0')}-0000000000`
    return { ...fixed, id, ledger, txHash: place.toString(16).padStart(64, '0') }
  }
  const window = {
    latestLedger: last,
    latestLedgerCloseTime: '1767225600',
    oldestLedger: Number(FLOOD_LEDGER) - 100,
    oldestLedgerCloseTime: '1767225600',
  }
  const calls = new Map<string, number>()
  const Asked = z.object({
    startLedger: z.number().optional(),
    pagination: z.object({ limit: z.number(), cursor: z.string().optional() }),
  })
  const firstOf = ({ startLedger, pagination: { cursor } }: z.infer<typeof Asked>): number => {
    if (cursor === undefined)
      return (Math.max(Number(FLOOD_LEDGER), startLedger ?? 0) - Number(FLOOD_LEDGER)) * EVENTS_OF_LEDGER
    const order = BigInt(cursor.split('-')[0] ?? 0)
    return (
      (Number(order >> 32n) - Number(FLOOD_LEDGER)) * EVENTS_OF_LEDGER + Number((order >> 12n) & 0xfffffn)
    )
  }
  const page = (params: unknown) => {
    const asked = Asked.parse(params)
    const first = firstOf(asked)
    const places = Array.from(
      { length: Math.max(0, Math.min(asked.pagination.limit, count - first)) },
      (_, at) => first + at,
    )
    const events = places.map(eventAt)
    const end = `${(BigInt(last) << 32n) | 0xffff_ffffn}-4294967295`
    return {
      ...window,
      events,
      cursor: events.length === asked.pagination.limit ? (events.at(-1)?.id ?? end) : end,
    }
  }
  const start = () =>
    world.startRelayOf(async ({ method, params }, honest) => {
      calls.set(method, (calls.get(method) ?? 0) + 1)
      if (latencyMs > 0) await pause(latencyMs)
      if (method === 'getEvents') return { result: page(params) }
      if (method === 'getTransaction') return { result: { ...window, status: 'NOT_FOUND' } }
      return honest({ method, params })
    })
  return { calls, start, account: vault }
}

let world: StellarWorld

before(async () => {
  world = await openStellarWorld()
})

after(() => world.close())

test('the head is the newest closed ledger, which is final, and a payment costs the base fee', async () => {
  await world.closeLedger(5)
  const latest = await world.server.getLatestLedger()
  assert.deepEqual(world.chain.head(), {
    number: BigInt(latest.sequence),
    timestampSeconds: world.now() / 1000,
    finalNumber: BigInt(latest.sequence),
    finalTimestampSeconds: world.now() / 1000,
    paymentFee: 100n,
  })
})

test('an endpoint of another network is logged once and never read', async () => {
  const foreign = world.connect([
    await world.startRelay((method, result) =>
      method === 'getNetwork' ? { ...result, passphrase: 'Some Other Network' } : result,
    ),
  ])
  await foreign.start()
  assert.equal(foreign.head(), undefined)
  await assert.rejects(foreign.balances(world.user(0).publicKey(), []), /Some Other Network/)
  await foreign.stop()
  const reports = world.logged.filter(([level]) => level === 'error')
  assert.deepEqual(reports, [['error', 'rpc_endpoint_put_aside']])
})

test('skips an endpoint that is behind for a while, without logging', async () => {
  let asked = 0
  const behind = await world.startRelay((method, result) => {
    if (method === 'getTransaction') asked += 1
    return { ...result, ...('latestLedger' in result ? { latestLedger: 1, oldestLedger: 1 } : {}) }
  })
  const logged = world.logged.length
  const chain = world.connect([
    behind,
    world.node.rpcUrl,
    await world.startRelay((_method, result) => result),
  ])
  const after = world.height()
  for (let count = 0; count < 20; count += 1)
    assert.equal((await chain.readPayments([world.user(0).publicKey()], after)).upTo, after)
  await chain.stop()
  // Once for the proof that it shows payments, once for the payments.
  assert.equal(asked, 2)
  assert.deepEqual(world.logged.slice(logged), [])
})

test('user name and password of an endpoint are sent', async () => {
  const authorization: (string | undefined)[] = []
  const server = createServer((request, response) => {
    authorization.push(request.headers.authorization)
    response.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: a server that listens on TCP has a port.
  const { port } = server.address() as AddressInfo
  const chain = world.connect([`http://user:secret@127.0.0.1:${port}`])
  await assert.rejects(chain.balances(world.user(0).publicKey(), []))
  await chain.stop()
  server.close()
  assert.equal(authorization[0], `Basic ${btoa('user:secret')}`)
})

test('rejects a token that is not the contract of its asset', () => {
  const stellar = { code: 'EURC', issuer: ISSUER_KEY.address }
  assert.throws(
    () =>
      createStellarChain({
        chainId: world.node.chainId,
        rpcUrls: [world.node.rpcUrl],
        passphrase: world.node.networkPassphrase,
        tokens: [{ address: world.token('USDC'), stellar }],
        now: world.now,
        log: () => undefined,
      }),
    /EURC of G/,
  )
})

const summary = (payment: Payment) => [
  payment.from,
  payment.to,
  payment.token,
  payment.amount,
  payment.muxedId,
  payment.memo,
]

test('reads every payment to and from an account, with memo and muxed id', async () => {
  const [alice, vault, merged] = [world.user(0), world.user(1), Keypair.random()]
  const [from, to, issuer] = [alice.publicKey(), vault.publicKey(), ISSUER_KEY.address]
  const [xlm, usdc] = [world.token('XLM'), world.token('USDC')]
  world.node.faucet(xlm, merged.publicKey(), 20n * UNIT)
  await world.closeLedger()
  const startedAt = world.height()
  const expected: unknown[][] = []
  const step = async (sent: Promise<string>, ...seen: readonly unknown[][]): Promise<void> => {
    await sent
    await world.closeLedger()
    expected.push(...seen)
  }
  const muxed = muxedAddress(to, 2n ** 64n - 1n)
  await step(world.submit(alice, [pay(to, '1.5')]), [from, to, xlm, 15_000_000n, undefined, undefined])
  await step(world.submit(alice, [pay(to, '2', USDC)], Memo.text('héllo')), [
    from,
    to,
    usdc,
    2n * UNIT,
    undefined,
    'héllo',
  ])
  await step(world.submit(alice, [pay(to, '3', USDC)], Memo.hash(MEMO.slice(2))), [
    from,
    to,
    usdc,
    3n * UNIT,
    undefined,
    MEMO,
  ])
  await step(
    world.submit(alice, [pay(muxed, '4'), pay(muxed, '5', USDC)], Memo.hash(MEMO.slice(2))),
    [from, to, xlm, 4n * UNIT, 2n ** 64n - 1n, undefined],
    [from, to, usdc, 5n * UNIT, 2n ** 64n - 1n, undefined],
  )
  await step(world.submit(alice, [pay(to, '6')], Memo.id('77')), [from, to, xlm, 6n * UNIT, 77n, undefined])
  await step(
    world.submit(alice, [
      Operation.pathPaymentStrictReceive({
        sendAsset: Asset.native(),
        sendMax: '1000',
        destination: muxed,
        destAsset: USDC,
        destAmount: '7',
      }),
    ]),
    [from, to, usdc, 7n * UNIT, 2n ** 64n - 1n, undefined],
  )
  await step(world.submit(merged, [Operation.accountMerge({ destination: to })]), [
    merged.publicKey(),
    to,
    xlm,
    20n * UNIT - 100n,
    undefined,
    undefined,
  ])
  await step(world.submit(Keypair.fromSecret(ISSUER_KEY.privateKey), [pay(to, '8', USDC)]), [
    issuer,
    to,
    usdc,
    8n * UNIT,
    undefined,
    undefined,
  ])
  await step(world.submit(vault, [pay(issuer, '9', USDC)]), [
    to,
    issuer,
    usdc,
    9n * UNIT,
    undefined,
    undefined,
  ])
  const born = Keypair.random().publicKey()
  await step(
    world.submit(
      vault,
      [Operation.createAccount({ destination: born, startingBalance: '10' })],
      Memo.text('hi'),
    ),
    [to, born, xlm, 10n * UNIT, undefined, 'hi'],
  )
  const inner = await world.build(alice, [pay(muxed, '11')], Memo.text('inside'))
  const bumped = TransactionBuilder.buildFeeBumpTransaction(
    world.user(2),
    '2000',
    inner,
    world.node.networkPassphrase,
  )
  bumped.sign(world.user(2))
  await step(world.send(bumped), [from, to, xlm, 11n * UNIT, 2n ** 64n - 1n, undefined])
  const failing = await world.build(alice, [pay(to, '1'), pay(to, '999999999')])
  await step(world.send(failing))
  const claimants = [new Claimant(to)]
  await step(
    world.submit(alice, [Operation.createClaimableBalance({ asset: USDC, amount: '12', claimants })]),
  )

  const read = await world.chain.readPayments([to], startedAt)
  assert.deepEqual(read.final.map(summary), expected)
  assert.deepEqual(read.tentative, [])
  assert.equal(read.upTo, world.height())
  assert.equal(read.upToTimestampSeconds, world.now() / 1000)
  const places = read.final.map(({ blockNumber, txHash, position }) => `${blockNumber} ${txHash} ${position}`)
  assert.equal(new Set(places).size, expected.length)
  for (const { blockNumber, timestampSeconds } of read.final)
    assert.equal(timestampSeconds, world.now() / 1000 - Number(world.height() - blockNumber))
  const later = await world.chain.readPayments([to], read.final.at(-2)?.blockNumber ?? 0n)
  assert.deepEqual(later.final, read.final.slice(-1))
  const both = await world.chain.readPayments([from, to], startedAt)
  const ofBoth = both.final.filter((payment) => [payment.from, payment.to].includes(to))
  assert.deepEqual(
    ofBoth.map((payment) => ({ ...payment, memo: payment.muxedId === undefined ? payment.memo : undefined })),
    read.final,
  )
  // What an account itself pays is told with the memo, beside a muxed id too.
  assert.deepEqual(
    ofBoth.filter(({ muxedId }) => muxedId !== undefined).map(({ memo }) => memo),
    [MEMO, MEMO, '77', undefined, 'inside'],
  )
  for (const payment of [...read.final, ...ofBoth])
    assert.deepEqual(await world.chain.paymentStatements(payment), [{ endpoint: 0, confirms: true }])
  const forged = { ...read.final[0], memo: 'of another order' }
  // CAST: the first payment exists.
  assert.deepEqual(await world.chain.paymentStatements(forged as Payment), [{ endpoint: 0, confirms: false }])
})

test('14,000 payments of one stroop into an account are read without asking for a memo', async () => {
  const { calls, start, account } = await startFlood(FLOOD)
  const client = world.connect([await start()])
  let [after, count] = [FLOOD_LEDGER - 1n, 0]
  for (let reads = 0; reads < 5 && count < FLOOD; reads += 1) {
    const { final, upTo } = await client.readPayments([account], after)
    count += final.length
    after = upTo
  }
  assert.equal(count, FLOOD)
  // Seventy pages, read again where the first read ended, and the windows of both reads.
  assert.ok((calls.get('getEvents') ?? 0) <= 80, `${[...calls]}`)
  assert.ok((calls.get('getTransaction') ?? 0) <= 6, `${[...calls]}`)
})

test('a flood whose pages take longer than one reading may is read part by part, by agreement', async () => {
  const count = 6_000
  const { start, account } = await startFlood(count, SLOW_PAGE_MS)
  const urls = [await start(), await start(), await start()]
  const client = world.connect(urls, undefined, { paymentsMs: (count / EVENTS_OF_PAGE / 2) * SLOW_PAGE_MS })
  let [after, found] = [FLOOD_LEDGER - 1n, 0]
  await eventually('all payments are read', async () => {
    // A loaded machine may not read one page in time; the service reads again then, too.
    const read = await client.readPayments([account], after).catch((error: Error) => {
      assert.equal('code' in error && error.code, 'NO_AGREEMENT', String(error))
    })
    if (read === undefined) return undefined
    assert.ok(read.upTo > after)
    found += read.final.length
    after = read.upTo
    return found >= count
  })
  assert.equal(found, count)
})

test("every endpoint confirms a payment to its token's issuer, and reports it to the search for it", async () => {
  const payer = world.user(1)
  const issuer = ISSUER_KEY.address
  const start = world.height()
  const hash = await world.submit(payer, [pay(issuer, '9', USDC)])
  await world.closeLedger()
  const paidAt = world.now() / 1000
  await world.closeLedger()
  const { final } = await world.chain.readPayments([payer.publicKey()], start)
  const paid = final.find(({ txHash }) => txHash === hash)
  assert.ok(paid)
  assert.deepEqual(await world.chain.paymentStatements(paid), [{ endpoint: 0, confirms: true }])
  assert.deepEqual(await world.chain.paymentsIn(paid), [paid])
  await assert.rejects(world.chain.paymentsIn({ ...paid, txHash: '7'.repeat(64) }), { code: 'NODE_BEHIND' })
  const search = {
    about: 'a payment is absent',
    from: payer.publicKey(),
    to: { account: issuer, token: world.token('USDC') },
    memo: 'no memo',
    sinceSeconds: paidAt,
    untilSeconds: paidAt,
    nowSeconds: world.now() / 1000,
    isSought: ({ txHash }: Payment) => txHash === hash,
  }
  assert.deepEqual(await world.chain.absenceStatements(search), [{ endpoint: 0, confirms: false }])
})

test('ignores events of contracts that only imitate a token', async () => {
  const sdk = await loadStellarSdk()
  const movementOf = createMovementReader(sdk, world.node.networkPassphrase)
  const address = (account: Keypair) => new sdk.Address(account.publicKey()).toScVal()
  const event = (contractId: string, topics: readonly xdr.ScVal[], value: xdr.ScVal) => ({
    id: '0000000004294971392-0000000000',
    ledger: 1,
    ledgerClosedAt: '2026-01-01T00:00:00Z',
    contractId,
    txHash: '0'.repeat(64),
    topic: topics.map((topic) => topic.toXdr('base64')),
    value: value.toXdr('base64'),
  })
  const amount = nativeToScVal(5n, { type: 'i128' })
  const topics = (asset: string) => [
    xdr.ScVal.scvSymbol('transfer'),
    address(world.user(0)),
    address(world.user(1)),
    xdr.ScVal.scvString(asset),
  ]
  const usdc = `USDC:${ISSUER_KEY.address}`
  assert.equal(movementOf(event(world.token('USDC'), topics(usdc), amount))?.amount, 5n)
  const other = contractIdOf({ code: 'FAKE', issuer: ISSUER_KEY.address }, world.node.networkPassphrase)
  for (const [contract, asset, value] of [
    [other, usdc, amount],
    [other, 'native', amount],
    [world.token('USDC'), 'native', amount],
    [world.token('USDC'), 'USDC', amount],
    [other, usdc, xdr.ScVal.scvVoid()],
  ] as const)
    assert.equal(movementOf(event(contract, topics(asset), value)), undefined)
  const failed = { ...event(world.token('USDC'), topics(usdc), amount), inSuccessfulContractCall: false }
  assert.equal(movementOf(failed), undefined)
})

test('reads page after page from the endpoints that are up to date', async () => {
  const startedAt = world.height()
  const to = muxedAddress(world.user(3).publicKey(), 9n)
  const many = Array.from({ length: 100 }, () => pay(to, '0.0000001'))
  const senders = [0, 1, 3, 4].map(world.user)
  for (const sender of senders) await world.submit(sender, many)
  await world.closeLedger()
  await world.submit(world.user(0), many)
  await world.closeLedger()
  const silent = await world.startRelay(() => undefined)
  const behind = await world.startRelay((method, result) =>
    method === 'getTransaction' ? { ...result, latestLedger: Number(startedAt) - 1 } : result,
  )
  const sound = await Promise.all([0, 1].map(() => world.startRelay((_method, result) => result)))
  const several = world.connect([silent, behind, world.node.rpcUrl, ...sound])
  const { final, upTo } = await several.readPayments([world.user(3).publicKey()], startedAt)
  assert.equal(upTo, world.height())
  assert.equal(final.length, 500)
  assert.equal(new Set(final.map(({ txHash, position }) => `${txHash} ${position}`)).size, 500)
  const everybody = await several.readPayments(
    world.node.accounts.map(({ address }) => address),
    startedAt,
  )
  assert.deepEqual(everybody.final, final)
  await several.stop()
})

/** A node that always returns another full page, of so many events per ledger after a ledger. */
const floodOf = (perLedger: number, after: number) => {
  let told = 0
  const eventAt = (index: number) => {
    const ledger = after + 1 + Math.floor(index / perLedger)
    const event = (index % perLedger).toString().padStart(10, '0')
    const order = (BigInt(ledger) << 32n).toString().padStart(19, '0')
    return {
      id: `${order}-${event}`,
      ledger,
      ledgerClosedAt: new Date(ledger * 1000).toISOString(),
      contractId: '',
      txHash: '0'.repeat(64),
      value: '',
    }
  }
  const answer = async ([call]: readonly RpcCall[]): Promise<readonly RpcAnswer[]> => {
    const { pagination } = Paged.parse(call?.params)
    const events = Array.from({ length: pagination.limit }, (_, index) => eventAt(told + index))
    told += events.length
    const cursor = events.at(-1)?.id
    const window = {
      latestLedger: 10 ** 6,
      oldestLedger: 1,
      latestLedgerCloseTime: '9',
      oldestLedgerCloseTime: '1',
    }
    return [{ ok: true, result: { ...window, events, cursor } }]
  }
  const ask: RpcAsk = Object.assign(answer, { checkTime: () => undefined })
  return { ask, eventAt, told: () => told }
}

for (const perLedger of [150, 90_000])
  test(`reads a flood of ${perLedger} events per ledger up to the last complete ledger`, async () => {
    const after = 7
    const { ask, eventAt, told } = floodOf(perLedger, after)
    const range = { after, first: after + 1 }
    const account = world.user(0).publicKey()
    const { upTo, upToTimestampSeconds, events } = await readAssetEvents(
      await loadStellarSdk(),
      ask,
      [account],
      range,
    )
    const whole = Math.floor(told() / perLedger)
    assert.ok(whole > 0 && told() > 5_000 && told() < 100_000)
    assert.equal(upTo, after + whole)
    assert.equal(upToTimestampSeconds, upTo)
    assert.deepEqual(
      events.map(({ id }) => id),
      Array.from({ length: whole * perLedger }, (_, index) => eventAt(index).id),
    )
  })

test('rejects when the node no longer has, or does not yet have, the requested ledgers', async () => {
  const account = world.user(0).publicKey()
  assert.deepEqual(await world.chain.readPayments([account], world.height()), {
    upTo: world.height(),
    upToTimestampSeconds: world.now() / 1000,
    final: [],
    tentative: [],
  })
  await assert.rejects(world.chain.readPayments([account], world.height() + 1n), /the node is at/)
  const first = world.height()
  for (let more = 0; more <= RETAINED_LEDGERS; more += 1) world.node.closeLedger()
  await world.closeLedger()
  await assert.rejects(world.chain.readPayments([account], first), /the node knows them from \d+ on/)
  await assert.rejects(world.chain.readPayments([account], 0n), /the node knows them from \d+ on/)
})
