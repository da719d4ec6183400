import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  Asset,
  Claimant,
  type Keypair,
  Memo,
  Operation,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk'
import {
  openStellarWorld,
  pay,
  RETAINED_LEDGERS,
  type Rewrite,
  type StellarWorld,
  UNIT,
  USDC,
} from '../../../test/stellar-world.ts'
import type { BalanceTerms, ClaimableBalances } from '../payment-chain.ts'
import { muxedAddress } from './muxed-account.ts'

const MEMO = `0x${'cd'.repeat(32)}`
const ID = 77n
const AMOUNT = 30n * UNIT
const LIFE_SECONDS = 600

let world: StellarWorld
let balances: ClaimableBalances

before(async () => {
  world = await openStellarWorld()
  const { balancesToClaim } = world.chain
  assert.ok(balancesToClaim)
  balances = balancesToClaim
})
after(() => world.close())

const DEPOSITOR = 1
const VAULT = 5
const SOLVER = 6
const keyOf = (index: number): Keypair => world.user(index)
const addressOf = (index: number): string => keyOf(index).publicKey()

const termsNow = (): BalanceTerms => ({
  depositor: addressOf(DEPOSITOR),
  vault: addressOf(VAULT),
  muxedId: ID,
  token: world.token('USDC'),
  amount: AMOUNT,
  openDeadline: world.now() / 1000 + 60,
  refundAfter: world.now() / 1000 + LIFE_SECONDS,
})

const fieldsOf = (uri: string | undefined): URLSearchParams => {
  if (!uri?.startsWith('web+stellar:tx?')) assert.fail('expected a SEP-7 transaction')
  return new URLSearchParams(uri.slice('web+stellar:tx?'.length))
}

/** What a wallet does with the request: fills in the sequence number, signs and sends. */
const submitRequest = async (terms: BalanceTerms, memo: Memo = Memo.none()): Promise<string> => {
  const fields = fieldsOf(balances.requestOf(terms))
  const passphrase = fields.get('network_passphrase') ?? ''
  const asked = TransactionBuilder.fromXDR(fields.get('xdr') ?? '', passphrase)
  assert.ok('sequence' in asked)
  assert.equal(asked.sequence, '0')
  const envelope = asked.toEnvelope()
  assert.ok(envelope.type === 'envelopeTypeTx')
  const ready = await world.build(keyOf(DEPOSITOR), envelope.value.tx.operations, memo)
  const hash = await world.send(ready)
  await world.closeLedger()
  return hash
}

const submitOperations = async (operations: readonly xdr.Operation[]): Promise<string> => {
  const hash = await world.submit(keyOf(DEPOSITOR), operations)
  await world.closeLedger()
  return hash
}

const usdcOf = async (index: number): Promise<bigint> => {
  const { amounts } = await world.chain.balances(addressOf(index), [world.token('USDC')])
  return amounts[0] ?? 0n
}

/** The one balance that a transaction made. */
const onlyMadeIn = async (txHash: string) => {
  const [made, ...others] = await balances.madeIn(txHash)
  assert.ok(made)
  assert.deepEqual(others, [])
  return made
}

test('a request is the transaction that the Stellar SDK writes for the same balance', () => {
  const terms = termsNow()
  const fields = fieldsOf(balances.requestOf(terms))
  assert.deepEqual([...fields.keys()], ['xdr', 'replace', 'network_passphrase'])
  assert.match(fields.get('replace') ?? '', /^seqNum:/)
  const asked = TransactionBuilder.fromXDR(fields.get('xdr') ?? '', fields.get('network_passphrase') ?? '')
  assert.ok('timeBounds' in asked)
  assert.deepEqual(asked.timeBounds, { minTime: '0', maxTime: String(terms.openDeadline) })
  const notBefore = Claimant.predicateNot(Claimant.predicateBeforeAbsoluteTime(String(terms.refundAfter)))
  const expected = [
    Operation.createClaimableBalance({
      asset: USDC,
      amount: '30',
      claimants: [new Claimant(terms.vault), new Claimant(terms.depositor, notBefore)],
    }),
    Operation.payment({
      destination: muxedAddress(terms.vault, ID),
      asset: Asset.native(),
      amount: '0.0000001',
    }),
  ]
  const envelope = asked.toEnvelope()
  assert.ok(envelope.type === 'envelopeTypeTx')
  assert.deepEqual(
    envelope.value.tx.operations.map((operation) => operation.toXdr('base64')),
    expected.map((operation) => operation.toXdr('base64')),
  )
  assert.equal(balances.requestOf({ ...terms, amount: 1n << 63n }), undefined)
  assert.equal(balances.requestOf({ ...terms, amount: 0n }), undefined)
})

test('a signed request makes a balance that every endpoint confirms, announced to the vault', async () => {
  const terms = termsNow()
  const start = world.height()
  const txHash = await submitRequest(terms)
  const { final } = await world.chain.readPayments([terms.vault], start)
  const [announcement] = final
  assert.ok(announcement !== undefined && balances.isAnnouncement(announcement))
  assert.deepEqual([announcement.txHash, announcement.muxedId], [txHash, ID])
  const { payment, claimants } = await onlyMadeIn(txHash)
  assert.equal(balances.isBalance(payment.to), true)
  assert.equal(balances.isBalance(terms.vault), false)
  assert.deepEqual(
    [payment.from, payment.token, payment.amount, payment.timestampSeconds],
    [terms.depositor, terms.token, AMOUNT, world.now() / 1000],
  )
  assert.deepEqual(claimants, [
    { account: terms.vault, right: 'always' },
    { account: terms.depositor, right: { notBefore: terms.refundAfter } },
  ])
  assert.deepEqual(await world.chain.paymentStatements(payment), [{ endpoint: 0, confirms: true }])
  assert.deepEqual(await world.chain.paymentStatements({ ...payment, amount: 1n }), [
    { endpoint: 0, confirms: false },
  ])
  assert.equal(await balances.takingOf(payment), undefined)
})

test('a balance made in a transaction with a memo of any kind is confirmed as it was read', async () => {
  const terms = termsNow()
  for (const memo of [Memo.text('rent'), Memo.id('7'), Memo.hash('cd'.repeat(32))]) {
    const { payment } = await onlyMadeIn(await submitRequest(terms, memo))
    const statements = await world.chain.paymentStatements(payment)
    assert.deepEqual(
      statements.map(({ confirms }) => confirms),
      [true],
    )
  }
})

test('a payout claims a balance and pays it on in one transaction, and nothing if the balance is gone', async () => {
  const { payment } = await onlyMadeIn(await submitRequest(termsNow()))
  const payout = {
    recipient: addressOf(SOLVER),
    token: payment.token,
    amount: AMOUNT,
    memo: MEMO,
    notAfterSeconds: undefined,
    claims: payment.to,
  }
  const [vaultHeld, solverHeld] = [await usdcOf(VAULT), await usdcOf(SOLVER)]
  const pays = async () => {
    const signed = await world.chain.sign(payout, keyOf(VAULT).secret())
    await world.chain.broadcast(signed.rawTransaction)
    await world.closeLedger()
    return signed
  }
  const start = world.height()
  const signed = await pays()
  assert.equal(await world.chain.outcome(signed), 'succeeded')
  assert.deepEqual([(await usdcOf(VAULT)) - vaultHeld, (await usdcOf(SOLVER)) - solverHeld], [0n, AMOUNT])
  assert.deepEqual(await balances.takingOf(payment), { txHash: signed.txHash, to: addressOf(VAULT) })
  const { final } = await world.chain.readPayments([addressOf(VAULT)], start)
  assert.deepEqual(
    final.map(({ from, to, amount }) => [from, to, amount]),
    [
      [payment.to, addressOf(VAULT), AMOUNT],
      [addressOf(VAULT), addressOf(SOLVER), AMOUNT],
    ],
  )
  const again = await pays()
  assert.equal(await world.chain.outcome(again), 'failed')
  assert.equal((await usdcOf(SOLVER)) - solverHeld, AMOUNT)
})

test('the maker takes a balance back alone from refundAfter on, and not a ledger before', async () => {
  const terms = termsNow()
  const held = await usdcOf(DEPOSITOR)
  const { payment } = await onlyMadeIn(await submitRequest(terms))
  assert.equal(await usdcOf(DEPOSITOR), held - AMOUNT)
  const claim = async () => {
    const made = await world.server.getTransaction(payment.txHash)
    assert.ok(made.status === 'SUCCESS')
    const transaction = TransactionBuilder.fromXDR(made.envelopeXdr, world.node.networkPassphrase)
    assert.ok('getClaimableBalanceId' in transaction)
    const balanceId = transaction.getClaimableBalanceId(0)
    return submitOperations([Operation.claimClaimableBalance({ balanceId })])
  }
  await world.closeLedger(terms.refundAfter - world.now() / 1000 - 2)
  assert.equal((await world.server.getTransaction(await claim())).status, 'FAILED')
  assert.equal(await balances.takingOf(payment), undefined)
  const txHash = await claim()
  assert.deepEqual(await balances.takingOf(payment), { txHash, to: terms.depositor })
  assert.equal(await usdcOf(DEPOSITOR), held)
})

test('a balance that no node can tell the taker of is gone, by the word of a quorum', async () => {
  const terms = termsNow()
  const { payment } = await onlyMadeIn(await submitRequest(terms))
  const signed = await world.chain.sign(
    {
      recipient: addressOf(SOLVER),
      token: payment.token,
      amount: AMOUNT,
      memo: MEMO,
      notAfterSeconds: undefined,
      claims: payment.to,
    },
    keyOf(VAULT).secret(),
  )
  await world.chain.broadcast(signed.rawTransaction)
  const honest: Rewrite = (_method, result) => result
  const takingBy = async (rewrites: readonly Rewrite[]) => {
    const urls = await Promise.all(rewrites.map(world.startRelay))
    const asked = world.connect(urls)
    return Promise.resolve(asked.balancesToClaim?.takingOf(payment)).finally(asked.stop)
  }
  const hidesBalance: Rewrite = (method, result) =>
    method === 'getLedgerEntries' ? { ...result, entries: [] } : result
  assert.equal(await takingBy([hidesBalance, honest, honest]), undefined)
  // A node whose entries are ahead of its events proves nothing.
  const ahead: Rewrite = (method, result) =>
    method === 'getLedgerEntries' ? { entries: [], latestLedger: Number(world.height()) + 1 } : result
  await assert.rejects(takingBy([ahead]), { code: 'NODE_BEHIND' })
  await world.closeLedger()
  const taking = { txHash: signed.txHash, to: addressOf(VAULT) }
  assert.deepEqual(await takingBy([honest]), taking)
  // A clawback leaves no payment behind.
  const onlyMaking: Rewrite = (method, result) => {
    const events = result['events']
    return method === 'getEvents' && Array.isArray(events)
      ? { ...result, events: events.slice(0, 1) }
      : result
  }
  assert.equal(await takingBy([onlyMaking]), 'gone')
  assert.deepEqual(await takingBy([onlyMaking, honest, honest]), taking)
  const blind: Rewrite = (method, result) => (method === 'getEvents' ? { ...result, events: [] } : result)
  await assert.rejects(takingBy([blind]), /does not tell how the balance/)
  for (let more = 0; more <= RETAINED_LEDGERS; more += 1) await world.closeLedger()
  assert.equal(await takingBy([honest]), 'gone')
  assert.equal(await takingBy([honest, honest, honest]), 'gone')
  await assert.rejects(takingBy([honest, () => undefined, () => undefined]))
})

test('tells other claimants, assets and makers as they are', async () => {
  const { depositor, vault, refundAfter } = termsNow()
  const seconds = String(refundAfter)
  const before = Claimant.predicateBeforeAbsoluteTime(seconds)
  const txHash = await submitOperations([
    pay(vault, '1'),
    Operation.createClaimableBalance({
      asset: Asset.native(),
      amount: '2',
      claimants: [
        new Claimant(vault, before),
        new Claimant(depositor, Claimant.predicateOr(before, Claimant.predicateNot(before))),
      ],
    }),
    Operation.createClaimableBalance({ asset: USDC, amount: '3', claimants: [new Claimant(depositor)] }),
  ])
  const made = await balances.madeIn(txHash)
  assert.deepEqual(
    made.map(({ payment, claimants }) => [payment.token, payment.amount, claimants]),
    [
      [
        world.token('XLM'),
        2n * UNIT,
        [
          { account: vault, right: 'other' },
          { account: depositor, right: 'other' },
        ],
      ],
      [world.token('USDC'), 3n * UNIT, [{ account: depositor, right: 'always' }]],
    ],
  )
  for (const { payment } of made)
    assert.deepEqual(await world.chain.paymentStatements(payment), [{ endpoint: 0, confirms: true }])
  assert.deepEqual(await balances.madeIn(await submitOperations([pay(vault, '1')])), [])
  await assert.rejects(balances.madeIn('7'.repeat(64)), { code: 'NODE_BEHIND' })
})
