import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Account, Asset, Claimant, Memo, TransactionBuilder } from '@stellar/stellar-sdk'
import { type CosignerWorld, openCosignerWorld, type WorldOrder } from '../../../test/cosigner-world.ts'
import { pay, UNIT } from '../../../test/stellar-world.ts'
import { signText } from '../../chains/stellar/message-signature.ts'
import { muxedAddress } from '../../chains/stellar/muxed-account.ts'
import { parseSigned, writeSigned } from '../../chains/stellar/signed-text.ts'
import { baseUnits } from '../../core/amount.ts'
import { OrderId } from '../../core/intent-order.ts'
import type { Payout } from '../../core/payout.ts'
import { cosignerEndpoints } from '../attester/cosigner-endpoints.ts'
import { refundKey, releaseKey, returnKey, returnMemo } from '../vault/obligations.ts'
import {
  DebtRequest,
  debtText,
  type PayoutAnswer,
  type PayoutEvidence,
  PayoutRequest,
  payoutText,
} from '../vault/payout-request.ts'

let world: CosignerWorld

before(async () => {
  world = await openCosignerWorld()
})
after(() => world.closeAll())

const payoutOf = ({ order, orderId }: WorldOrder, recipient: string, part: Partial<Payout> = {}): Payout => ({
  recipient,
  token: order.inputToken,
  amount: order.inputAmount,
  memo: orderId,
  notAfterSeconds: undefined,
  ...part,
})

const refundOf = (one: WorldOrder, part: Partial<Payout> = {}) => payoutOf(one, one.order.depositor, part)
const releaseOf = (one: WorldOrder, part: Partial<Payout> = {}) => payoutOf(one, one.order.solver, part)

/** Signs a payout with the service's key, and asks the co-signer. */
const ask = async (key: string, payout: Payout, evidence: PayoutEvidence) => {
  const signed = await world.signedBy(payout)
  return { signed, answer: await world.ask(key, signed.rawTransaction, evidence) }
}

const reasonOf = (answer: PayoutAnswer): string =>
  'reason' in answer ? `${answer.kind}: ${answer.reason}` : answer.kind

const expectSigned = (answer: PayoutAnswer): string => {
  assert.equal(answer.kind, 'signed', reasonOf(answer))
  return answer.kind === 'signed' ? answer.signature : ''
}

/** A deposited order that can no longer be filled. */
const deadOrder = async () => {
  const one = world.order()
  await world.name(one)
  const deposit = await world.deposit(one)
  await world.closeLedger(90)
  await world.closeLedger()
  await world.closeLedger()
  return { one, deposit, evidence: world.evidenceOf(one, [deposit]) }
}

/** A deposited order that its solver has filled. */
const filledOrder = async () => {
  const one = world.order()
  await world.name(one)
  const deposit = await world.deposit(one)
  const fill = await world.fill(one)
  await world.closeLedger()
  await world.closeLedger()
  return { one, deposit, fill, evidence: world.evidenceOf(one, [deposit], { fill }) }
}

test('co-signs the refund of an unfilled order, and it lands', async () => {
  const { one, evidence } = await deadOrder()
  const key = refundKey(one.orderId)
  const { signed, answer } = await ask(key, refundOf(one), evidence)
  assert.equal(await world.land(signed, expectSigned(answer)), 'succeeded')
  assert.match(
    reasonOf((await ask(key, refundOf(one), evidence)).answer),
    /^refused: (it is paid by|the vault has paid)/,
  )
})

test('co-signs the release of a filled order to its solver, and it lands', async () => {
  const { one, evidence } = await filledOrder()
  const { signed, answer } = await ask(releaseKey(one.orderId), releaseOf(one), evidence)
  assert.equal(await world.land(signed, expectSigned(answer)), 'succeeded')
})

test('gives the same signature again for the same transaction, and none for another one that may land beside it', async () => {
  const { one, evidence } = await deadOrder()
  const key = refundKey(one.orderId)
  const first = await ask(key, refundOf(one), evidence)
  const signature = expectSigned(first.answer)
  assert.equal(expectSigned(await world.ask(key, first.signed.rawTransaction, evidence)), signature)
  world.passSeconds(5)
  await world.closeLedger()
  const second = await ask(key, refundOf(one), evidence)
  assert.notEqual(second.signed.txHash, first.signed.txHash)
  assert.equal(reasonOf(second.answer), `waiting: ${first.signed.txHash} may still pay it`)
  await world.closeLedger(70)
  const third = await ask(key, refundOf(one), evidence)
  assert.equal(await world.land(third.signed, expectSigned(third.answer)), 'succeeded')
})

test("with the service's key a thief gets no signature for a payout that is not exactly the one owed", async () => {
  const { one, evidence } = await deadOrder()
  const key = refundKey(one.orderId)
  const thief = world.user('thief').publicKey()
  const attacks: readonly (readonly [string, Payout])[] = [
    ['another recipient', payoutOf(one, thief)],
    ['a larger amount', refundOf(one, { amount: one.order.inputAmount + 1n })],
    ['a smaller amount', refundOf(one, { amount: 1n })],
    ['another token', refundOf(one, { token: world.token('USDC') })],
    ['another memo', refundOf(one, { memo: `0x${'9'.repeat(64)}` })],
    ['the solver', releaseOf(one)],
  ]
  for (const [name, payout] of attacks)
    assert.equal(
      reasonOf((await ask(key, payout, evidence)).answer),
      'refused: the transaction is not the payout that is owed',
      name,
    )
  for (const other of [releaseKey(one.orderId), `return:${one.orderId}`, 'refund:', key.slice(0, -1)])
    assert.match(reasonOf((await ask(other, payoutOf(one, thief), evidence)).answer), /^(refused|waiting): /)
})

test('signs no transaction that does more or other than the payout', async () => {
  const { one, evidence } = await deadOrder()
  const { Operation } = world
  const { rawTransaction } = await world.signedBy(refundOf(one))
  const frame = rawTransaction.split(':').slice(0, 3).join(':')
  const thief = world.user('thief').publicKey()
  for (const operation of [
    Operation.setOptions({ signer: { ed25519PublicKey: thief, weight: 4 } }),
    Operation.accountMerge({ destination: thief }),
    Operation.bumpSequence({ bumpTo: '9000000000000000000' }),
  ]) {
    const built = await world.build(world.user('service'), [operation])
    const text = `${frame}:${built.toEnvelope().toXdr('base64')}`
    const answer = await world.ask(refundKey(one.orderId), text, evidence)
    assert.equal(reasonOf(answer), 'refused: the transaction is not the payout that is owed')
  }
  const expired = await world.signedBy(
    refundOf(one, { notAfterSeconds: Math.floor(world.now() / 1000) + 20 }),
  )
  world.passSeconds(21)
  await world.closeLedger()
  assert.equal(
    reasonOf(await world.ask(refundKey(one.orderId), expired.rawTransaction, evidence)),
    'refused: it has expired',
  )
})

test('a request without a new signature of the service over all of it is not looked at', async () => {
  const { one, evidence } = await deadOrder()
  const other = await deadOrder()
  const key = refundKey(one.orderId)
  const paid = await ask(refundKey(other.one.orderId), refundOf(other.one), other.evidence)
  assert.equal(await world.land(paid.signed, expectSigned(paid.answer)), 'succeeded')
  const endpoints = cosignerEndpoints({ cosigner: world.cosigner(), log: () => undefined })
  const post = async (path: string, body: unknown): Promise<number | undefined> =>
    (await endpoints.get(path)?.answer(JSON.stringify(body), (work) => work()))?.status
  const { rawTransaction } = await world.signedBy(refundOf(one))
  const request = { chainId: world.own.chainId, key, evidence, signedAt: world.now(), rawTransaction }
  const signedAs = (name: 'service' | 'thief', part: Partial<typeof request> = {}) => {
    const whole = { ...request, ...part }
    return { ...whole, signature: signText(world.user(name).secret(), payoutText(whole)) }
  }
  const own = signedAs('service')
  const debt = signText(world.user('service').secret(), debtText(request))
  for (const [name, refused] of [
    ["another key's", signedAs('thief')],
    ['of a payout that is on the ledger', signedAs('thief', { rawTransaction: paid.signed.rawTransaction })],
    ['of something else owed', { ...own, key: refundKey(other.one.orderId) }],
    ['over other evidence', { ...own, evidence: other.evidence }],
    ['over another transaction', { ...own, rawTransaction: paid.signed.rawTransaction }],
    ['of another time', { ...own, signedAt: own.signedAt + 1 }],
    ['of a question', { ...own, signature: debt }],
    ['of more than a minute ago', signedAs('service', { signedAt: request.signedAt - 60_001 })],
    ['of more than a minute ahead', signedAs('service', { signedAt: request.signedAt + 60_001 })],
  ] as const)
    assert.equal(await post('/v1/vault-payouts', PayoutRequest.encode(refused)), 403, name)

  const { rawTransaction: _, ...asked } = request
  for (const part of [{ evidence: other.evidence }, { signedAt: asked.signedAt + 1 }, { key: 'refund:1' }]) {
    const changed = DebtRequest.encode({ ...asked, ...part, signature: debt })
    assert.equal(await post('/v1/vault-debts', changed), 403)
  }
  assert.equal(await post('/v1/vault-debts', DebtRequest.encode({ ...asked, signature: debt })), 200)

  const forged = await world.accounts.signPayout(refundOf(one), {
    account: world.vault,
    secret: world.user('thief').secret(),
  })
  assert.match(reasonOf(await world.ask(key, forged.rawTransaction, evidence)), /^refused: .* has not signed/)
  assert.equal(await post('/v1/vault-payouts', PayoutRequest.encode(own)), 200)
})

type Terms = Parameters<CosignerWorld['order']>[0]

/** Orders with one muxed id, one of each terms, quoted in the same millisecond: a few hundred tries find them. */
const withSameMuxedId = (...all: readonly Terms[]): readonly WorldOrder[] => {
  const { salt } = world.order().order
  const found = all.map(() => new Map<bigint, WorldOrder>())
  for (let tries = 0; tries < 100_000; tries += 1)
    for (const [index, terms] of all.entries()) {
      const one = world.order({ ...terms, salt: `${salt.slice(0, 34)}${randomBytes(16).toString('hex')}` })
      found[index]?.set(one.muxedId, one)
      const same = found.map((orders) => orders.get(one.muxedId))
      if (same.every((order) => order !== undefined)) return same
    }
  throw new Error('no orders with the same muxed id were found')
}

/** Deadlines that are over, or soon. */
const pastDeadlines = () => {
  const seconds = Math.floor(world.now() / 1000)
  return { openDeadline: seconds + 5, fillDeadline: seconds + 5 }
}

test("with the service's key a thief cannot pass a deposit off as that of an order of its own", async () => {
  const thief = world.user('thief').publicKey()
  for (const part of [{ depositor: thief }, { recipient: thief }]) {
    const [victim, forged] = withSameMuxedId({}, { ...pastDeadlines(), ...part })
    assert.ok(victim && forged)
    await world.name(victim)
    const deposit = await world.deposit(victim)
    await world.closeLedger(10)
    await world.name(forged)
    await world.closeLedger()
    await world.closeLedger()
    const refused = await ask(
      refundKey(forged.orderId),
      refundOf(forged),
      world.evidenceOf(forged, [deposit]),
    )
    assert.equal(reasonOf(refused.answer), `refused: the deposit ${deposit} was made for another order`)
  }
})

test('a deposit whose order was not named goes back to its payer only, and pays for one order only', async () => {
  const thief = world.user('thief').publicKey()
  const past = pastDeadlines()
  const [forged, own] = withSameMuxedId({ ...past, depositor: thief }, past)
  assert.ok(forged && own)
  const deposit = await world.deposit(forged)
  // The thief names its own order after the deposit.
  await world.closeLedger(20)
  await world.name(forged)
  await world.closeLedger()
  await world.closeLedger()
  const stolen = await ask(refundKey(forged.orderId), refundOf(forged), world.evidenceOf(forged, [deposit]))
  assert.match(reasonOf(stolen.answer), /paid for an order of .* that was not named alone before$/)
  const back = await ask(refundKey(own.orderId), refundOf(own), world.evidenceOf(own, [deposit]))
  expectSigned(back.answer)
})

test("with the service's key a thief cannot take a deposit back by a second name of its filled order", async () => {
  const one = world.order()
  await world.name(one)
  const orderId = OrderId.parse(`${one.orderId.slice(0, 6)}${'0'.repeat(60)}`)
  await world.closeLedger()
  await world.name({ ...one, orderId })
  // Somebody else pays for the depositor.
  const deposit = await world.deposit(one, '50', 'stranger')
  const fill = await world.fill(one)
  await world.closeLedger()
  await world.closeLedger()
  const back = await returnOf(deposit, 'stranger')
  assert.equal(
    reasonOf((await ask(back.key, back.payout, back.evidence)).answer),
    'refused: the deposit was made for an order',
  )
  const evidence = world.evidenceOf(one, [deposit], { fill, from: 'stranger' })
  const { signed, answer } = await ask(releaseKey(one.orderId), releaseOf(one), evidence)
  assert.equal(await world.land(signed, expectSigned(answer)), 'succeeded')
})

test("a solver with the service's key gets no deposit of a named order by a second name of its own", async () => {
  const [victim, own] = withSameMuxedId({}, { outputAmount: baseUnits(UNIT) })
  assert.ok(victim && own)
  await world.name(victim)
  await world.closeLedger()
  await world.name(own)
  const deposit = await world.deposit(victim)
  const fill = await world.fill(own, '1')
  await world.closeLedger()
  await world.closeLedger()
  const evidence = world.evidenceOf(own, [deposit], { fill })
  assert.equal(
    reasonOf((await ask(releaseKey(own.orderId), releaseOf(own), evidence)).answer),
    `refused: the deposit ${deposit} was made for another order`,
  )
})

test('a thief that names its order before the service does gets no deposit of somebody else', async () => {
  const [guessed, victim] = withSameMuxedId(
    { ...pastDeadlines(), depositor: world.user('thief').publicKey() },
    {},
  )
  assert.ok(guessed && victim)
  await world.name(guessed)
  await world.closeLedger()
  await world.name(victim)
  const deposit = await world.deposit(victim)
  await world.closeLedger(20)
  await world.closeLedger()
  await world.closeLedger()
  const stolen = await ask(
    refundKey(guessed.orderId),
    refundOf(guessed),
    world.evidenceOf(guessed, [deposit]),
  )
  assert.match(reasonOf(stolen.answer), /^refused: .* that was not named alone before$/)
})

test('a deposit with the muxed id of a new quote is not returned as one that names no order', async () => {
  const one = world.order()
  const { key, payout, evidence } = await returnOf(await world.deposit(one), 'depositor')
  assert.equal(
    reasonOf((await ask(key, payout, evidence)).answer),
    'refused: the deposit may have been made for an order that was not named',
  )
})

test('a name whose muxed id is not that of its order is not kept', async () => {
  const one = world.order()
  const other = OrderId.parse(`0x${(BigInt(one.orderId) ^ (1n << 250n)).toString(16).padStart(64, '0')}`)
  await world.name({ ...one, orderId: other })
  const deposit = await world.deposit(one)
  await world.closeLedger(90)
  await world.closeLedger()
  await world.closeLedger()
  const { answer } = await ask(refundKey(one.orderId), refundOf(one), world.evidenceOf(one, [deposit]))
  expectSigned(answer)
})

test('a deposit pays for one order only', async () => {
  const past = pastDeadlines()
  const twins = withSameMuxedId(past, { ...past, refundAfter: past.fillDeadline + 1 })
  const deposit = await world.deposit(twins[0] ?? { muxedId: 0n })
  await world.closeLedger(20)
  await world.closeLedger()
  await world.closeLedger()
  const answers: string[] = []
  for (const twin of twins) {
    const evidence = world.evidenceOf(twin, [deposit])
    answers.push(reasonOf((await ask(refundKey(twin.orderId), refundOf(twin), evidence)).answer))
  }
  assert.equal(answers[0], 'signed')
  assert.match(answers[1] ?? '', /^refused: the deposit .* is used$/)
})

test('a filled order is never refunded, one that is not filled never released', async () => {
  const { one, deposit, evidence, fill } = await filledOrder()
  await world.closeLedger(90)
  await world.closeLedger()
  await world.closeLedger()
  const refund = await ask(refundKey(one.orderId), refundOf(one), world.evidenceOf(one, [deposit]))
  assert.equal(reasonOf(refund.answer), 'refused: an endpoint knows a fill of the order')
  const other = await deadOrder()
  for (const claimed of [fill, other.deposit, '0'.repeat(64), undefined]) {
    const claims = world.evidenceOf(
      other.one,
      [other.deposit],
      claimed === undefined ? {} : { fill: claimed },
    )
    const attempt = ask(releaseKey(other.one.orderId), releaseOf(other.one), claims)
    const answer = await attempt.then(
      ({ answer: given }) => reasonOf(given),
      () => 'waiting: a chain cannot be read',
    )
    assert.match(answer, /^(refused|waiting)/)
  }
  assert.equal((await ask(releaseKey(one.orderId), releaseOf(one), evidence)).answer.kind, 'signed')
})

test('a fill that pays less than the order, and a release to a stranger, are refused', async () => {
  const one = world.order()
  await world.name(one)
  const deposit = await world.deposit(one)
  const fill = await world.fill(one, '1')
  await world.closeLedger()
  await world.closeLedger()
  const short = await ask(releaseKey(one.orderId), releaseOf(one), world.evidenceOf(one, [deposit], { fill }))
  assert.match(reasonOf(short.answer), /^refused: .*paid another amount/)

  const thief = world.user('thief').publicKey()
  const own = world.order({ solver: thief, filler: thief })
  await world.name(own)
  const paid = await world.deposit(own)
  await world.closeLedger()
  await world.closeLedger()
  const release = await ask(releaseKey(own.orderId), releaseOf(own), world.evidenceOf(own, [paid], { fill }))
  assert.equal(reasonOf(release.answer), `refused: ${thief} is no solver of the network`)
})

/** The return of a deposit that names no order, without what is kept of it. */
const returnOf = async (deposit: string, from: 'depositor' | 'stranger' | 'treasury', kept = 0n) => {
  const payer = world.user(from).publicKey()
  const [payment] = await world.own.paymentsIn({ txHash: deposit, from: payer, to: world.vault })
  assert.ok(payment)
  const payout: Payout = {
    recipient: payer,
    token: payment.token,
    amount: payment.amount - kept,
    memo: returnMemo(payment),
    notAfterSeconds: undefined,
  }
  const { position } = payment
  const evidence: PayoutEvidence = {
    kind: 'unmatched',
    deposit: { txHash: deposit, from: payer, position },
    kept: baseUnits(kept),
  }
  return { key: returnKey(payment), payout, evidence }
}

test('payouts with the sequence numbers of channels are co-signed beside each other, and land in one ledger', async () => {
  const dead = [await deadOrder(), await deadOrder(), await deadOrder()]
  const sources = [...world.channels, world.vault]
  const signed = []
  for (const [index, { one, evidence }] of dead.entries()) {
    const payout = await world.signedBy(refundOf(one), sources[index])
    assert.equal(await world.accounts.sourceOf(payout.rawTransaction), sources[index])
    const answer = await world.ask(refundKey(one.orderId), payout.rawTransaction, evidence)
    const whole = await world.accounts.addSignature(
      payout.rawTransaction,
      world.signers.cosigner,
      expectSigned(answer),
    )
    signed.push({ ...payout, rawTransaction: whole })
  }
  for (const { rawTransaction } of signed) await world.chain.broadcast(rawTransaction)
  const height = world.height()
  await world.closeLedger()
  assert.equal(world.height(), height + 1n)
  for (const one of signed) assert.equal(await world.chain.outcome(one), 'succeeded')
})

test('a payout with a channel is dead by the sequence number of the channel, and then signed with another', async () => {
  const { one, evidence } = await deadOrder()
  const [first = '', second] = world.channels
  const key = refundKey(one.orderId)
  const lost = await world.signedBy(refundOf(one), first)
  expectSigned(await world.ask(key, lost.rawTransaction, evidence))
  const again = await world.signedBy(refundOf(one), second)
  assert.equal(
    reasonOf(await world.ask(key, again.rawTransaction, evidence)),
    `waiting: ${lost.txHash} may still pay it`,
  )
  assert.equal(await world.chain.outcome(lost), 'pending')
  await world.closeLedger(70)
  assert.equal(await world.chain.outcome(lost), 'expired')
  const third = await world.signedBy(refundOf(one), second)
  const answer = await world.ask(key, third.rawTransaction, evidence)
  assert.equal(await world.land(third, expectSigned(answer)), 'succeeded')
})

test('the co-signer signs with no sequence number but those of the vault and its channels, and nothing beside the payout', async () => {
  const { one, evidence } = await deadOrder()
  const key = refundKey(one.orderId)
  const thief = world.user('thief').publicKey()
  const stranger = await world.signedBy(refundOf(one), thief)
  assert.equal(
    reasonOf(await world.ask(key, stranger.rawTransaction, evidence)),
    `refused: ${thief} is neither ${world.vault} nor one of its channels`,
  )
  const [channel = ''] = world.channels
  const payment = (destination: string, source: string) =>
    world.Operation.payment({ source, destination, asset: Asset.native(), amount: '50' })
  const { maxTimeSeconds } = parseSigned(stranger.rawTransaction)
  for (const [name, operations] of [
    ['a payment from the channel itself', [payment(one.order.depositor, channel)]],
    ['a second payment', [payment(one.order.depositor, world.vault), payment(thief, world.vault)]],
    ['a payment to the channel', [payment(channel, world.vault)]],
  ] as const) {
    const { sequence } = await world.accounts.payoutBounds(channel)
    const builder = new TransactionBuilder(new Account(channel, `${sequence}`), {
      fee: '10000',
      networkPassphrase: world.node.networkPassphrase,
      memo: Memo.hash(one.orderId.slice(2)),
      timebounds: { minTime: 0, maxTime: maxTimeSeconds },
    })
    for (const operation of operations) builder.addOperation(operation)
    const transaction = builder.build()
    transaction.sign(world.user('service'))
    const rawTransaction = writeSigned({
      envelopeXdr: transaction.toEnvelope().toXdr('base64'),
      maxTimeSeconds,
      signedAfterSeconds: maxTimeSeconds - 60,
    })
    assert.equal(
      reasonOf(await world.ask(key, rawTransaction, evidence)),
      'refused: the transaction is not the payout that is owed',
      name,
    )
  }
})

test('the service may keep a hundredth of a deposit that names no order, and no more', async () => {
  const deposit = await world.deposit({ muxedId: 9n }, '3', 'stranger')
  const hundredth = (3n * UNIT) / 100n
  const greedy = await returnOf(deposit, 'stranger', hundredth + 1n)
  assert.equal(
    reasonOf((await ask(greedy.key, greedy.payout, greedy.evidence)).answer),
    `refused: ${hundredth + 1n} of ${3n * UNIT} is kept`,
  )
  const fair = await returnOf(deposit, 'stranger', hundredth)
  const whole = { ...fair.payout, amount: 3n * UNIT }
  assert.equal(
    reasonOf((await ask(fair.key, whole, fair.evidence)).answer),
    'refused: the transaction is not the payout that is owed',
  )
  const { signed, answer } = await ask(fair.key, fair.payout, fair.evidence)
  assert.equal(await world.land(signed, expectSigned(answer)), 'succeeded')
})

test('a deposit that names no order goes back to its payer once, and one of a named order does not', async () => {
  const { key, payout, evidence } = await returnOf(
    await world.deposit({ muxedId: 7n }, '3', 'stranger'),
    'stranger',
  )
  const { signed, answer } = await ask(key, payout, evidence)
  assert.equal(await world.land(signed, expectSigned(answer)), 'succeeded')
  assert.match(
    reasonOf((await ask(key, payout, evidence)).answer),
    /^refused: (it is paid by|the vault has paid)/,
  )

  const one = world.order()
  await world.name(one)
  const ofOrder = await returnOf(await world.deposit(one), 'depositor')
  assert.equal(
    reasonOf((await ask(ofOrder.key, ofOrder.payout, ofOrder.evidence)).answer),
    'refused: the deposit was made for an order',
  )
  const ofTreasury = await returnOf(await world.deposit({ muxedId: 8n }, '3', 'treasury'), 'treasury')
  assert.equal(
    reasonOf((await ask(ofTreasury.key, ofTreasury.payout, ofTreasury.evidence)).answer),
    'refused: no such deposit in the named transaction',
  )
})

test("a forged date beside a payout's envelope does not let it be paid again after endpoints forget it", async () => {
  // The deposit is surely newer than the co-signer's process.
  for (let closed = 0; closed < 12; closed += 1) await world.closeLedger(20)
  const back = await returnOf(await world.deposit({ muxedId: 9n }, '3', 'stranger'), 'stranger')
  const signed = await world.signedBy(back.payout)
  const forged = signed.rawTransaction.replace(/^stellar:\d+:\d+:/, 'stellar:999999999999999:1:')
  const answer = await world.ask(back.key, forged, back.evidence)
  assert.equal(await world.land(signed, expectSigned(answer)), 'succeeded')
  for (let closed = 0; closed < 75; closed += 1) await world.closeLedger(2)
  const again = async () => reasonOf((await ask(back.key, back.payout, back.evidence)).answer)
  // Endpoints that do not know the deposit any more are waited for at first.
  await assert.rejects(again, /an endpoint says nothing about a fact yet/)
  await world.closeLedger(21)
  await world.closeLedger(21)
  assert.equal(await again(), `waiting: ${signed.txHash} may still pay it`)
})

test('what the vault paid is not signed again by a co-signer that has lost its store', async () => {
  const { one, evidence } = await deadOrder()
  const key = refundKey(one.orderId)
  const { signed, answer } = await ask(key, refundOf(one), evidence)
  assert.equal(await world.land(signed, expectSigned(answer)), 'succeeded')
  const unpaid = await deadOrder()
  await world.restart(true)
  assert.match(reasonOf((await ask(key, refundOf(one), evidence)).answer), /^(waiting|refused): /)
  await world.closeLedger(100)
  await world.closeLedger()
  await world.closeLedger()
  assert.equal(
    reasonOf((await ask(key, refundOf(one), evidence)).answer),
    `refused: the vault has paid ${key}`,
  )
  const due = await ask(refundKey(unpaid.one.orderId), refundOf(unpaid.one), unpaid.evidence)
  assert.equal(await world.land(due.signed, expectSigned(due.answer)), 'succeeded')
})

test('the excess of a deposit is returned beside the refund, and no more than was deposited in all', async () => {
  const one = world.order()
  await world.name(one)
  const deposit = await world.deposit(one, '70')
  await world.closeLedger(90)
  await world.closeLedger()
  await world.closeLedger()
  const evidence = world.evidenceOf(one, [deposit])
  const [payment] = await world.own.paymentsIn({
    txHash: deposit,
    from: one.order.depositor,
    to: world.vault,
  })
  assert.ok(payment)
  const returned = refundOf(one, { amount: 20n * UNIT, memo: returnMemo(payment) })
  const first = await ask(returnKey(payment), returned, evidence)
  assert.equal(await world.land(first.signed, expectSigned(first.answer)), 'succeeded')
  const second = await ask(refundKey(one.orderId), refundOf(one), evidence)
  assert.equal(await world.land(second.signed, expectSigned(second.answer)), 'succeeded')
})

/** Two orders of one salt with one muxed id that differ in `refundAfter` alone. */
const withSameSalt = (): readonly [WorldOrder, WorldOrder] => {
  const { order } = world.order()
  const found = new Map<bigint, WorldOrder>()
  for (let tries = 0; tries < 100_000; tries += 1) {
    const one = world.order({ ...order, refundAfter: order.refundAfter + tries })
    const other = found.get(one.muxedId)
    if (other !== undefined) return [other, one]
    found.set(one.muxedId, one)
  }
  throw new Error('no orders with the same salt and muxed id were found')
}

/** Deposits an order in a claimable balance, and announces it. */
const depositBalance = ({ order, muxedId }: WorldOrder): Promise<string> => {
  const { vault, Operation } = world
  const later = Claimant.predicateNot(Claimant.predicateBeforeAbsoluteTime(`${order.refundAfter}`))
  const claimants = [
    new Claimant(vault, Claimant.predicateUnconditional()),
    new Claimant(order.depositor, later),
  ]
  return world.payFrom('depositor', [
    Operation.createClaimableBalance({ asset: Asset.native(), amount: '50', claimants }),
    pay(muxedAddress(vault, muxedId), '0.0000001'),
  ])
}

test('who asks for another order of the same salt first does not hide the balance that was deposited for a filled one', async () => {
  const [one, forged] = withSameSalt()
  await world.name(one)
  const deposit = await depositBalance(one)
  const poison = await ask(releaseKey(forged.orderId), releaseOf(forged), world.evidenceOf(forged, [deposit]))
  assert.match(reasonOf(poison.answer), /^(refused|waiting): /)
  const fill = await world.fill(one)
  await world.closeLedger()
  await world.closeLedger()
  const [balance] = (await world.own.balancesToClaim?.madeIn(deposit)) ?? []
  assert.ok(balance)
  const evidence = world.evidenceOf(one, [deposit], { fill })
  const release = releaseOf(one, { claims: balance.payment.to })
  const { signed, answer } = await ask(releaseKey(one.orderId), release, evidence)
  assert.equal(await world.land(signed, expectSigned(answer)), 'succeeded')
})

test('tells which named orders are the first with their muxed ids, also of names in one millisecond', async () => {
  const [first, second] = withSameMuxedId({}, { depositor: world.user('thief').publicKey() })
  const other = world.order()
  assert.ok(first && second)
  assert.deepEqual(await world.name(first, other), [first.orderId, other.orderId])
  assert.deepEqual(await world.name(second), [])
  assert.deepEqual(await world.name(first), [first.orderId])
  const old = world.order()
  world.passSeconds(61)
  assert.deepEqual(await world.name(old), [])
})

test('more than 2,000 names in a second are refused, not dropped', async () => {
  const byMuxedId = new Map<bigint, WorldOrder>()
  while (byMuxedId.size < 200) {
    const one = world.order()
    byMuxedId.set(one.muxedId, one)
  }
  const orders = [...byMuxedId.values()]
  world.passSeconds(1)
  for (let request = 0; request < 10; request += 1)
    assert.equal((await world.name(...orders)).length, orders.length)
  assert.equal(await world.name(world.order()), 'too_many')
  world.passSeconds(1)
  const one = world.order()
  assert.deepEqual(await world.name(one), [one.orderId])
})

/** An order whose time was over before its deposit. */
const overDeadlines = () => {
  const seconds = Math.floor(world.now() / 1000)
  return { openDeadline: seconds - 30, fillDeadline: seconds - 29 }
}

for (const [paid, again] of [
  ['refund', 'refund'],
  ['release', 'refund'],
  ['release', 'return'],
] as const)
  test(`with a lost store no second order with the same muxed id gets, by a ${again}, a deposit that a ${paid} paid out`, async () => {
    const [one, forged] = withSameMuxedId(
      paid === 'refund' ? pastDeadlines() : {},
      again === 'refund' ? pastDeadlines() : overDeadlines(),
    )
    assert.ok(one && forged)
    await world.name(one)
    const deposit = await world.deposit(one)
    const fill = paid === 'release' ? await world.fill(one) : undefined
    await world.closeLedger(20)
    await world.closeLedger()
    await world.closeLedger()
    const evidence = world.evidenceOf(one, [deposit], fill === undefined ? {} : { fill })
    const first =
      paid === 'refund'
        ? await ask(refundKey(one.orderId), refundOf(one), evidence)
        : await ask(releaseKey(one.orderId), releaseOf(one), evidence)
    assert.equal(await world.land(first.signed, expectSigned(first.answer)), 'succeeded')
    await world.restart(true)
    await world.closeLedger(100)
    await world.closeLedger()
    await world.closeLedger()
    const [payment] = await world.own.paymentsIn({
      txHash: deposit,
      from: one.order.depositor,
      to: world.vault,
    })
    assert.ok(payment)
    const key = again === 'refund' ? refundKey(forged.orderId) : returnKey(payment)
    const memo = again === 'refund' ? forged.orderId : returnMemo(payment)
    const second = await ask(key, refundOf(forged, { memo }), world.evidenceOf(forged, [deposit]))
    assert.equal(reasonOf(second.answer), `refused: the vault has paid ${key}`)
  })
