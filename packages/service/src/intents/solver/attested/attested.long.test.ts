import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ATTESTER, STRANGER } from '@openrfq/sandbox/test/attested-world.ts'
import { type Hex, zeroHash } from 'viem'
import { eventually } from '../../../../test/eventually.ts'
import {
  type PaymentSolverWorld,
  startPaymentSolverWorld,
  type WorldSide,
} from '../../../../test/payment-solver-world.ts'
import { RICH } from '../../../../test/test-orders.ts'
import { baseUnits } from '../../../core/amount.ts'
import type { IntentOrder } from '../../../core/intent-order.ts'
import { firstQuoteId } from '../../../core/quote-id.ts'
import { systemClock } from '../../../lib/clock.ts'
import { fillDigest } from '../../settlers/attestation.ts'
import { saltOf } from '../../settlers/quoted-order.ts'
import { openCall, orderIdOf, releaseCall } from '../../settlers/settler-contract.ts'
import { readSolverConfig } from '../config.ts'
import { type ReferenceSolver, startReferenceSolver } from '../index.ts'

const NONE = 0
const OPEN = 1
const REFUNDED = 2
const FILLED = 'filled'

let world: PaymentSolverWorld
let solver: ReferenceSolver
const lines: string[] = []

const start = (part: Parameters<typeof world.config>[0] = {}): Promise<ReferenceSolver> =>
  startReferenceSolver(readSolverConfig(JSON.stringify(world.config(part)), {}), {
    ...systemClock,
    random: Math.random,
    log: (level, message, fields) =>
      lines.push(
        `${level} ${message} ${JSON.stringify(fields, (_, value) => (typeof value === 'bigint' ? `${value}` : value instanceof Error ? value.message : value))}`,
      ),
  })

const until = (condition: () => boolean | Promise<boolean>, name: string): Promise<true> =>
  eventually(() => `${name}\n${lines.slice(-40).join('\n')}`, condition)

before(async () => {
  world = await startPaymentSolverWorld()
  solver = await start()
  await until(() => solver.status().isConnected, 'the login')
})
after(async () => {
  await solver.stop()
  await world.stop()
})

/** The kind of the escrow of an order from the EVM chain; of one to it, whether it is filled. */
const statusOf = async (order: IntentOrder): Promise<number | 'filled'> => {
  // CAST: kind and account.
  const record = await world.evm.read(hex(world.evm.settler), 'record', [orderIdOf(order)])
  const [kind, repayTo] = record as readonly [number, Hex]
  return repayTo === zeroHash ? kind : FILLED
}

// CAST: all of these are hex of the chain's own.
const hex = (text: string): Hex => text as Hex

const open = async (order: IntentOrder): Promise<void> => {
  const { data, value } = openCall(order)
  await world.evm.run({ from: hex(order.depositor), to: world.evm.settler, data: hex(data), value })
}

const isPaid = (order: IntentOrder) => async (): Promise<boolean> => (await world.paid(order)).length > 0

test('quotes from and to every payment chain', async () => {
  const { evm, solana, stellar } = world.sides
  const price = (from: WorldSide, to: WorldSide) => {
    const asset = ({ chainId, usdc }: WorldSide) => ({ token: { chainId, address: usdc } })
    const amount = baseUnits(100n * from.unit)
    const order = {
      from: asset(from),
      to: asset(to),
      sender: 'somebody',
      orderType: 'EXACT_INPUT',
      amount,
    } as const
    return world.book.price(order, RICH)
  }
  for (const [from, to] of [
    [evm, solana],
    [solana, stellar],
    [stellar, evm],
  ] as const) {
    await until(() => 'offers' in price(from, to), 'a quote')
    const answer = price(from, to)
    assert.ok('offers' in answer)
    const [offer] = answer.offers
    assert.ok(offer !== undefined && offer.output < 100n * to.unit && offer.output > 99n * to.unit)
  }
})

test('fills a final deposit in a vault once, however often it is notified', async () => {
  const { solana, stellar } = world.sides
  const orders = [world.order(stellar, solana), world.order(stellar, solana)]
  for (const order of orders) world.notify(order, false)
  await pause(1_500)
  for (const order of orders) assert.deepEqual(await world.paid(order), [])
  for (const order of [...orders, ...orders]) world.notify(order, true)
  for (const order of orders) await until(isPaid(order), 'the payment')
  for (const order of orders) world.notify(order, true)
  await pause(1_500)
  for (const order of orders) {
    const [payment, ...more] = await world.paid(order)
    assert.deepEqual(more, [])
    const { from, to, token, amount } = payment ?? assert.fail()
    assert.deepEqual(
      [from, to, token, amount],
      [order.filler, order.recipient, order.outputToken, order.outputAmount],
    )
  }
})

test('fills an order from Solana only when its escrow is open in a final block, and has it released', async () => {
  const { evm, solana, stellar } = world.sides
  const orders = [world.order(solana, stellar), world.order(solana, evm)]
  for (const order of orders) world.notify(order, true)
  await pause(1_500)
  for (const order of orders) assert.equal(await world.escrowStatus(order), 'missing')
  const [toStellar, toEvm] = orders
  assert.ok(toStellar !== undefined && toEvm !== undefined)
  assert.deepEqual(await world.paid(toStellar), [])
  for (const order of orders) await world.openOnSolana(order)
  for (const order of orders)
    await until(async () => (await world.escrowStatus(order)) === 'released', 'the release')
  assert.equal((await world.paid(toStellar)).length, 1)
  assert.equal(await statusOf(toEvm), FILLED)
  for (const order of orders)
    await until(
      () => lines.some((line) => line.includes('order_repaid') && line.includes(orderIdOf(order))),
      'the end',
    )
})

test('a declined order from Solana is refunded at once, also by a solver that was restarted, and never paid', async () => {
  const { solana, stellar } = world.sides
  solver.modes.set('declining')
  const order = world.order(solana, stellar)
  await world.openOnSolana(order)
  world.notify(order, false)
  await until(() => world.declined.has(orderIdOf(order)), 'the decline')
  await solver.stop()
  solver = await start()
  await until(() => world.notify(order, true), 'the login')
  await until(async () => (await world.escrowStatus(order)) === 'refunded', 'the refund')
  assert.deepEqual(await world.paid(order), [])
})

test('a solver that is killed after its fill has the escrow released in its next life, without the service', async () => {
  const { solana, stellar } = world.sides
  const order = world.order(solana, stellar)
  await world.openOnSolana(order)
  world.attester.pause()
  world.notify(order, true)
  await until(isPaid(order), 'the payment')
  await solver.stop()
  world.attester.resume()
  world.forget(order)
  solver = await start()
  await until(async () => (await world.escrowStatus(order)) === 'released', 'the release')
  assert.equal((await world.paid(order)).length, 1)
})

test('a store restored from before a fill does not repeat it', async (context) => {
  const { solana, stellar } = world.sides
  const quotedAt = Date.now()
  const salt = saltOf(firstQuoteId(quotedAt, BigInt(quotedAt)), randomBytes(16).toString('hex'))
  const [filled, unfilled] = [world.order(solana, stellar, { salt }), world.order(stellar, solana, { salt })]
  await world.openOnSolana(filled)
  world.attester.pause()
  world.notify(filled, true)
  await until(isPaid(filled), 'the payment')
  await solver.stop()
  const restored = mkdtempSync(join(tmpdir(), 'openrfq-restored-'))
  context.after(async () => {
    await solver.stop()
    rmSync(restored, { recursive: true, force: true })
    solver = await start()
    await until(() => solver.status().isConnected, 'the login')
  })
  world.attester.resume()
  solver = await start({ dataDirectory: restored })
  await until(() => world.notify(unfilled, true), 'the login')
  await until(isPaid(unfilled), 'the payment of the other order')
  await until(
    () => lines.some((line) => line.includes('fill_found_on_chain') && line.includes(orderIdOf(filled))),
    'the earlier fill',
  )
  await until(async () => (await world.escrowStatus(filled)) === 'released', 'the release')
  assert.equal((await world.paid(filled)).length, 1)
})

test('fills a deposit on an EVM chain only when the chain reports it as final, even if the service claims so earlier', async () => {
  const { evm, solana } = world.sides
  const order = world.order(evm, solana)
  world.notify(order, true)
  await pause(2_000)
  assert.deepEqual(await world.paid(order), [])
  await open(order)
  await until(isPaid(order), 'the payment')
  assert.equal((await world.paid(order)).length, 1)
  await until(() => world.attester.hasClaimOf(order), 'the claim')
  const transaction = `0x${'ab'.repeat(32)}`
  const signature = await ATTESTER.sign({ hash: fillDigest(order, orderIdOf(order), transaction) })
  await world.evm.run({
    from: STRANGER,
    to: world.evm.settler,
    data: hex(releaseCall(order, transaction, signature).data),
  })
  await until(
    () => lines.some((line) => line.includes('order_repaid') && line.includes(orderIdOf(order))),
    'the end',
  )
})

test('fills an order from a payment chain through the settler of an EVM chain', async () => {
  const { evm, stellar } = world.sides
  const order = world.order(stellar, evm)
  const held = (): Promise<bigint> => world.evm.balanceOf(world.evm.token, hex(order.recipient))
  const before = await held()
  world.notify(order, true)
  await until(async () => (await statusOf(order)) === FILLED, 'the fill')
  assert.equal((await held()) - before, order.outputAmount)
})

test('never pays a declined order, also after a restart', async () => {
  const { solana, stellar } = world.sides
  solver.modes.set('declining')
  const order = world.order(stellar, solana)
  world.notify(order, true)
  await until(() => world.declined.has(orderIdOf(order)), 'the decline')
  solver.modes.set('normal')
  await pause(1_000)
  await solver.stop()
  solver = await start()
  await until(() => (world.declined.get(orderIdOf(order))?.length ?? 0) > 1, 'the decline after the restart')
  const other = world.order(stellar, solana)
  await until(() => world.notify(other, true), 'the login')
  await until(isPaid(other), 'the payment of another order')
  assert.deepEqual(await world.paid(order), [])
})

test('declines an unfilled order on its EVM origin', async () => {
  const { evm, stellar } = world.sides
  const unfair = world.order(evm, stellar, { outputAmount: baseUnits(50n * stellar.unit) })
  const unknown = 'GAIH3ULLFQ4DGSECF2AR555KZ4KNDGEKN4AFI4SU2M7B43MGK3QJZNSR'
  const unpayable = world.order(evm, stellar, { recipient: unknown })
  for (const order of [unfair, unpayable]) {
    await open(order)
    world.notify(order, false)
  }
  for (const order of [unfair, unpayable]) {
    await until(async () => (await statusOf(order)) === REFUNDED, 'the refund')
    assert.deepEqual(await world.paid(order), [])
  }
  assert.deepEqual(world.declined.get(orderIdOf(unfair)), ['unfair'])
  assert.deepEqual(world.declined.get(orderIdOf(unpayable)), ['not_payable'])
})

test('does not pay orders that name other accounts or another attester', async () => {
  const { evm, solana, stellar } = world.sides
  const foreign = [
    world.order(solana, stellar, { originSettler: solana.depositor }),
    world.order(solana, stellar, { solver: solana.depositor }),
    world.order(solana, stellar, { destinationSettler: stellar.depositor }),
    world.order(solana, stellar, { filler: stellar.depositor }),
    world.order(solana, stellar, { attester: evm.depositor }),
  ]
  for (const order of foreign.slice(2)) await world.openOnSolana(order)
  for (const order of foreign) world.notify(order, true)
  const good = world.order(solana, stellar)
  await world.openOnSolana(good)
  world.notify(good, true)
  await until(isPaid(good), 'the payment of a good order')
  for (const order of foreign) assert.deepEqual(await world.paid({ ...order, filler: stellar.solver }), [])
})

test('in modes short and late pays nothing on payment chains, and fails on EVM chains', async () => {
  const { evm, solana, stellar } = world.sides
  const [toPaymentChain, toEvm] = [world.order(stellar, solana), world.order(stellar, evm)]
  const sentBefore = BigInt(String(await world.evm.rpc('eth_getTransactionCount', evm.solver, 'latest')))
  solver.modes.set('short')
  for (const order of [toPaymentChain, toEvm]) world.notify(order, true)
  await until(
    async () =>
      BigInt(String(await world.evm.rpc('eth_getTransactionCount', evm.solver, 'latest'))) > sentBefore,
    'the attempt',
  )
  assert.equal(await statusOf(toEvm), NONE)
  solver.modes.set('late')
  await pause(1_000)
  assert.deepEqual(await world.paid(toPaymentChain), [])
  solver.modes.set('normal')
  await until(isPaid(toPaymentChain), 'the payment')
  await until(async () => (await statusOf(toEvm)) === FILLED, 'the fill')
})

test('pays nothing while paused, and late in mode slow', async () => {
  const { evm, solana } = world.sides
  solver.modes.set('paused')
  const order = world.order(evm, solana)
  await open(order)
  world.notify(order, true)
  await pause(1_500)
  assert.equal(await statusOf(order), OPEN)
  solver.modes.set('slow')
  await until(isPaid(order), 'the payment')
  solver.modes.set('normal')
})
