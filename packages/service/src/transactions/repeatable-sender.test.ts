import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type ClusterOrder, orderMaker, signedBy } from '../../test/escrow-cluster.ts'
import { until } from '../../test/eventually.ts'
import { type ClusterWallet, type SolanaCluster, startSolanaCluster } from '../../test/solana-cluster.ts'
import type { PaymentChain } from '../chains/payment-chain.ts'
import { openInstruction, refundInstruction } from '../intents/settlers/escrow-program.ts'
import { createEscrowReader } from '../intents/settlers/escrow-reader.ts'
import { createRepeatableSender, type RepeatableCall, type RepeatableSender } from './repeatable-sender.ts'

let cluster: SolanaCluster
let chain: PaymentChain
let depositor: ClusterWallet
let solver: ClusterWallet
let newOrder: ReturnType<typeof orderMaker>
let time = 0
let sender: RepeatableSender

before(async () => {
  cluster = await startSolanaCluster()
  chain = await cluster.connect()
  const [first, second] = cluster.wallets
  assert.ok(first !== undefined && second !== undefined)
  ;[depositor, solver] = [first, second]
  newOrder = orderMaker(cluster, depositor, solver)
})
beforeEach(async () => {
  time = 0
  sender = createRepeatableSender({ chain, secret: solver.secret, now: () => time })
  cluster.node.advance(1)
  await until(() => chain.head() !== undefined)
})
after(() => cluster.stop())

const declineOf = (order: ClusterOrder): RepeatableCall => ({
  key: `decline:${order.orderId}`,
  instructions: [refundInstruction(order, { kind: 'solver' })],
  unitLimit: 60_000,
})

const opened = async (): Promise<ClusterOrder> => {
  const order = newOrder('USDC')
  await cluster.send(depositor, [signedBy(openInstruction(order), depositor)])
  cluster.node.advance(8)
  return order
}

const statusOf = async ({ orderId }: ClusterOrder): Promise<string | undefined> => {
  assert.ok(chain.programs !== undefined)
  const reader = createEscrowReader(chain.programs, cluster.node.escrowProgram)
  return (await reader.agreed([orderId], 0n)).get(orderId)?.status
}

test('a call is sent once and followed until it is final', async () => {
  const order = await opened()
  const first = await sender.send(declineOf(order))
  assert.ok(first.kind === 'sent')
  assert.equal(first.outcome, 'pending')
  assert.deepEqual(await sender.send(declineOf(order)), first)
  cluster.node.advance(8)
  assert.deepEqual(await sender.send(declineOf(order)), { ...first, outcome: 'succeeded' })
  assert.equal(await statusOf(order), 'refunded')
})

test('a transaction that a node lost is sent again', async () => {
  const order = await opened()
  cluster.node.dropNext(1)
  await sender.send(declineOf(order))
  cluster.node.advance(8)
  assert.equal(await statusOf(order), 'open')
  time += 2_000
  await sender.send(declineOf(order))
  cluster.node.advance(8)
  assert.equal(await statusOf(order), 'refunded')
})

test('a transaction whose blockhash died is replaced', async () => {
  const order = await opened()
  cluster.node.dropNext(1)
  const lost = await sender.send(declineOf(order))
  const slot = chain.head()?.number ?? 0n
  cluster.node.advance(170)
  const ended = await sender.send(declineOf(order))
  assert.ok(lost.kind === 'sent' && ended.kind === 'sent')
  assert.equal(ended.outcome, 'expired')
  await until(() => (chain.head()?.number ?? 0n) > slot + 165n)
  const again = await sender.send(declineOf(order))
  assert.ok(again.kind === 'sent')
  assert.notEqual(again.txHash, lost.txHash)
  cluster.node.advance(8)
  assert.equal(await statusOf(order), 'refunded')
})

test('a call that fails on chain waits longer each time', async () => {
  const never = newOrder('SOL')
  for (const pauseMs of [5_000, 10_000, 20_000]) {
    const sent = await sender.send(declineOf(never))
    assert.equal(sent.kind, 'sent')
    cluster.node.advance(8)
    const failed = await sender.send(declineOf(never))
    assert.ok(failed.kind === 'sent' && failed.outcome === 'failed')
    time += pauseMs - 1
    assert.deepEqual(await sender.send(declineOf(never)), { kind: 'waiting' })
    time += 1
    const slot = chain.head()?.number ?? 0n
    cluster.node.advance(1)
    await until(() => (chain.head()?.number ?? 0n) > slot)
  }
})

test('a call that a stranger makes fail for ever costs about a fee a day', async () => {
  const { programs } = chain
  assert.ok(programs !== undefined)
  let signed = 0
  const signInstructions: typeof programs.signInstructions = async () => {
    signed += 1
    return { txHash: `tx${signed}`, rawTransaction: '' }
  }
  const failing = createRepeatableSender({
    chain: {
      ...chain,
      programs: { ...programs, signInstructions },
      broadcast: async () => undefined,
      outcome: async () => 'failed',
    },
    secret: solver.secret,
    now: () => time,
  })
  const call = declineOf(newOrder('SOL'))
  const DAYS = 30
  for (; time < DAYS * 86_400_000; time += 300_000) await failing.send(call)
  assert.ok(signed <= 15 + DAYS, `${signed} transactions`)
  assert.ok(signed >= DAYS, `${signed} transactions`)
})

test('two turns at the same time sign one transaction', async () => {
  const order = await opened()
  const [first, second] = await Promise.all([sender.send(declineOf(order)), sender.send(declineOf(order))])
  assert.deepEqual([first.kind, second.kind], ['sent', 'waiting'])
})

test('sixty-four calls are in flight at most, and forgotten ones make room', async () => {
  cluster.node.dropNext(64)
  const orders = Array.from({ length: 65 }, () => newOrder('SOL'))
  const kinds: string[] = []
  for (const order of orders) kinds.push((await sender.send(declineOf(order))).kind)
  assert.equal(kinds.filter((kind) => kind === 'sent').length, 64)
  assert.equal(kinds.at(-1), 'waiting')
  time += 600_001
  const [last] = orders.slice(-1)
  assert.ok(last !== undefined)
  cluster.node.dropNext(1)
  assert.equal((await sender.send(declineOf(last))).kind, 'sent')
})

test('sixty-four calls that landed and that nothing asks about any more hold up no other', async () => {
  const orders = Array.from({ length: 65 }, () => newOrder('SOL'))
  for (const order of orders.slice(0, 64)) await sender.send(declineOf(order))
  cluster.node.advance(40)
  const [last = assert.fail()] = orders.slice(-1)
  assert.equal((await sender.send(declineOf(last))).kind, 'sent')
})
