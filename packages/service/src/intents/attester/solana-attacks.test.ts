import assert from 'node:assert/strict'
import { after, before, beforeEach, type TestContext, test } from 'node:test'
import { AccountRole, address, type Instruction } from '@solana/kit'
import { getApproveInstruction, getTransferInstruction } from '@solana-program/token'
import { openClaimScene } from '../../../test/claim-scene.ts'
import { orderMaker, signedBy } from '../../../test/escrow-cluster.ts'
import type { LocalServer } from '../../../test/local-server.ts'
import { startLyingNode } from '../../../test/lying-node.ts'
import { type ClusterWallet, type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { ataOf, memo, opening, sol, tokens } from '../../../test/solana-instructions.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { SOLANA_NATIVE_TOKEN } from '../../chains/solana/address.ts'
import { encodeBase58 } from '../../chains/solana/base58.ts'
import { PROGRAMS, type SolanaMint } from '../../chains/solana/programs.ts'
import { baseUnits } from '../../core/amount.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import { openInstruction, refundInstruction } from '../settlers/escrow-program.ts'
import { orderIdOf } from '../settlers/settler-contract.ts'

const AMOUNT = 250_000n
const FLOOD = 80_000
const PAGE = 1_000
const WRAPPED_SOL: SolanaMint = { address: 'So11111111111111111111111111111111111111112', decimals: 9 }
const SYNC_NATIVE = 17
const PATIENCE_MS = 120_000

let cluster: SolanaCluster
let flooded: readonly LocalServer[]
let chain: PaymentChain
let solver: ClusterWallet
let recipient: ClusterWallet
let attacker: ClusterWallet
let usdc: SolanaMint
let asked: string[] = []
const scene = openClaimScene()
const { released } = scene

/** Pages of the solver's history, full of transactions of strangers. */
const listFlood = (listed: number): readonly object[] =>
  Array.from({ length: Math.min(PAGE, FLOOD - listed) }, (_, index) => {
    const bytes = new Uint8Array(64)
    new DataView(bytes.buffer).setUint32(0, listed + index)
    return { signature: encodeBase58(bytes), slot: 1, err: null, memo: null, blockTime: 1 }
  })

before(async () => {
  cluster = await startSolanaCluster()
  let listed = 0
  const node = () =>
    startLyingNode(cluster.node.rpcUrl, () => ({ method }, result) => {
      asked.push(method)
      if (method !== 'getSignaturesForAddress') return result
      listed += PAGE
      return listFlood(listed % FLOOD)
    })
  flooded = await Promise.all([node(), node(), node()])
  const [first, second, third] = cluster.wallets
  assert.ok(first !== undefined && second !== undefined && third !== undefined)
  ;[solver, recipient, attacker] = [first, second, third]
  ;[usdc] = cluster.mints
  const timing = { readMs: PATIENCE_MS, paymentsMs: PATIENCE_MS }
  chain = await cluster.connect({ rpcUrls: flooded.map(({ url }) => url), timing })
})
after(async () => {
  for (const { stop } of flooded) stop()
  await cluster.stop()
})
beforeEach(() => {
  asked = []
  released.length = 0
})

/** An order from an EVM chain that pays the recipient, each another. */
const newOrder = (token = usdc.address): IntentOrder =>
  scene.newOrder({
    destinationChain: cluster.node.chainId,
    destinationSettler: cluster.node.escrowProgram,
    outputToken: token,
    recipient: recipient.address,
    filler: solver.address,
    amount: AMOUNT,
    nowSeconds: Math.floor(Date.now() / 1_000),
  })

/** Sends one transaction and makes it final. */
const land = async (payer: ClusterWallet, ...instructions: readonly Instruction[]): Promise<string> => {
  const txHash = await cluster.send(payer, instructions)
  cluster.node.advance(8)
  return txHash
}

/** What the attester answers to the claim of a solver. */
const claim = (order: IntentOrder, transaction: string): Promise<string> =>
  scene.claim(chain, order, transaction)

const held = async (owner: ClusterWallet, token: string): Promise<bigint> =>
  (await chain.agreedBalances(owner.address, [token]))[0] ?? 0n

/** Prints what an attack changed in balances of a token. */
const changesOf = async (token: string) => {
  const all = { solver, recipient, attacker }
  const read = async () => ({
    solver: await held(all.solver, token),
    recipient: await held(all.recipient, token),
    attacker: await held(all.attacker, token),
  })
  const start = await read()
  return async (t: TestContext) => {
    const end = await read()
    const changes = {
      solver: end.solver - start.solver,
      recipient: end.recipient - start.recipient,
      attacker: end.attacker - start.attacker,
    }
    t.diagnostic(
      Object.entries(changes)
        .map(([name, change]) => `${name} ${change}`)
        .join(', '),
    )
    return changes
  }
}

test('80,000 transactions of strangers in the history of the solver delay no attestation', async (t) => {
  const order = newOrder()
  const changes = await changesOf(usdc.address)
  const fill = await land(solver, memo(orderIdOf(order)), tokens(solver, recipient.address, usdc, AMOUNT))
  asked = []
  assert.equal(await claim(order, fill), 'waiting: the release is under way')
  assert.deepEqual(released, [orderIdOf(order)])
  assert.ok(!asked.includes('getSignaturesForAddress') && asked.length < 40, asked.join(' '))
  assert.deepEqual(await changes(t), { solver: -AMOUNT, recipient: AMOUNT, attacker: 0n })
})

test('a transaction of twenty payments with the memo of an order, by a stranger to the recipient, is no fill', async (t) => {
  const order = newOrder()
  const changes = await changesOf(usdc.address)
  const payments = Array.from({ length: 20 }, () => tokens(attacker, recipient.address, usdc, AMOUNT / 20n))
  const foreign = await land(attacker, memo(orderIdOf(order)), ...payments)
  assert.match(await claim(order, foreign), /^refused: .*not paid by the order's filler/)
  assert.deepEqual(released, [])
  assert.deepEqual(await changes(t), { solver: 0n, recipient: AMOUNT, attacker: -AMOUNT })
})

test('payments that add up to the output are no fill', async (t) => {
  const order = newOrder()
  const changes = await changesOf(usdc.address)
  const half = () => tokens(solver, recipient.address, usdc, AMOUNT / 2n)
  assert.match(
    await claim(order, await land(solver, memo(orderIdOf(order)), half(), half())),
    /another amount/,
  )
  assert.deepEqual(released, [])
  assert.deepEqual(await changes(t), { solver: -AMOUNT, recipient: AMOUNT, attacker: 0n })
})

test('the fills of two orders in one transaction release the order of its first memo only', async (t) => {
  const [first, second] = [newOrder(), newOrder()]
  const changes = await changesOf(usdc.address)
  const pay = () => tokens(solver, recipient.address, usdc, AMOUNT)
  const crossed = await land(solver, memo(orderIdOf(first)), pay(), memo(orderIdOf(second)), pay())
  assert.match(await claim(second, crossed), /^refused: .*paid for another order/)
  assert.equal(await claim(first, crossed), 'waiting: the release is under way')
  assert.deepEqual(released, [orderIdOf(first)])
  assert.deepEqual(await changes(t), { solver: -2n * AMOUNT, recipient: 2n * AMOUNT, attacker: 0n })
})

test('wrapped SOL is no fill of an order for SOL', async (t) => {
  const order = newOrder(SOLANA_NATIVE_TOKEN)
  const sync: Instruction = {
    programAddress: address(PROGRAMS.token),
    accounts: [{ address: ataOf(solver.address, WRAPPED_SOL), role: AccountRole.WRITABLE }],
    data: Uint8Array.of(SYNC_NATIVE),
  }
  await land(
    solver,
    opening(solver, solver.address, WRAPPED_SOL),
    opening(solver, recipient.address, WRAPPED_SOL),
    sol(solver, ataOf(solver.address, WRAPPED_SOL), AMOUNT),
    sync,
  )
  const changes = await changesOf(SOLANA_NATIVE_TOKEN)
  const wrapped = await land(
    solver,
    memo(orderIdOf(order)),
    tokens(solver, recipient.address, WRAPPED_SOL, AMOUNT),
  )
  assert.match(await claim(order, wrapped), /^refused: no fill/)
  assert.deepEqual(released, [])
  assert.equal((await changes(t)).recipient, 0n)
})

test('a transaction that failed, and one that does not exist, are no fill', async (t) => {
  const order = newOrder()
  const changes = await changesOf(usdc.address)
  const tooMuch = tokens(solver, recipient.address, usdc, 2n ** 63n)
  const failed = await land(
    solver,
    memo(orderIdOf(order)),
    tokens(solver, recipient.address, usdc, AMOUNT),
    tooMuch,
  )
  assert.match(await claim(order, failed), /^refused: no fill/)
  const unknown = encodeBase58(new Uint8Array(64).fill(7))
  assert.equal(await claim(order, unknown), 'waiting: the fill is not final')
  assert.deepEqual(released, [])
  assert.deepEqual(await changes(t), { solver: 0n, recipient: 0n, attacker: 0n })
})

test('a payment to somebody else with the memo of an order is no fill', async (t) => {
  const order = newOrder()
  const changes = await changesOf(usdc.address)
  const foreign = await land(solver, memo(orderIdOf(order)), tokens(solver, attacker.address, usdc, AMOUNT))
  assert.match(await claim(order, foreign), /^refused: .*(another recipient|no payment)/)
  assert.deepEqual(released, [])
  assert.deepEqual(await changes(t), { solver: -AMOUNT, recipient: 0n, attacker: AMOUNT })
})

test('a payment by a delegate of the filler, which does not name the filler, is no fill', async (t) => {
  const order = newOrder()
  const source = address(ataOf(solver.address, usdc))
  await land(
    solver,
    getApproveInstruction({
      source,
      delegate: attacker.signer.address,
      owner: solver.signer,
      amount: AMOUNT,
    }),
  )
  const changes = await changesOf(usdc.address)
  const pay = getTransferInstruction({
    source,
    destination: address(ataOf(recipient.address, usdc)),
    authority: attacker.signer,
    amount: AMOUNT,
  })
  const paid = await land(attacker, memo(orderIdOf(order)), pay)
  assert.match(await claim(order, paid), /^refused: /)
  assert.deepEqual(released, [])
  assert.deepEqual(await changes(t), { solver: -AMOUNT, recipient: AMOUNT, attacker: 0n })
})

test("the recipient's own refund, which the escrow program pays in a transaction of the solver, is no fill", async (t) => {
  const order = newOrder(SOLANA_NATIVE_TOKEN)
  const earlier = orderMaker(cluster, recipient, solver)('SOL', { inputAmount: baseUnits(AMOUNT) })
  await land(recipient, signedBy(openInstruction(earlier), recipient))
  const changes = await changesOf(SOLANA_NATIVE_TOKEN)
  const decline = signedBy(refundInstruction(earlier, { kind: 'solver' }), solver)
  const refund = await land(solver, memo(orderIdOf(order)), decline)
  assert.equal((await changes(t)).recipient, AMOUNT)
  assert.match(await claim(order, refund), /^refused: /)
  assert.deepEqual(released, [])
})

test("a payment that names the recipient's invoice beside the memo of an order is no fill", async (t) => {
  const order = newOrder()
  const changes = await changesOf(usdc.address)
  const plain = tokens(solver, recipient.address, usdc, AMOUNT)
  const reference = { address: address(attacker.address), role: AccountRole.READONLY }
  const invoiced = { ...plain, accounts: [...(plain.accounts ?? []), reference] }
  assert.match(await claim(order, await land(solver, memo(orderIdOf(order)), invoiced)), /^refused: /)
  assert.deepEqual(released, [])
  assert.equal((await changes(t)).recipient, AMOUNT)
})
