import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Asset, Claimant, type Keypair, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk'
import { openStellarWorld, pay, type StellarWorld } from '../../../test/stellar-world.ts'
import { keysOfVault } from '../../core/vault-signers.ts'
import type { PaymentChain, SharedAccounts } from '../payment-chain.ts'

let world: StellarWorld

before(async () => {
  world = await openStellarWorld()
})

after(() => world.close())

const accountsOf = ({ sharedAccounts }: PaymentChain): SharedAccounts => {
  assert.ok(sharedAccounts)
  return sharedAccounts
}

/** A vault whose own key is the service's, with its three signers. */
const openVault = async (first: number) => {
  const [service, cosigner, recovery] = [world.user(first), world.user(first + 1), world.user(first + 2)]
  const wanted = keysOfVault({
    service: service.publicKey(),
    cosigner: cosigner.publicKey(),
    recovery: recovery.publicKey(),
  })
  const vault = service.publicKey()
  const accounts = accountsOf(world.chain)
  const plan = await accounts.planKeys(vault, wanted)
  assert.ok(plan)
  await land(await accounts.signPlan(plan, [service.secret()]))
  return { vault, service, cosigner, recovery, wanted, accounts }
}

/** Lands a change of keys. */
const land = async (transaction: string): Promise<void> => {
  const submission = await accountsOf(world.chain).submission(transaction)
  await world.chain.broadcast(submission.rawTransaction)
  await world.closeLedger()
  assert.equal(await world.chain.outcome(submission), 'succeeded')
}

/** Submits operations of an account signed by keys; what the ledger says. */
const attempt = async (
  account: string,
  keys: readonly Keypair[],
  operations: readonly xdr.Operation[],
): Promise<string> => {
  const builder = new TransactionBuilder(await world.server.getAccount(account), {
    fee: '1000',
    networkPassphrase: world.node.networkPassphrase,
  })
  for (const operation of operations) builder.addOperation(operation)
  const transaction = builder.setTimeout(0).build()
  transaction.sign(...keys)
  const { status, errorResult } = await world.server.sendTransaction(transaction)
  if (status !== 'PENDING') return errorResult?.result.type ?? status
  await world.closeLedger()
  const hash = Buffer.from(transaction.hash()).toString('hex')
  return (await world.server.getTransaction(hash)).status
}

/** Makes a balance of one lumen that an account may claim; its id. */
const makeBalance = async (maker: Keypair, claimant: string): Promise<string> => {
  const operation = Operation.createClaimableBalance({
    asset: Asset.native(),
    amount: '1',
    claimants: [new Claimant(claimant, Claimant.predicateUnconditional())],
  })
  const transaction = await world.build(maker, [operation])
  await world.send(transaction)
  await world.closeLedger()
  return transaction.getClaimableBalanceId(0)
}

const balanceOf = async (account: string): Promise<bigint> => {
  const [amount] = await world.chain.agreedBalances(account, [world.token('XLM')])
  return amount ?? 0n
}

test('no signature of one key of three moves or costs anything', async () => {
  const { vault, service, cosigner, recovery } = await openVault(0)
  const thief = world.user(9)
  const balanceId = await makeBalance(thief, vault)
  const held = await balanceOf(vault)
  const attacks: readonly (readonly [string, xdr.Operation])[] = [
    ['payment', pay(thief.publicKey(), '1')],
    ['accountMerge', Operation.accountMerge({ destination: thief.publicKey() })],
    ['bumpSequence', Operation.bumpSequence({ bumpTo: '9000000000000000000' })],
    ['claim', Operation.claimClaimableBalance({ balanceId })],
    ['signer', Operation.setOptions({ signer: { ed25519PublicKey: thief.publicKey(), weight: 4 } })],
    ['thresholds', Operation.setOptions({ medThreshold: 1 })],
    ['home domain', Operation.setOptions({ homeDomain: 'thief.example' })],
    ['data', Operation.manageData({ name: 'a', value: 'b' })],
  ]
  for (const key of [service, cosigner, recovery])
    for (const [name, operation] of attacks)
      assert.equal(await attempt(vault, [key], [operation]), 'txBadAuth', name)
  assert.equal(await balanceOf(vault), held)
})

test('service and co-signer pay and claim; the recovery key and another one cannot pay', async () => {
  const { vault, service, cosigner, recovery } = await openVault(3)
  const payee = world.user(9).publicKey()
  const claim = Operation.claimClaimableBalance({ balanceId: await makeBalance(world.user(9), vault) })
  assert.equal(await attempt(vault, [service, cosigner], [claim, pay(payee, '1')]), 'SUCCESS')
  assert.equal(await attempt(vault, [service, recovery], [pay(payee, '1')]), 'txFailed')
  assert.equal(await attempt(vault, [cosigner, recovery], [pay(payee, '1')]), 'txFailed')
})

test('the recovery key and a living one replace a lost key, and the vault pays under the new one', async () => {
  const { vault, service, cosigner, recovery, accounts } = await openVault(6)
  const renewed = world.user(2)
  const wanted = keysOfVault({
    service: renewed.publicKey(),
    cosigner: cosigner.publicKey(),
    recovery: recovery.publicKey(),
  })
  const plan = await accounts.planKeys(vault, wanted)
  assert.ok(plan)
  assert.deepEqual((await accounts.readPlan(plan)).changes, [
    `${renewed.publicKey()} signs with weight 2`,
    `${vault} signs no more`,
    'the low threshold becomes 3',
    'the medium threshold becomes 4',
    'the high threshold becomes 3',
  ])
  await land(await accounts.signPlan(plan, [cosigner.secret(), recovery.secret()]))
  assert.equal(await accounts.planKeys(vault, wanted), undefined)
  assert.deepEqual(await accounts.keysOf(vault), wanted)
  const payee = world.user(9).publicKey()
  assert.equal(await attempt(vault, [service, cosigner], [pay(payee, '1')]), 'txBadAuth')
  assert.equal(await attempt(vault, [renewed, cosigner], [pay(payee, '1')]), 'SUCCESS')
})

test('signs a plan only if it is a change of keys', async () => {
  const { accounts } = { accounts: accountsOf(world.chain) }
  const payer = world.user(9)
  for (const operation of [
    pay(world.user(0).publicKey(), '1'),
    Operation.setOptions({ homeDomain: 'thief.example' }),
    Operation.setOptions({ source: world.user(0).publicKey(), masterWeight: 0 }),
    Operation.accountMerge({ destination: world.user(0).publicKey() }),
  ]) {
    const text = (await world.build(payer, [operation])).toEnvelope().toXdr('base64')
    await assert.rejects(accounts.signPlan(text, [payer.secret()]), RangeError)
  }
  await assert.rejects(accounts.signPlan('AAAA', [payer.secret()]), RangeError)
})
