import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { solanaChainIdOf } from '@openrfq/sdk'
import {
  type RecordedJson,
  recordedOf,
  SLOTS_A_SECOND,
  startFloodedSolana,
} from '../../../test/flooded-solana.ts'
import { type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { ataOf, memo, tokens } from '../../../test/solana-instructions.ts'
import { CLOCK_MARGIN_SECONDS } from '../absence-statements.ts'
import type { PaymentAbsence } from '../payment-chain.ts'
import { rpcErrorCode } from '../rpc/rpc-error.ts'
import { createSolanaChain } from './index.ts'
import type { SolanaMint } from './programs.ts'

const ORDER_ID = `0x${'5'.repeat(64)}`
const AMOUNT = 7n
const GENESIS = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY'
const COUNT = 2_500
const LATENCY_MS = 10
/** Each call reads one part, however fast the machine is. */
const TIMING = { paymentsMs: 120_000, searchMs: 0 }
const MOST_CALLS = 1_000

let cluster: SolanaCluster
let usdc: SolanaMint
let dust: RecordedJson
let fill: RecordedJson
before(async () => {
  cluster = await startSolanaCluster()
  ;[usdc] = cluster.mints
  const [recipient, filler, stranger] = cluster.wallets
  assert.ok(recipient !== undefined && filler !== undefined && stranger !== undefined)
  const made = [
    await cluster.send(stranger, [tokens(stranger, recipient.address, usdc, 1n)]),
    await cluster.send(filler, [tokens(filler, recipient.address, usdc, AMOUNT), memo(ORDER_ID)]),
  ]
  cluster.node.advance(8)
  const [first = '', second = ''] = made
  dust = await recordedOf(cluster, first)
  fill = await recordedOf(cluster, second)
})
after(() => cluster.stop())

type Flood = Partial<Parameters<typeof startFloodedSolana>[0]>

/** A recipient whose token account is flooded between quote and deadline, read through one endpoint. */
const open = async (
  context: TestContext,
  flood: Flood = {},
  quoted: { readonly after: number; readonly forSeconds: number } | undefined = undefined,
) => {
  const [recipient, filler] = cluster.wallets
  assert.ok(recipient !== undefined && filler !== undefined)
  const firstSeconds = Math.floor(Date.now() / 1000) - COUNT
  const node = await startFloodedSolana({
    genesisHash: GENESIS,
    account: ataOf(recipient.address, usdc),
    also: { account: filler.address, every: 1 },
    count: COUNT,
    each: dust,
    firstSlot: 1_000_000,
    firstSeconds,
    latencyMs: LATENCY_MS,
    ...flood,
  })
  context.after(node.stop)
  const lines: string[] = []
  const chain = createSolanaChain({
    chainId: solanaChainIdOf(GENESIS),
    rpcUrls: [node.url],
    mints: cluster.mints,
    now: Date.now,
    log: (level, message) => lines.push(`${level} ${message}`),
    timing: TIMING,
  })
  context.after(chain.stop)
  const absence: PaymentAbsence = {
    about: `order ${ORDER_ID} was not filled`,
    from: filler.address,
    to: { account: recipient.address, token: usdc.address },
    memo: ORDER_ID,
    sinceSeconds: firstSeconds + (quoted?.after ?? 0),
    untilSeconds: quoted === undefined ? node.untilSeconds : firstSeconds + quoted.after + quoted.forSeconds,
    nowSeconds: Math.floor(Date.now() / 1000),
    isSought: (payment) =>
      payment.memo === ORDER_ID &&
      payment.from === filler.address &&
      payment.to === recipient.address &&
      payment.amount === AMOUNT,
  }
  /** Asks until the endpoint says something; the number of questions and its answer. */
  const ask = async (other: Partial<PaymentAbsence> = {}) => {
    for (let calls = 1; calls <= MOST_CALLS; calls += 1)
      try {
        const [said] = await chain.absenceStatements({ ...absence, ...other })
        return { calls, said }
      } catch (error) {
        assert.ok(['NODE_BEHIND', 'NO_ANSWER'].includes(rpcErrorCode(error) ?? ''), String(error))
      }
    return assert.fail(`no answer to ${MOST_CALLS} questions`)
  }
  return { node, ask, lines }
}

test('a flood of recipient and filler delays the proof that an order was not filled by one reading of it', async (context) => {
  const { node, ask } = await open(context)
  const { calls, said } = await ask()
  assert.deepEqual(said, { endpoint: 0, confirms: true })
  assert.ok(calls >= COUNT / 200, `${calls} calls`)
  assert.equal(node.shown.size, COUNT)
  assert.ok([...node.shown.values()].every((times) => times === 1))
  const { requests } = node.counts
  assert.deepEqual((await ask()).said, said)
  assert.equal(node.counts.requests, requests)
})

test('the oldest transaction of a flood is found to be the fill', async (context) => {
  const { ask } = await open(context, { other: { place: 0, is: fill } })
  assert.deepEqual((await ask()).said, { endpoint: 0, confirms: false })
})

test('what is older than the quote or later than the deadline is listed and not read', async (context) => {
  const { node, ask } = await open(context, {}, { after: 500, forSeconds: 200 })
  assert.equal((await ask()).said?.confirms, true)
  const [oldest, newest] = [500 - CLOCK_MARGIN_SECONDS, 700]
  assert.equal(node.shown.size, (newest - oldest + 1) * SLOTS_A_SECOND)
})

test('a search goes on where it ended when requests break off', async (context) => {
  const { node, ask } = await open(context, { breaks: (request) => request % 9 === 0 })
  assert.equal((await ask()).said?.confirms, true)
  assert.equal(node.shown.size, COUNT)
  assert.ok(Math.max(...node.shown.values()) <= 3)
})

test('many orders to one account read its transactions once, not once for each order', async (context) => {
  const { node, ask } = await open(context)
  for (const digit of ['6', '7', '8']) {
    const orderId = `0x${digit.repeat(64)}`
    const isSought: PaymentAbsence['isSought'] = ({ memo }) => memo === orderId
    const { said } = await ask({ about: `order ${orderId} was not filled`, memo: orderId, isSought })
    assert.equal(said?.confirms, true)
  }
  assert.equal(node.shown.size, COUNT)
  assert.ok([...node.shown.values()].every((times) => times === 1))
})

test('the transactions of a busy recipient are not read where the filler has few', async (context) => {
  const [, filler] = cluster.wallets
  const also = { account: filler?.address ?? '', every: 250 }
  const { node, ask } = await open(context, { also })
  assert.deepEqual((await ask()).said, { endpoint: 0, confirms: true })
  // The ten of the filler, and the first two parts of the recipient's.
  assert.ok(node.shown.size <= 410, `${node.shown.size} transactions`)
})

test('a fill among the transactions of a busy recipient is found by the list of its filler', async (context) => {
  const [, filler] = cluster.wallets
  const also = { account: filler?.address ?? '', every: 250 }
  const { node, ask } = await open(context, { also, other: { place: 249, is: fill } })
  assert.deepEqual((await ask()).said, { endpoint: 0, confirms: false })
  assert.ok(node.shown.size <= 410, `${node.shown.size} transactions`)
})
