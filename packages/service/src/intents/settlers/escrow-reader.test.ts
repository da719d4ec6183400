import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { z } from 'zod'
import { orderMaker, signedBy } from '../../../test/escrow-cluster.ts'
import { until } from '../../../test/eventually.ts'
import type { LocalServer } from '../../../test/local-server.ts'
import { type Lie, startLyingNode } from '../../../test/lying-node.ts'
import { type ClusterWallet, type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { sol } from '../../../test/solana-instructions.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { SolanaInstruction } from '../../chains/solana/instructions.ts'
import type { OrderId } from '../../core/intent-order.ts'
import { escrowAddressOf, openInstruction, refundInstruction } from './escrow-program.ts'
import { createEscrowReader, type EscrowReader } from './escrow-reader.ts'

const PATIENCE_MS = 120_000
const TIMING = { pollMs: 1_000, readMs: PATIENCE_MS, paymentsMs: PATIENCE_MS }

let cluster: SolanaCluster
let liar: LocalServer
let lie: Lie | undefined
let depositor: ClusterWallet
let solver: ClusterWallet
let newOrder: ReturnType<typeof orderMaker>

before(async () => {
  cluster = await startSolanaCluster()
  liar = await startLyingNode(cluster.node.rpcUrl, () => lie)
  const [first, second] = cluster.wallets
  assert.ok(first !== undefined && second !== undefined)
  ;[depositor, solver] = [first, second]
  newOrder = orderMaker(cluster, depositor, solver)
})
after(async () => {
  liar.stop()
  await cluster.stop()
})

/** Sends instructions and makes them final; returns the signature. */
const land = async (wallet: ClusterWallet, instruction: SolanaInstruction): Promise<string> => {
  const txHash = await cluster.send(wallet, [signedBy(instruction, wallet)])
  cluster.node.advance(8)
  return txHash
}

const connect = async (context: TestContext, ...places: readonly number[]): Promise<PaymentChain> => {
  const urls = [0, 1, 2].map((place) =>
    places.includes(place) ? `${liar.url}/?${place}` : `${cluster.node.rpcUrl}/?${place}`,
  )
  const chain = await cluster.connect({ rpcUrls: urls, timing: TIMING })
  context.after(chain.stop)
  await until(() => chain.head() !== undefined)
  return chain
}

const readerOf = ({ programs }: PaymentChain): EscrowReader => {
  assert.ok(programs !== undefined)
  return createEscrowReader(programs, cluster.node.escrowProgram)
}

const finalSlot = (chain: PaymentChain): bigint => chain.head()?.finalNumber ?? 0n

for (const kind of ['SOL', 'USDC'] as const)
  test(`an order of ${kind} is seen when confirmed, agreed when final, and its transactions are found`, async (context) => {
    const reader = readerOf(await connect(context))
    const escrow = newOrder(kind)
    const { orderId } = escrow
    assert.equal((await reader.seen([orderId])).size, 0)
    assert.deepEqual((await reader.agreed([orderId], 0n)).get(orderId), { status: 'missing' })
    const opened = await cluster.send(depositor, [signedBy(openInstruction(escrow), depositor)])
    cluster.node.advance(2)
    const open = { status: 'open', orderId, payer: depositor.address }
    assert.deepEqual((await reader.seen([orderId])).get(orderId), open)
    assert.deepEqual((await reader.agreed([orderId], 0n)).get(orderId), { status: 'missing' })
    assert.equal((await reader.history(orderId, 'confirmed')).opened?.txHash, opened)
    assert.equal((await reader.history(orderId, 'finalized')).opened, undefined)
    cluster.node.advance(6)
    assert.deepEqual((await reader.agreed([orderId], 0n)).get(orderId), open)
    const refunded = await land(solver, refundInstruction(escrow, { kind: 'solver' }))
    assert.deepEqual((await reader.agreed([orderId], 0n)).get(orderId), { ...open, status: 'refunded' })
    const history = await reader.history(orderId, 'finalized')
    assert.equal(history.opened?.txHash, opened)
    assert.equal(history.refunded?.txHash, refunded)
    assert.equal(history.released, undefined)
  })

const Accounts = z.looseObject({ value: z.array(z.unknown()) })
const onAccounts =
  (change: (value: readonly unknown[]) => readonly unknown[]): Lie =>
  ({ method }, result) => {
    if (method !== 'getMultipleAccounts') return result
    const answer = Accounts.parse(result)
    return { ...answer, value: change(answer.value) }
  }

/** A forged open order: an account with status 1, the id and no other terms. */
const forged = (orderId: OrderId): string => {
  const bytes = Buffer.alloc(200)
  bytes[0] = 1
  bytes.write(orderId.slice(2), 40, 'hex')
  return bytes.toString('base64')
}

test('one endpoint of three neither invents an open order nor hides one', async (context) => {
  const chain = await connect(context, 0)
  const reader = readerOf(chain)
  const [real, invented] = [newOrder('SOL'), newOrder('SOL')]
  await land(depositor, openInstruction(real))
  lie = onAccounts((value) =>
    value.map((account) =>
      account === null
        ? {
            lamports: 2_000_000,
            owner: cluster.node.escrowProgram,
            executable: false,
            rentEpoch: 0,
            space: 200,
            data: [forged(invented.orderId), 'base64'],
          }
        : null,
    ),
  )
  const states = await reader.agreed([real.orderId, invented.orderId], finalSlot(chain))
  lie = undefined
  assert.equal(states.get(real.orderId)?.status, 'open')
  assert.deepEqual(states.get(invented.orderId), { status: 'missing' })
})

test('endpoints that list a transaction and do not show it say nothing about the calls of an order', async (context) => {
  const reader = readerOf(await connect(context, 0, 1, 2))
  const escrow = newOrder('SOL')
  const opened = await land(depositor, openInstruction(escrow))
  lie = ({ method }, result) => (method === 'getTransaction' ? null : result)
  for (const commitment of ['confirmed', 'finalized'] as const)
    await assert.rejects(reader.history(escrow.orderId, commitment), { code: 'NODE_BEHIND' })
  lie = undefined
  assert.equal((await reader.history(escrow.orderId, 'finalized')).opened?.txHash, opened)
})

test('an opening that a stranger buries under transactions is found, in several attempts', async (context) => {
  const chain = await cluster.connect({
    timing: TIMING,
    limits: { pageSignatures: 5, pages: 3, transactions: 1_000 },
  })
  context.after(chain.stop)
  const reader = readerOf(chain)
  const escrow = newOrder('SOL')
  const opened = await land(depositor, openInstruction(escrow))
  const account = escrowAddressOf(cluster.node.escrowProgram, escrow.orderId)
  for (let count = 1; count <= 30; count += 1)
    await cluster.send(solver, [sol(solver, account, BigInt(count))])
  cluster.node.advance(8)
  const history = () => reader.history(escrow.orderId, 'finalized')
  await assert.rejects(history(), { code: 'NO_AGREEMENT' })
  const found = await history()
  assert.deepEqual([found.opened?.txHash, found.isWhole], [opened, false])
})

test('lamports that a stranger sends to an order in every slot do not keep endpoints from agreeing', async (context) => {
  const reader = readerOf(await connect(context, 0))
  const escrow = newOrder('SOL')
  await land(depositor, openInstruction(escrow))
  let extra = 0
  lie = onAccounts((value) =>
    value.map((account) => {
      extra += 1
      return typeof account === 'object' && account !== null
        ? { ...account, lamports: 3_000_000 + extra }
        : account
    }),
  )
  const states = await reader.agreed([escrow.orderId], 0n)
  lie = undefined
  assert.equal(states.get(escrow.orderId)?.status, 'open')
})

test('an account of another program at the place of an order is no order', async (context) => {
  const reader = readerOf(await connect(context))
  const { orderId } = newOrder('SOL')
  const account = escrowAddressOf(cluster.node.escrowProgram, orderId)
  await cluster.send(depositor, [sol(depositor, account, 5_000_000n)])
  cluster.node.advance(8)
  assert.deepEqual((await reader.agreed([orderId], 0n)).get(orderId), { status: 'missing' })
})

test('a slot to come that one endpoint named hides no order that is open, and makes none missing', async (context) => {
  const chain = await connect(context)
  const [opened, unopened] = [newOrder('SOL'), newOrder('SOL')]
  await land(depositor, openInstruction(opened))
  const after = finalSlot(chain) + 1_000_000n
  const states = await readerOf(chain).agreed([opened.orderId, unopened.orderId], after)
  assert.deepEqual(
    [...states].map(([orderId, { status }]) => [orderId, status]),
    [[opened.orderId, 'open']],
  )
})

test('more orders than one call takes are read in order', async (context) => {
  const reader = readerOf(await connect(context))
  const orders = Array.from({ length: 130 }, () => newOrder('SOL'))
  const chosen = orders.at(120)
  assert.ok(chosen !== undefined)
  await land(depositor, openInstruction(chosen))
  const states = await reader.agreed(
    orders.map(({ orderId }) => orderId),
    0n,
  )
  const open = [...states].filter(([, { status }]) => status === 'open').map(([orderId]) => orderId)
  assert.deepEqual(open, [chosen.orderId])
  assert.equal(states.size, 130)
})
