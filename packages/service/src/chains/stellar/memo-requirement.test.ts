import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  Account,
  Horizon,
  Keypair,
  Memo,
  MuxedAccount,
  Operation,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import { type LocalServer, startLocalServer } from '../../../test/local-server.ts'
import { openStellarWorld, pay, type StellarWorld, UNIT } from '../../../test/stellar-world.ts'
import { keysOfVault } from '../../core/vault-signers.ts'
import type { SharedAccounts } from '../payment-chain.ts'

const ENTRY = 'config.memo_required'

let world: StellarWorld
let horizon: LocalServer
let accounts: SharedAccounts

before(async () => {
  world = await openStellarWorld()
  assert.ok(world.chain.sharedAccounts)
  accounts = world.chain.sharedAccounts
  // An account as Horizon tells it, with its data entries in base64.
  horizon = await startLocalServer(async ({ url }, response) => {
    const id = url.split('/').at(-1) ?? ''
    const accountId = new Account(id, '0').accountId()
    const found = await world.server.getLedgerEntries(dataKey(accountId))
    const values = found.entries.flatMap(({ val }) =>
      val.type === 'data' ? [Buffer.from(val.value.dataValue.value).toString('base64')] : [],
    )
    response.setHeader('content-type', 'application/json')
    const data = values[0] === undefined ? {} : { [ENTRY]: values[0] }
    const links = { data: { href: `${horizon.url}/accounts/${id}/data/{key}`, templated: true } }
    response.end(JSON.stringify({ id, account_id: id, sequence: '1', _links: links, data }))
  })
})

after(async () => {
  horizon?.stop()
  await world?.close()
})

const dataKey = (account: string): xdr.LedgerKey =>
  xdr.LedgerKey.data(
    new xdr.LedgerKeyData({
      accountId: Keypair.fromPublicKey(account).xdrAccountId(),
      dataName: ENTRY,
    }),
  )

/** What the SDK's own check says about a payment, before it submits it to Horizon. */
const check = async (payer: Keypair, destination: string, memo?: Memo): Promise<string> => {
  const transaction = await world.build(payer, [pay(destination, '1')], memo)
  return new Horizon.Server(horizon.url, { allowHttp: true })
    .checkMemoRequired(transaction)
    .then(() => 'sent')
    .catch((error: Error) => error.message)
}

/** Lands operations of an account that keys sign; how the ledger ended them. */
const land = async (account: string, keys: readonly Keypair[], operations: readonly xdr.Operation[]) => {
  const builder = new TransactionBuilder(await world.server.getAccount(account), {
    fee: '1000',
    networkPassphrase: world.node.networkPassphrase,
  })
  for (const operation of operations) builder.addOperation(operation)
  return submit(builder.setTimeout(0).build().toEnvelope().toXdr('base64'), keys)
}

const submit = async (text: string, keys: readonly Keypair[]): Promise<string> => {
  const transaction = TransactionBuilder.fromXdr(text, world.node.networkPassphrase)
  for (const key of keys) transaction.sign(key)
  const { status, hash } = await world.server.sendTransaction(transaction)
  if (status !== 'PENDING') return status
  await world.closeLedger()
  return (await world.server.getTransaction(hash)).status
}

test('once a vault has its keys, Stellar clients pay it with a muxed id or a memo only', async () => {
  const [service, cosigner, recovery, payer] = [0, 1, 2, 9].map(world.user)
  assert.ok(service && cosigner && recovery && payer)
  const vault = service.publicKey()
  assert.equal(await check(payer, vault), 'sent')
  const plan = await accounts.planKeys(
    vault,
    keysOfVault({ service: vault, cosigner: cosigner.publicKey(), recovery: recovery.publicKey() }),
  )
  assert.ok(plan)
  assert.match((await accounts.readPlan(plan)).changes[0] ?? '', /^wallets ask for a memo/)
  assert.equal(await submit(await accounts.signPlan(plan, [service.secret()]), []), 'SUCCESS')
  assert.equal(await accounts.asksForMemo(vault), true)

  assert.equal(await check(payer, vault), 'account requires memo')
  const muxed = new MuxedAccount(new Account(vault, '0'), '12345').accountId()
  assert.equal(await check(payer, muxed), 'sent')
  assert.equal(await check(payer, vault, Memo.id('12345')), 'sent')

  // The ledger itself pays as before, and what comes without a memo is read as a deposit that names no order.
  const before = world.height()
  await world.submit(payer, [pay(vault, '1'), pay(muxed, '2')])
  await world.closeLedger()
  const { final } = await world.chain.readPayments([vault], before)
  assert.deepEqual(
    final.map(({ amount, muxedId }) => [amount, muxedId]),
    [
      [UNIT, undefined],
      [2n * UNIT, 12_345n],
    ],
  )
})

test('a vault that has its keys already asks for memos by a transaction of service and co-signer', async () => {
  const [service, cosigner, recovery, renewed] = [3, 4, 5, 6].map(world.user)
  assert.ok(service && cosigner && recovery && renewed)
  const vault = service.publicKey()
  const signers = { service: vault, cosigner: cosigner.publicKey(), recovery: recovery.publicKey() }
  const wanted = keysOfVault(signers)
  const first = await accounts.planKeys(vault, wanted)
  assert.ok(first)
  assert.equal(await submit(first, [service]), 'SUCCESS')
  const remove = [Operation.manageData({ name: ENTRY, value: null })]
  assert.equal(await land(vault, [service, cosigner], remove), 'SUCCESS')
  assert.equal(await accounts.asksForMemo(vault), false)

  const asking = async () => {
    const plan = await accounts.planKeys(vault, wanted)
    assert.ok(plan)
    const { changes } = await accounts.readPlan(plan)
    assert.equal(changes.length, 1, `${changes}`)
    return plan
  }
  assert.notEqual(await submit(await asking(), [service, recovery]), 'SUCCESS')
  assert.equal(await accounts.asksForMemo(vault), false)

  // A lost key is replaced by the recovery key and another one, which could not make the entry.
  const rotation = await accounts.planKeys(vault, keysOfVault({ ...signers, cosigner: renewed.publicKey() }))
  assert.ok(rotation)
  assert.deepEqual((await accounts.readPlan(rotation)).changes.slice(0, 2), [
    `${renewed.publicKey()} signs with weight 2`,
    `${cosigner.publicKey()} signs no more`,
  ])

  assert.equal(await submit(await asking(), [service, cosigner]), 'SUCCESS')
  assert.equal(await accounts.asksForMemo(vault), true)
  assert.equal(await accounts.planKeys(vault, wanted), undefined)
})

test('an entry of another name or value is nothing that a vault signs', async () => {
  const payer = world.user(8)
  for (const [name, value] of [
    [ENTRY, '0'],
    [ENTRY, null],
    ['config.other', '1'],
  ] as const) {
    const text = (await world.build(payer, [Operation.manageData({ name, value })]))
      .toEnvelope()
      .toXdr('base64')
    await assert.rejects(accounts.signPlan(text, [payer.secret()]), RangeError)
  }
  await world.submit(payer, [Operation.manageData({ name: ENTRY, value: '0' })])
  await world.closeLedger()
  assert.equal(await accounts.asksForMemo(payer.publicKey()), false)
})
