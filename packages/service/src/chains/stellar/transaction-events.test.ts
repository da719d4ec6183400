import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Asset, Claimant, Memo, Operation, Transaction, TransactionBuilder } from '@stellar/stellar-sdk'
import { z } from 'zod'
import {
  openStellarWorld,
  pay,
  type Rewrite,
  type StellarWorld,
  UNIT,
  USDC,
} from '../../../test/stellar-world.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import { muxedAddress } from './muxed-account.ts'
import { EventPage } from './rpc-answers.ts'
import { loadStellarSdk } from './sdk.ts'
import { expectTransactionEvents } from './transaction-events.ts'

let world: StellarWorld

before(async () => {
  world = await openStellarWorld()
})
after(() => world.close())

const address = (index: number): string => world.user(index).publicKey()

const Body = z.object({ result: z.unknown().optional() })
const ask: RpcAsk = Object.assign(
  async (calls: readonly object[]) =>
    Promise.all(
      calls.map(async (call) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })
        const { result } = Body.parse(await (await fetch(world.node.rpcUrl, { method: 'POST', body })).json())
        return { ok: true as const, result }
      }),
    ),
  { checkTime: () => undefined },
)

/** What getEvents tells of a transaction in the newest ledger. */
const indexedEvents = async (txHash: string) => {
  const params = {
    startLedger: Number(world.height()),
    filters: [{ type: 'contract' }],
    pagination: { limit: 1_000 },
  }
  const [answer] = await ask([{ method: 'getEvents', params }])
  const { events } = expectResult(answer, EventPage)
  return events
    .filter((event) => event.txHash === txHash && BigInt(event.id.split('-')[0] ?? 0) % 2n ** 32n >= 4096n)
    .map(({ inSuccessfulContractCall: _, ledgerClosedAt, ...event }) => ({
      ...event,
      ledgerClosedAt: Date.parse(ledgerClosedAt),
    }))
}

const ownEvents = async (txHash: string) => {
  const context = { sdk: await loadStellarSdk(), passphrase: world.node.networkPassphrase }
  const { events } = await expectTransactionEvents(context, ask, txHash)
  return events.map(({ ledgerClosedAt, ...event }) => ({
    ...event,
    ledgerClosedAt: Date.parse(ledgerClosedAt),
  }))
}

const operations = () => [
  pay(muxedAddress(address(1), 7n), '1'),
  pay(address(2), '2', USDC),
  Operation.createClaimableBalance({
    asset: Asset.native(),
    amount: '3',
    claimants: [new Claimant(address(3))],
  }),
  pay(address(1), '4'),
]

test("a transaction's own events are those that the node's index tells of it, one by one", async () => {
  await world.submit(world.user(4), [pay(address(1), '1')])
  const txHash = await world.submit(world.user(0), operations(), Memo.text('note'))
  await world.closeLedger()
  const own = await ownEvents(txHash)
  assert.equal(own.length, 4)
  assert.deepEqual(own, await indexedEvents(txHash))
})

test('the events of a transaction in a fee bump are told under the hash of the bump', async () => {
  const inner = await world.build(world.user(0), operations())
  const bump = TransactionBuilder.buildFeeBumpTransaction(
    world.user(4),
    '100000',
    inner,
    world.node.networkPassphrase,
  )
  assert.ok(inner instanceof Transaction)
  bump.sign(world.user(4))
  const outer = await world.send(bump)
  await world.closeLedger()
  const indexed = await indexedEvents(outer)
  assert.equal(indexed.length, 4)
  for (const hash of [outer, Buffer.from(inner.hash()).toString('hex')])
    assert.deepEqual(await ownEvents(hash), indexed)
})

test('a failed transaction has no events, and an unknown one is waited for', async () => {
  const failed = await world.submit(world.user(0), [pay(address(1), '999999999')])
  await world.closeLedger()
  assert.deepEqual(await ownEvents(failed), [])
  await assert.rejects(ownEvents('ab'.repeat(32)), { code: 'NODE_BEHIND' })
})

test('events of other contracts in the ledger, however many, keep no payment of a transaction from being read', async () => {
  const txHash = await world.submit(world.user(0), operations())
  await world.closeLedger()
  const ledger = Number(world.height())
  const { balancesToClaim } = world.chain
  const { final } = await world.chain.readPayments([address(2)], world.height() - 1n)
  const [payment] = final
  assert.ok(payment !== undefined && balancesToClaim !== undefined)
  let page = 0
  // Any contract can emit events with the topics of a payment that name any account.
  const flood: Rewrite = (method, result) => {
    if (method !== 'getEvents') return result
    page += 1
    const cursorOf = (event: number): string =>
      `${((BigInt(ledger) << 32n) | 4096n).toString().padStart(19, '0')}-${event.toString().padStart(10, '0')}`
    const events = Array.from({ length: 200 }, (_, event) => ({
      id: cursorOf(page * 200 + event),
      ledger,
      ledgerClosedAt: new Date(world.now()).toISOString(),
      contractId: world.token('EURC'),
      txHash: 'ee'.repeat(32),
      topic: [],
      value: 'AAAAAQ==',
    }))
    return { ...result, events, cursor: cursorOf(page * 200 + 199) }
  }
  const flooded = world.connect([await world.startRelay(flood)])
  assert.deepEqual(await flooded.paymentStatements(payment), [{ endpoint: 0, confirms: true }])
  assert.deepEqual(
    (await flooded.paymentsIn({ txHash, from: address(0), to: address(2) })).map(({ amount }) => amount),
    [UNIT, 2n * UNIT, 3n * UNIT, 4n * UNIT],
  )
  const made = await flooded.balancesToClaim?.madeIn(txHash)
  assert.deepEqual(
    made?.map((one) => one.payment.amount),
    [3n * UNIT],
  )
  assert.equal(
    page,
    1,
    'events are asked for once, to see whether the endpoint shows those of classic operations',
  )
  await flooded.stop()
})
