import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CosignerWorld, openCosignerWorld, type WorldOrder } from '../../../test/cosigner-world.ts'
import type { Rewrite } from '../../../test/stellar-world.ts'
import { refundKey, releaseKey, returnKey, returnMemo } from '../vault/obligations.ts'
import type { PayoutAnswer, PayoutEvidence } from '../vault/payout-request.ts'

const truth: Rewrite = (_method, result) => result

let world: CosignerWorld
/** What the first of the co-signer's three endpoints makes of the truth. */
let lie: Rewrite = truth

before(async () => {
  world = await openCosignerWorld([(method, result) => lie(method, result), truth, truth])
})
after(() => world.closeAll())

const isMade = (result: Readonly<Record<string, unknown>>): boolean => 'envelopeXdr' in result

const HIDES: Rewrite = (method, result) => {
  if (method === 'getEvents') return { ...result, events: [] }
  const nothing = { contractEventsXdr: [], transactionEventsXdr: [] }
  return method === 'getTransaction' && isMade(result) ? { ...result, events: nothing } : result
}

/** Puts other bytes in place of a memo of 32 bytes, wherever XDR in base64 has it: in the envelope and in events. */
const withOtherMemo = (memo: string, told: unknown): unknown => {
  if (Array.isArray(told)) return told.map((part) => withOtherMemo(memo, part))
  if (typeof told === 'object' && told !== null)
    return Object.fromEntries(Object.entries(told).map(([name, part]) => [name, withOtherMemo(memo, part)]))
  if (typeof told !== 'string') return told
  const bytes = Buffer.from(told, 'base64')
  const place = bytes.indexOf(Buffer.from(memo.slice(2), 'hex'))
  return place < 0 ? told : bytes.fill(0xab, place, place + 32).toString('base64')
}
const tellsAnotherMemo =
  (memo: string): Rewrite =>
  (method, result) =>
    method === 'getTransaction' && isMade(result)
      ? // CAST: the same shape, with other bytes.
        (withOtherMemo(memo, result) as typeof result)
      : result

const WINDOW = ['latestLedger', 'latestLedgerCloseTime', 'oldestLedger', 'oldestLedgerCloseTime'] as const

/** Shows a transaction in place of every one that does not exist. */
const invents =
  (made: Readonly<Record<string, unknown>>): Rewrite =>
  (method, result) =>
    method === 'getTransaction' && result['status'] === 'NOT_FOUND'
      ? { ...made, ...Object.fromEntries(WINDOW.map((name) => [name, result[name]])) }
      : result

const rawTransactionOf = async (hash: string): Promise<Readonly<Record<string, unknown>>> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTransaction', params: { hash } })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(world.node.rpcUrl, { method: 'POST', headers, body })
  // CAST: the node's answer about a transaction that it has just made.
  return ((await answer.json()) as { readonly result: Readonly<Record<string, unknown>> }).result
}

type Asked = {
  readonly key: string
  readonly recipient: string
  readonly memo: string
  readonly evidence: PayoutEvidence
}

/** Asks for a payout of an order's whole input. */
const ask = async ({ order }: WorldOrder, { key, recipient, memo, evidence }: Asked): Promise<string> => {
  const { inputToken: token, inputAmount: amount } = order
  const signed = await world.signedBy({ recipient, token, amount, memo, notAfterSeconds: undefined })
  const answer: Promise<PayoutAnswer> = world.ask(key, signed.rawTransaction, evidence)
  return answer.then(
    (said) => ('reason' in said ? `${said.kind}: ${said.reason}` : said.kind),
    ({ code }: { readonly code: string }) => code,
  )
}

/** Asks while the first endpoint lies, for as long as endpoints that say nothing are waited for. */
const askLied = async (one: WorldOrder, asked: Asked, told: Rewrite): Promise<ReadonlySet<string>> => {
  lie = told
  const said = new Set<string>()
  try {
    for (let round = 0; round < 4; round += 1) {
      said.add(await ask(one, asked))
      world.passSeconds(8)
      await world.closeLedger()
    }
    return said
  } finally {
    lie = truth
    world.passSeconds(8)
    await world.closeLedger()
    await world.closeLedger()
  }
}

const deposited = async () => {
  const one = world.order()
  await world.name(one)
  const deposit = await world.deposit(one)
  return { one, deposit }
}
const pastDeadlines = async (): Promise<void> => {
  await world.closeLedger(90)
  await world.closeLedger()
  await world.closeLedger()
}
const refundOf = ({ order, orderId }: WorldOrder, evidence: PayoutEvidence): Asked => ({
  ...{ key: refundKey(orderId), recipient: order.depositor, memo: orderId, evidence },
})
const releaseOf = ({ order, orderId }: WorldOrder, evidence: PayoutEvidence): Asked => ({
  ...{ key: releaseKey(orderId), recipient: order.solver, memo: orderId, evidence },
})

const assertUnsigned = (said: ReadonlySet<string>): void => {
  assert.ok(!said.has('signed'), [...said].join('; '))
}

test('while an endpoint of the co-signer hides the deposit, no refund is signed; afterwards it is', async () => {
  const { one, deposit } = await deposited()
  await pastDeadlines()
  const asked = refundOf(one, world.evidenceOf(one, [deposit]))
  assertUnsigned(await askLied(one, asked, HIDES))
  assert.equal(await ask(one, asked), 'signed')
})

test('while an endpoint of the co-signer hides the fill, the depositor gets no refund, and afterwards neither', async () => {
  const { one, deposit } = await deposited()
  const fill = await world.fill(one)
  await pastDeadlines()
  const asked = refundOf(one, world.evidenceOf(one, [deposit]))
  assertUnsigned(await askLied(one, asked, HIDES))
  assert.equal(await ask(one, asked), 'refused: an endpoint knows a fill of the order')
  assert.equal(await ask(one, releaseOf(one, world.evidenceOf(one, [deposit], { fill }))), 'signed')
})

test('while an endpoint of the co-signer tells another memo of the fill, no release is signed; afterwards it is', async () => {
  const { one, deposit } = await deposited()
  const fill = await world.fill(one)
  await world.closeLedger()
  await world.closeLedger()
  const asked = releaseOf(one, world.evidenceOf(one, [deposit], { fill }))
  assertUnsigned(await askLied(one, asked, tellsAnotherMemo(one.orderId)))
  assert.equal(await ask(one, asked), 'signed')
})

test('a deposit that one endpoint of the co-signer makes up is not returned', async () => {
  const { one, deposit } = await deposited()
  const made = await rawTransactionOf(deposit)
  await pastDeadlines()
  const invented = 'dead'.repeat(16)
  const place = { chainId: world.own.chainId, txHash: invented, position: 0 }
  const asked: Asked = {
    ...{ key: returnKey(place), recipient: one.order.depositor, memo: returnMemo(place) },
    evidence: world.evidenceOf(one, [deposit, invented]),
  }
  assertUnsigned(await askLied(one, asked, invents(made)))
  assertUnsigned(new Set([await ask(one, asked)]))
  assert.equal(await ask(one, refundOf(one, world.evidenceOf(one, [deposit]))), 'signed')
})

test('a fill that one endpoint of the co-signer makes up releases nothing', async () => {
  const { one, deposit } = await deposited()
  const other = world.order()
  const made = await rawTransactionOf(await world.fill(other))
  await world.closeLedger()
  await world.closeLedger()
  const asked = releaseOf(one, world.evidenceOf(one, [deposit], { fill: 'dead'.repeat(16) }))
  assertUnsigned(await askLied(one, asked, invents(made)))
  assertUnsigned(new Set([await ask(one, asked)]))
})
