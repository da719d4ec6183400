import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ISSUER_KEY } from '@openrfq/sandbox/src/stellar/keys.ts'
import { Asset, Claimant, Keypair, Operation, Transaction, TransactionBuilder } from '@stellar/stellar-sdk'
import { openStellarWorld, pay, type StellarWorld, UNIT, USDC } from '../../../test/stellar-world.ts'
import type { UnpayableReason } from '../../core/offer.ts'
import type { Payout } from '../../core/payout.ts'
import type { PaymentChain } from '../payment-chain.ts'
import { muxedAddress } from './muxed-account.ts'
import { parseSigned } from './signed-text.ts'

let world: StellarWorld

before(async () => {
  world = await openStellarWorld()
})

after(() => world.close())

const textOf = (why: UnpayableReason | undefined): string | undefined =>
  why === undefined ? undefined : `${why.reasonCode}: ${why.reason}`

test('explains why a recipient cannot be paid', async () => {
  const [holder, poor, frozen] = [world.user(0), Keypair.random(), Keypair.random()]
  const issuer = Keypair.random()
  for (const account of [poor, frozen, issuer])
    world.node.faucet(world.token('XLM'), account.publicKey(), 100n * UNIT)
  const [xlm, usdc] = [world.token('XLM'), world.token('USDC')]
  await world.submit(poor, [
    Operation.changeTrust({ asset: USDC, limit: '5' }),
    Operation.manageData({ name: 'config.memo_required', value: '1' }),
  ])
  await world.submit(issuer, [Operation.setOptions({ setFlags: 1 })])
  await world.closeLedger()
  const guarded = new Asset('GUARD', issuer.publicKey())
  await world.submit(frozen, [Operation.changeTrust({ asset: guarded })])
  await world.closeLedger()
  const guard = guarded.contractId(world.node.networkPassphrase)
  const own = world.connect(
    [world.node.rpcUrl],
    [{ address: guard, stellar: { code: 'GUARD', issuer: issuer.publicKey() } }],
  )
  const why = async (recipient: string, asset: string, amount = UNIT) =>
    textOf(await world.chain.whyNotPayable(recipient, asset, amount))
  const nobody = Keypair.random().publicKey()
  assert.equal(await why(holder.publicKey(), usdc), undefined)
  assert.equal(await why(muxedAddress(holder.publicKey(), 1n), usdc), undefined)
  assert.equal(await why(holder.publicKey(), xlm), undefined)
  assert.equal(await why(ISSUER_KEY.address, usdc, 2n ** 62n), undefined)
  assert.match(
    (await why(holder.publicKey(), usdc, 2n ** 63n - 1n)) ?? '',
    /takes \d+ base units of USDC at most/,
  )
  assert.match((await why(holder.publicKey(), usdc, 2n ** 63n)) ?? '', /larger than/)
  assert.match((await why(usdc, xlm)) ?? '', /^not_a_wallet: contracts are not paid/)
  assert.match((await why(nobody, xlm)) ?? '', /^no_account: .*does not exist/)
  assert.match((await why(muxedAddress(nobody, 1n), xlm)) ?? '', /^no_account: .*does not exist/)
  assert.match((await why(poor.publicKey(), xlm)) ?? '', /^memo_required: .*memo of its own/)
  const shared = muxedAddress(poor.publicKey(), 5n)
  assert.equal(await why(shared, usdc, 5n * UNIT), undefined)
  assert.match((await why(shared, usdc, 5n * UNIT + 1n)) ?? '', /takes 50000000 base units of USDC at most/)
  assert.match((await why(issuer.publicKey(), usdc)) ?? '', /^no_trustline: .*no trustline for USDC/)
  assert.match(textOf(await own.whyNotPayable(frozen.publicKey(), guard, 1n)) ?? '', /^not_authorised: /)
  assert.match(textOf(await own.whyNotPayable(holder.publicKey(), guard, 1n)) ?? '', /no trustline for GUARD/)
  await assert.rejects(own.whyNotPayable(holder.publicKey(), usdc, 1n), /has no asset/)
  await own.stop()
})

test("caches a recipient's account for five seconds, and a failed read not at all", async () => {
  let reads = 0
  let isUp = true
  const relay = await world.startRelay((method, result) => {
    if (method === 'getLedgerEntries') reads += 1
    return isUp ? result : undefined
  })
  const counted = world.connect([relay])
  const ask = () => counted.whyNotPayable(world.user(5).publicKey(), world.token('USDC'), 1n)
  isUp = false
  await assert.rejects(ask())
  isUp = true
  world.passSeconds(60)
  reads = 0
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [undefined, undefined, undefined])
  await ask()
  assert.equal(reads, 1)
  world.passSeconds(5)
  await ask()
  assert.equal(reads, 2)
  await counted.stop()
})

test('one endpoint of three that hides an account decides nothing about a payout', async () => {
  const issuer = Keypair.random()
  world.node.faucet(world.token('XLM'), issuer.publicKey(), 100n * UNIT)
  const usdc = world.token('USDC')
  const [closed, open] = [issuer.publicKey(), world.user(6).publicKey()]
  const empty = await world.startRelay((method, result) =>
    method === 'getLedgerEntries' ? { ...result, entries: [] } : result,
  )
  const honest = () => world.startRelay((_method, result) => result)
  const [first, second] = [await honest(), await honest()]
  const hidden = world.connect([empty, first, second])
  assert.equal((await hidden.whyNotPayable(open, usdc, 1n))?.reasonCode, 'no_account')
  assert.equal(await hidden.agreedWhyNotPayable(open, usdc, 1n), undefined)
  assert.equal((await hidden.agreedWhyNotPayable(closed, usdc, 1n))?.reasonCode, 'no_trustline')
  await assert.rejects(hidden.agreedWhyNotPayable(open, Asset.native().contractId('no'), 1n), /has no asset/)
  await hidden.stop()
  const lone = world.connect([empty, first, await world.startRelay(() => undefined)])
  await assert.rejects(lone.agreedWhyNotPayable(open, usdc, 1n), /too few endpoints say the same/)
  await lone.stop()
})

test('the spendable balance is exactly what the ledger lets out', async () => {
  const owner = Keypair.random()
  world.node.faucet(world.token('XLM'), owner.publicKey(), 20n * UNIT)
  await world.submit(owner, [
    Operation.changeTrust({ asset: USDC }),
    Operation.manageData({ name: 'note', value: 'x' }),
    Operation.createClaimableBalance({
      asset: Asset.native(),
      amount: '1',
      claimants: [new Claimant(world.user(0).publicKey())],
    }),
  ])
  await world.closeLedger()
  world.node.faucet(world.token('USDC'), owner.publicKey(), 7n * UNIT)
  await world.submit(owner, [
    Operation.manageSellOffer({ selling: USDC, buying: Asset.native(), amount: '2', price: '1000' }),
    Operation.manageSellOffer({ selling: Asset.native(), buying: USDC, amount: '3', price: '1000' }),
  ])
  await world.closeLedger()
  const read = () =>
    world.chain.balances(owner.publicKey(), [world.token('XLM'), world.token('USDC'), world.token('EURC')])
  const { number, amounts } = await read()
  const [xlm = 0n, usdc = 0n, eurc] = amounts
  assert.equal(number, world.height())
  assert.deepEqual([usdc, eurc], [5n * UNIT, 0n])
  const fee = 200n
  const text = (amount: bigint) => `${amount / UNIT}.${(amount % UNIT).toString().padStart(7, '0')}`
  const spend = async (lumens: bigint, tokens: bigint): Promise<string> => {
    const to = world.user(0).publicKey()
    const hash = await world.submit(owner, [pay(to, text(lumens)), pay(to, text(tokens), USDC)])
    await world.closeLedger()
    return (await world.server.getTransaction(hash)).status
  }
  assert.equal(await spend(xlm - fee + 1n, usdc), 'FAILED')
  assert.equal(await spend(xlm - 2n * fee, usdc + 1n), 'FAILED')
  assert.equal(await spend(xlm - 3n * fee, usdc), 'SUCCESS')
  assert.deepEqual((await read()).amounts, [0n, 0n, 0n])
  assert.deepEqual((await world.chain.balances(Keypair.random().publicKey(), [world.token('XLM')])).amounts, [
    0n,
  ])
  assert.deepEqual((await world.chain.balances(ISSUER_KEY.address, [world.token('USDC')])).amounts, [
    2n ** 63n - 1n,
  ])
})

const MEMO = `0x${'c4'.repeat(32)}`

const payout = (changes: Partial<Payout> = {}): Payout => ({
  recipient: world.user(2).publicKey(),
  token: world.token('USDC'),
  amount: 12_345_678n,
  memo: MEMO,
  notAfterSeconds: undefined,
  ...changes,
})
const payer = () => world.user(1)
const sign = (changes?: Partial<Payout>) => world.chain.sign(payout(changes), payer().secret())

test('a payout arrives exactly with its memo, at a plain or muxed account', async () => {
  assert.equal(world.chain.accountOf(payer().secret()), payer().publicKey())
  const recipient = world.user(2).publicKey()
  for (const [changes, muxedId] of [
    [{}, undefined],
    [{ token: world.token('XLM'), amount: 1n }, undefined],
    [{ recipient: muxedAddress(recipient, 42n) }, 42n],
  ] as const) {
    const before = world.height()
    const { token, amount } = payout(changes)
    const [held = 0n] = (await world.chain.balances(recipient, [token])).amounts
    const signed = await sign(changes)
    assert.equal(await world.chain.outcome(signed), 'pending')
    await world.chain.broadcast(signed.rawTransaction)
    await world.chain.broadcast(signed.rawTransaction)
    assert.equal(await world.chain.outcome(signed), 'pending')
    await world.closeLedger()
    assert.equal(await world.chain.outcome(signed), 'succeeded')
    assert.deepEqual((await world.chain.balances(recipient, [token])).amounts, [held + amount])
    const { final } = await world.chain.readPayments([payer().publicKey()], before)
    assert.deepEqual(
      final.map((seen) => [
        seen.txHash,
        seen.from,
        seen.to,
        seen.token,
        seen.amount,
        seen.memo,
        seen.muxedId,
      ]),
      [[signed.txHash, payer().publicKey(), recipient, token, amount, MEMO, muxedId]],
    )
    // A payment that is already included is not an error.
    await world.chain.broadcast(signed.rawTransaction)
    assert.equal(await world.chain.outcome(signed), 'succeeded')
  }
})

test('a payout that a stranger wraps in a fee bump is paid under another hash, with its memo', async () => {
  const before = world.height()
  const signed = await sign()
  const inner = TransactionBuilder.fromXdr(
    parseSigned(signed.rawTransaction).envelopeXdr,
    world.node.networkPassphrase,
  )
  assert.ok(inner instanceof Transaction)
  const stranger = world.user(4)
  const bump = TransactionBuilder.buildFeeBumpTransaction(
    stranger,
    '100000',
    inner,
    world.node.networkPassphrase,
  )
  bump.sign(stranger)
  const outer = await world.send(bump)
  await world.closeLedger()
  assert.equal(await world.chain.outcome(signed), 'succeeded')
  const { final } = await world.chain.readPayments([payer().publicKey()], before)
  assert.notEqual(outer, signed.txHash)
  assert.deepEqual(
    final.map(({ txHash, amount, memo }) => [txHash, amount, memo]),
    [[outer, payout().amount, MEMO]],
  )
  for (const txHash of [signed.txHash, outer]) {
    const named = { txHash, from: payer().publicKey(), to: payout().recipient }
    const found = await world.chain.paymentsIn(named)
    assert.deepEqual(
      found.map((payment) => [payment.txHash, payment.amount, payment.memo]),
      [[outer, payout().amount, MEMO]],
    )
  }
})

test('a payout that the ledger includes without moving anything is failed', async () => {
  const signed = await sign({ recipient: Keypair.random().publicKey() })
  await world.chain.broadcast(signed.rawTransaction)
  await world.closeLedger()
  assert.equal(await world.chain.outcome(signed), 'failed')
})

test('a payout expires at the second its time bound passes, and not before', async () => {
  world.node.holdNext(1)
  const signed = await sign()
  await world.chain.broadcast(signed.rawTransaction)
  await world.closeLedger(60)
  assert.equal(await world.chain.outcome(signed), 'pending')
  await world.closeLedger(1)
  assert.equal(await world.chain.outcome(signed), 'expired')
  await world.chain.broadcast(signed.rawTransaction)
  assert.equal(await world.chain.outcome(signed), 'expired')
})

test('a held payout can land until its last second and is then successful', async () => {
  world.node.holdNext(1)
  const signed = await sign()
  await world.chain.broadcast(signed.rawTransaction)
  world.node.releaseHeld()
  await world.closeLedger(60)
  await world.closeLedger(60)
  assert.equal(await world.chain.outcome(signed), 'succeeded')
})

test('a lost submission lands when it is sent again', async () => {
  world.node.dropNext(1)
  const signed = await sign()
  await world.chain.broadcast(signed.rawTransaction)
  await world.closeLedger()
  assert.equal(await world.chain.outcome(signed), 'pending')
  await world.chain.broadcast(signed.rawTransaction)
  await world.closeLedger()
  assert.equal(await world.chain.outcome(signed), 'succeeded')
})

test('rejects a payment that could land after its deadline or that cannot be made', async () => {
  const now = world.now() / 1000
  await assert.rejects(sign({ notAfterSeconds: now + 9 }), /9 seconds are left/)
  const last = await sign({ notAfterSeconds: now + 10 })
  await world.chain.broadcast(last.rawTransaction)
  await world.closeLedger(11)
  assert.equal(await world.chain.outcome(last), 'expired')
  await assert.rejects(sign({ recipient: world.token('USDC') }), /is no account/)
  await assert.rejects(sign({ token: Asset.native().contractId('elsewhere') }), /has no asset/)
  await assert.rejects(sign({ amount: 0n }), /cannot be paid/)
  await assert.rejects(sign({ amount: 2n ** 63n }), /cannot be paid/)
  await assert.rejects(sign({ memo: '0x12' }), /not 32 bytes/)
  await assert.rejects(world.chain.sign(payout(), payer().publicKey()), /expected a StrKey of the form S/)
  await assert.rejects(world.chain.sign(payout(), Keypair.random().secret()), /does not exist/)
})

test('one lying endpoint of three decides nothing, and two unreachable ones leave the payout pending', async () => {
  const claims = (status: string) =>
    world.startRelay((method, result) => (method === 'getTransaction' ? { ...result, status } : result))
  const silent = await world.startRelay(() => undefined)
  const [direct, other] = [world.node.rpcUrl, await world.startRelay((_method, result) => result)]
  const outcomeBy = async (rpcUrls: readonly string[], signed: Awaited<ReturnType<typeof sign>>) => {
    const asked: PaymentChain = world.connect(rpcUrls)
    return asked.outcome(signed).finally(asked.stop)
  }
  const [liar, forgetful] = [await claims('FAILED'), await claims('NOT_FOUND')]
  const signed = await sign()
  assert.equal(await outcomeBy([liar, direct, other], signed), 'pending')
  await world.chain.broadcast(signed.rawTransaction)
  await world.closeLedger()
  await world.closeLedger(120)
  assert.equal(await outcomeBy([liar, direct, other], signed), 'succeeded')
  assert.equal(await outcomeBy([forgetful, direct, other], signed), 'succeeded')
  assert.equal(await outcomeBy([forgetful, direct, silent], signed), 'pending')
  assert.equal(await outcomeBy([forgetful, direct], signed), 'pending')
  assert.equal(await outcomeBy([forgetful, await claims('NOT_FOUND'), silent], signed), 'pending')
  assert.equal(await outcomeBy([liar, await claims('FAILED'), silent], signed), 'pending')
  assert.equal(await outcomeBy([silent, direct, silent], signed), 'pending')
  await assert.rejects(outcomeBy([silent, silent], signed), /can determine the outcome/)
})

test('a busy or silent node leaves the payout to be sent again through another', async () => {
  const busy = await world.startRelay((method, result) =>
    method === 'sendTransaction' ? { ...result, status: 'TRY_AGAIN_LATER' } : result,
  )
  const silent = await world.startRelay(() => undefined)
  const signed = await sign()
  const neither = world.connect([busy, silent])
  await assert.rejects(neither.broadcast(signed.rawTransaction), /took a transaction/)
  const one = world.connect([busy, silent, world.node.rpcUrl])
  await one.broadcast(signed.rawTransaction)
  await world.closeLedger()
  assert.equal(await world.chain.outcome(signed), 'succeeded')
  await assert.rejects(world.chain.broadcast('0x02'), /expected a signed payment/)
})
