import assert from 'node:assert/strict'
import { after, before, beforeEach, type TestContext, test } from 'node:test'
import { Asset, type Keypair, Memo, Operation, type xdr } from '@stellar/stellar-sdk'
import { openClaimScene } from '../../../test/claim-scene.ts'
import { openStellarWorld, type StellarWorld, UNIT, USDC } from '../../../test/stellar-world.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import { orderIdOf } from '../settlers/settler-contract.ts'
import { isFillOf } from '../vault/fill-facts.ts'

const AMOUNT = 24n * UNIT
const XLM = Asset.native()

let world: StellarWorld
let solver: Keypair
let recipient: Keypair
let startedSeconds = 0
const scene = openClaimScene()
const { released } = scene

before(async () => {
  world = await openStellarWorld()
  startedSeconds = Math.floor(world.now() / 1_000)
  ;[solver, recipient] = [world.user(0), world.user(1)]
})
after(() => world.close())
beforeEach(() => {
  released.length = 0
})

/** An order from an EVM chain that pays USDC to the recipient, each another. */
const newOrder = (): IntentOrder =>
  scene.newOrder({
    destinationChain: world.node.chainId,
    destinationSettler: recipient.publicKey(),
    outputToken: world.token('USDC'),
    recipient: recipient.publicKey(),
    filler: solver.publicKey(),
    amount: AMOUNT,
    nowSeconds: Math.floor(world.now() / 1_000),
  })

/** Sends one transaction and closes its ledger. */
const land = async (
  signer: Keypair,
  operations: readonly xdr.Operation[],
  memo: Memo = Memo.none(),
): Promise<string> => {
  const txHash = await world.submit(signer, operations, memo)
  await world.closeLedger()
  return txHash
}

const memoOf = (order: IntentOrder): Memo => Memo.hash(orderIdOf(order).slice(2))

/** What the attester answers to the claim of a solver. */
const claim = (order: IntentOrder, transaction: string): Promise<string> =>
  scene.claim(world.chain, order, transaction)

/** Whether every endpoint says that the order was not filled. */
const isUnfilled = async (order: IntentOrder): Promise<boolean> => {
  const orderId = orderIdOf(order)
  const untilSeconds = Math.floor(world.now() / 1_000)
  await world.closeLedger()
  const statements = await world.chain.absenceStatements({
    about: `order ${orderId} was not filled`,
    from: order.filler,
    to: { account: order.recipient, token: order.outputToken },
    memo: orderId,
    sinceSeconds: startedSeconds,
    untilSeconds,
    nowSeconds: Math.floor(world.now() / 1_000),
    isSought: (payment) => isFillOf(orderId, order, payment),
  })
  return statements.length > 0 && statements.every(({ confirms }) => confirms)
}

/** Prints what an attack changed in the balances of solver and recipient. */
const changes = async () => {
  const tokens = [world.token('USDC'), world.token('XLM')]
  const read = async () =>
    Promise.all([solver, recipient].map((one) => world.chain.agreedBalances(one.publicKey(), tokens)))
  const start = await read()
  return async (t: TestContext): Promise<void> => {
    const end = await read()
    for (const [at, name] of ['solver', 'recipient'].entries())
      t.diagnostic(
        `${name}: USDC ${(end[at]?.[0] ?? 0n) - (start[at]?.[0] ?? 0n)}, XLM ${(end[at]?.[1] ?? 0n) - (start[at]?.[1] ?? 0n)}`,
      )
  }
}

/** The recipient offers 100 XLM for 24 USDC, a better price than the dealer's. */
const offer = (): xdr.Operation =>
  Operation.manageSellOffer({ selling: XLM, buying: USDC, amount: '100', price: { n: 6, d: 25 } })

test('a trade with an offer of the recipient, with the memo of an order, is no fill', async (t) => {
  const order = newOrder()
  await land(recipient, [offer()])
  const print = await changes()
  const sale = Operation.manageSellOffer({ selling: USDC, buying: XLM, amount: '24', price: { n: 25, d: 6 } })
  const trade = await land(solver, [sale], memoOf(order))
  await print(t)
  assert.match(await claim(order, trade), /^refused: /)
  assert.deepEqual(released, [])
  assert.equal(await isUnfilled(order), true)
})

test('a path payment to the solver itself through an offer of the recipient is no fill', async (t) => {
  const order = newOrder()
  await land(recipient, [offer()])
  const print = await changes()
  const swap = Operation.pathPaymentStrictSend({
    sendAsset: USDC,
    sendAmount: '24',
    destination: solver.publicKey(),
    destAsset: XLM,
    destMin: '100',
  })
  const trade = await land(solver, [swap], memoOf(order))
  await print(t)
  assert.match(await claim(order, trade), /^refused: /)
  assert.deepEqual(released, [])
  assert.equal(await isUnfilled(order), true)
})

test('a plain payment with the memo of its order is its fill', async () => {
  const order = newOrder()
  const payment = Operation.payment({ destination: recipient.publicKey(), asset: USDC, amount: '24' })
  assert.equal(
    await claim(order, await land(solver, [payment], memoOf(order))),
    'waiting: the release is under way',
  )
  assert.deepEqual(released, [orderIdOf(order)])
  assert.equal(await isUnfilled(order), false)
})
