import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ISSUER_KEY } from '@openrfq/sandbox/src/stellar/keys.ts'
import { Asset, Keypair, Memo, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import { type HorizonRecord, startHorizon } from '../../test/horizon.ts'
import { openOwnStore } from '../../test/outbox-world.ts'
import { rfq } from '../../test/rfq-process.ts'
import {
  openStellarWorld,
  pay,
  RETAINED_LEDGERS,
  type StellarWorld,
  UNIT,
  USDC,
} from '../../test/stellar-world.ts'
import { createReaderSource } from '../chains/payment-source.ts'
import { createHorizonPayments } from '../chains/stellar/horizon-payments.ts'
import { muxedAddress } from '../chains/stellar/muxed-account.ts'
import type { Payment } from '../core/payment.ts'
import { cursorOf } from '../intents/payment-cursor.ts'
import type { VaultChain } from '../intents/vault/payment-indexer.ts'
import { createHttpClient } from '../lib/http-client.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import { closeGap } from './close-gap.ts'

const MEMO = `0x${'ab'.repeat(32)}`

let files: Awaited<ReturnType<typeof openOwnStore>>
let world: StellarWorld
let horizon: Awaited<ReturnType<typeof startHorizon>>
let vaultChain: VaultChain
/** What the endpoints told of the gap before they forgot it. */
let missed: readonly Payment[]
let start = 0n

const client = createHttpClient()
const vault = () => world.user(5)
const address = () => vault().publicKey()

before(async () => {
  files = await openOwnStore()
  world = await openStellarWorld()
  horizon = await startHorizon(world.server, world.node.networkPassphrase)
  const { signingMarks } = world.chain
  assert.ok(signingMarks)
  vaultChain = {
    chain: world.chain,
    readAfter: undefined,
    signingMarks,
    vault: address(),
    treasury: [world.user(6).publicKey()],
    tokens: [world.token('XLM'), world.token('USDC')],
    dailyLimitOf: () => undefined,
    unmatchedTermsOf: () => undefined,
    dustOf: () => 0n,
  }
  await world.closeLedger()
  start = world.height()
  await horizon.ingest()
  await makePayments()
  await horizon.ingest()
  missed = (await world.chain.readPayments([address()], start)).final
  // The service is down for longer than its endpoints keep history.
  for (let ledger = 0; ledger < 2 * RETAINED_LEDGERS; ledger += 1) {
    await world.closeLedger()
    if (ledger % 20 === 0) await horizon.ingest()
  }
  await horizon.ingest()
  await assert.rejects(world.chain.readPayments([address()], start), /the node knows them from/)
})

after(async () => {
  client.close()
  horizon?.stop()
  await world?.close()
  await files?.remove()
})

/** Payments of every kind to and from the vault, each in a ledger of its own. */
const makePayments = async (): Promise<void> => {
  const [alice, merged] = [world.user(0), Keypair.random()]
  const muxed = muxedAddress(address(), 77n)
  world.node.faucet(world.token('XLM'), merged.publicKey(), 20n * UNIT)
  await world.closeLedger()
  const inner = await world.build(alice, [pay(muxed, '11')], Memo.text('inside'))
  const { networkPassphrase } = world.node
  const bumped = TransactionBuilder.buildFeeBumpTransaction(world.user(2), '2000', inner, networkPassphrase)
  bumped.sign(world.user(2))
  const steps = [
    () => world.send(bumped),
    () => world.submit(alice, [pay(address(), '1.5'), pay(muxed, '2', USDC)]),
    () => world.submit(alice, [pay(address(), '3', USDC)], Memo.hash(MEMO.slice(2))),
    () => world.submit(alice, [pay(address(), '4')], Memo.id('78')),
    () =>
      world.submit(alice, [
        Operation.pathPaymentStrictReceive({
          ...{
            sendAsset: Asset.native(),
            sendMax: '1000',
            destination: muxed,
            destAsset: USDC,
            destAmount: '7',
          },
        }),
        Operation.pathPaymentStrictSend({
          ...{
            sendAsset: Asset.native(),
            sendAmount: '50',
            destination: muxed,
            destAsset: USDC,
            destMin: '0.1',
          },
        }),
      ]),
    () => world.submit(merged, [Operation.accountMerge({ destination: address() })]),
    () => world.submit(Keypair.fromSecret(ISSUER_KEY.privateKey), [pay(address(), '8', USDC)]),
    () =>
      world.submit(
        vault(),
        [pay(ISSUER_KEY.address, '1', USDC), pay(muxedAddress(alice.publicKey(), 5n), '2')],
        Memo.hash(MEMO.slice(2)),
      ),
    () =>
      world.submit(
        vault(),
        [Operation.createAccount({ destination: Keypair.random().publicKey(), startingBalance: '10' })],
        Memo.text('hi'),
      ),
    async () => world.send(await world.build(alice, [pay(address(), '1'), pay(address(), '999999999')])),
    () => world.submit(world.user(6), [pay(address(), '100')]),
  ]
  for (const step of steps) {
    await step()
    await world.closeLedger()
  }
}

const sourceOf = (url = horizon.url, passphrase = world.node.networkPassphrase) =>
  createHorizonPayments({ chainId: world.chain.chainId, passphrase, url: new URL(url), client })

/** A store of a service that was stopped before the gap. */
const stopped = async () => {
  const store = files.store()
  await store.savePayments(world.chain.chainId, cursorOf({ number: start, seconds: undefined }), [])
  return store
}

const close = async (
  store: Awaited<ReturnType<typeof stopped>>,
  wanted: 'shown' | 'recorded',
  source = sourceOf(),
) => {
  const gap = await closeGap({ vaultChain, store, match: async () => undefined, source, wanted })
  assert.ok(gap)
  return gap
}
const cursorIn = async (store: Awaited<ReturnType<typeof stopped>>) =>
  (await store.findCursor(world.chain.chainId))?.blockNumber

test('records what Horizon tells of the gap as the endpoints would have, once', async () => {
  const store = await stopped()
  const shown = await close(store, 'shown')
  assert.deepEqual(shown.objections, [])
  assert.equal(await cursorIn(store), start)
  assert.deepEqual(await store.listPayments(world.chain.chainId, 100), [])

  const gap = await close(store, 'recorded')
  const listed = (one: Payment) => {
    const {
      chainId,
      txHash,
      position,
      blockNumber,
      timestampSeconds,
      from,
      to,
      muxedId,
      token,
      amount,
      memo,
    } = one
    return {
      chainId,
      txHash,
      position,
      blockNumber,
      timestampSeconds,
      from,
      to,
      muxedId,
      token,
      amount,
      memo,
    }
  }
  const treasury = world.user(6).publicKey()
  const expected = missed.filter(({ from }) => from !== treasury)
  assert.equal(expected.length, missed.length - 1)
  assert.deepEqual(gap.payments.map(listed), expected.map(listed))
  assert.deepEqual(new Set(gap.payments.map(({ role }) => role)), new Set(['deposit', 'payout']))
  assert.equal(await cursorIn(store), gap.upTo)
  const stored = await store.listPayments(world.chain.chainId, 100)
  assert.equal(stored.length, expected.length)

  // Again from the old place: the same payments, and no other.
  await store.savePayments(world.chain.chainId, cursorOf({ number: start, seconds: undefined }), [])
  assert.equal((await close(store, 'recorded')).isRecorded, true)
  assert.deepEqual(await store.listPayments(world.chain.chainId, 100), stored)
  // Without a gap there is nothing to tell.
  const rest = {
    vaultChain,
    store,
    match: async () => undefined,
    source: sourceOf(),
    wanted: 'recorded',
  } as const
  assert.equal(await closeGap(rest), undefined)
})

test('a node with a longer history tells the same as Horizon', async () => {
  const store = await stopped()
  const source = createReaderSource(async (accounts, after) => {
    assert.deepEqual(accounts, [address()])
    const newer = missed.filter(({ blockNumber }) => blockNumber > after)
    return { final: newer, upTo: world.height(), upToTimestampSeconds: 0, tentative: [] }
  })
  const [one, other] = [await close(store, 'shown', source), await close(store, 'shown')]
  assert.deepEqual(one.payments, other.payments)
})

test('rfq reconcile shows what Horizon tells of the gap, and records it when told to', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-gap-'))
  const { chainId, rpcUrl, networkPassphrase: passphrase, assets } = world.node
  const open = () => openSqliteStore({ directory, log: () => undefined })
  const first = await open()
  await first.savePayments(chainId, cursorOf({ number: start, seconds: undefined }), [])
  await first.close()
  const network = {
    chains: [
      {
        ...{ chainId, chainLabel: 'Stellar', chainType: 'stellar', finality: 'finalized', passphrase },
        nativeToken: { symbol: 'XLM', decimals: 7 },
        ...{ rpcUrls: [rpcUrl], trustSingleEndpoint: true },
        attested: { settler: address(), finalitySeconds: 1, treasury: [world.user(6).publicKey()] },
      },
    ],
    tokens: assets
      .filter(({ symbol }) => ['XLM', 'USDC'].includes(symbol))
      .map(({ address: token, symbol, name, decimals, asset }) => {
        const [code, issuer] = asset.split(':')
        return {
          chainId,
          address: token,
          symbol,
          name,
          decimals,
          verified: true,
          ...(issuer === undefined ? {} : { stellar: { code, issuer } }),
        }
      }),
    intent: { solvers: [{ name: 'one', address: `0x${'11'.repeat(20)}` }] },
  }
  const file = join(directory, 'network.json')
  writeFileSync(file, JSON.stringify(network))
  const run = (...flags: readonly string[]) =>
    rfq(['reconcile', '--json', ...flags], { RFQ_CONFIG: file, DATA_DIR: directory })
  const count = missed.length - 1

  const blind = await run()
  assert.notEqual(blind.code, 0)
  const shown = await run('--horizon', horizon.url)
  assert.equal(shown.code, 4, shown.output)
  assert.match(shown.output, /"isRecorded": ?false/)
  const recorded = await run('--horizon', horizon.url, '--record')
  assert.equal(recorded.code, 0, recorded.output)
  assert.match(recorded.output, /"isRecorded": ?true/)
  const after = await run('--horizon', horizon.url)
  assert.match(after.output, /"gaps": ?\[\]/)
  const store = await open()
  assert.equal((await store.listPayments(chainId, 100)).length, count)
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

type Change = (told: readonly HorizonRecord[]) => readonly HorizonRecord[]
const last = (told: readonly HorizonRecord[]): HorizonRecord => {
  const record = told.at(-1)
  assert.ok(record)
  return record
}
const inOrder = (records: readonly HorizonRecord[]): readonly HorizonRecord[] =>
  records.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1))
const within = (told: readonly HorizonRecord[], ledger: bigint): HorizonRecord => ({
  ...last(told),
  id: `${(ledger << 32n) | (1n << 12n) | 1n}`,
})

/** A signed payment that no ledger includes. */
const invented = async (amount: string): Promise<Change> => {
  const transaction = await world.build(world.user(1), [pay(address(), amount)])
  const hash = Buffer.from(transaction.hash()).toString('hex')
  return (told) =>
    inOrder([
      ...told,
      {
        ...within(told, start + 40n),
        ...{ type: 'payment', transaction_successful: true, transaction_hash: hash },
        transaction: { ...last(told).transaction, envelope_xdr: transaction.toEnvelope().toXdr('base64') },
      },
    ])
}

test('a source that lies about what the endpoints know records nothing', async () => {
  await world.submit(world.user(0), [pay(address(), '5')])
  // The gap ends five minutes of ledgers after the oldest one that endpoints retain.
  for (let ledger = 0; ledger < 3; ledger += 1) await world.closeLedger()
  await horizon.ingest()
  const cases: readonly (readonly [string, Change, RegExp])[] = [
    ['hides the newest payment', (told) => told.slice(0, -1), /the source hides payment 0 of/],
    ['hides all', () => [], /the source hides payment 0 of/],
    ['tells a payment twice', (told) => [...told, last(told)], /out of order/],
    [
      'renames a transaction',
      (told) => told.map((one) => ({ ...one, transaction_hash: '0'.repeat(64) })),
      /another transaction/,
    ],
  ]
  const store = await stopped()
  for (const [name, change, expected] of cases) {
    horizon.tell(change)
    const answer = await close(store, 'recorded').then(
      ({ objections, isRecorded }) => `${isRecorded} ${objections.join()}`,
      (error: unknown) => String(error),
    )
    assert.match(answer, expected, name)
    assert.equal(await cursorIn(store), start, name)
  }
  horizon.tell((told) => told)
  await assert.rejects(close(store, 'recorded', sourceOf(horizon.url, 'Another network')), /is of OpenRFQ/)
})

test('an invented deposit is not recorded unless the vault holds it, and never paid by its word', async () => {
  const store = await stopped()
  horizon.tell(await invented('9000000'))
  const greedy = await close(store, 'recorded')
  assert.match(greedy.objections.join(), /the vault holds \d+ C.*, and would owe 9\d+/)
  assert.deepEqual([greedy.isRecorded, await cursorIn(store)], [false, start])

  horizon.tell(await invented('1'))
  const modest = await close(store, 'recorded')
  horizon.tell((told) => told)
  assert.deepEqual([modest.objections, modest.isRecorded], [[], true])
  const [payment] = modest.payments.filter(({ from }) => from === world.user(1).publicKey())
  assert.ok(payment)
  // The co-signer pays nothing for a deposit that its own endpoints do not find.
  await assert.rejects(world.chain.paymentsIn(payment))
})

test('payments of other accounts are no payments of the vault', async () => {
  const store = await stopped()
  const foreign = await world.build(world.user(1), [pay(world.user(2).publicKey(), '1')])
  horizon.tell((told) =>
    inOrder([
      ...told,
      {
        ...within(told, start + 41n),
        transaction_hash: Buffer.from(foreign.hash()).toString('hex'),
        transaction: { ...last(told).transaction, envelope_xdr: foreign.toEnvelope().toXdr('base64') },
      },
    ]),
  )
  const { payments } = await close(store, 'shown')
  horizon.tell((told) => told)
  assert.equal(payments.length, missed.length - 1)
})
