import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Lookup } from 'openrfq/src/backends/backend.ts'
import type { QuoteRecord } from 'openrfq/src/core/quote-record.ts'
import { advance, awaitingDeposit } from 'openrfq/src/core/transfer.ts'
import {
  type BackendWorld,
  execute,
  offerFor,
  orderFor,
  recordOf,
  startBackendWorld,
  user,
} from 'openrfq/test/backend-world.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { addressOf, backendOf, balance, follow, lookupOf, pairOf } from 'openrfq/test/follow-backend.ts'
import { chainClients } from 'openrfq/test/wallet.ts'

/** More blocks than are mined during a test, so that none becomes final by itself. */
const FINALITY_BLOCKS = 400
const LONG_ENOUGH_MS = 4_000

let world: BackendWorld
before(async () => {
  world = await startBackendWorld({ slowFinality: { 'sandbox-c': FINALITY_BLOCKS } })
})
after(() => world.stop())

/** Sends an express transfer from the slow chain. */
const send = async (recipient: number) => {
  const backend = backendOf(world, 'gateway-express')
  const pair = pairOf(world, backend, /^axlUSDC$/, 2, 1)
  const order = orderFor(pair, 30_000_000n, { recipient: addressOf(recipient) })
  const offer = await offerFor(backend, order)
  const record = recordOf(order, offer)
  const lookup = lookupOf(world, backend, record, await execute(world, offer, user(0).privateKey))
  return { backend, pair, offer, record, lookup }
}

const isFinal = async ({ fromChain }: QuoteRecord, lookup: NonNullable<Lookup>): Promise<boolean> => {
  const [txHash = ''] = lookup.messageId.split('-')
  const { final } = await eventually('the receipt', () =>
    world.deps.evmChains
      .get(fromChain)
      ?.receipt(txHash)
      .catch(() => undefined),
  )
  return final
}

test('an express transfer is DONE before its source is final', async () => {
  const { backend, pair, offer, record, lookup } = await send(0xfa57)
  const { last } = await follow(backend, record, lookup, 'delivered')
  assert.equal(await isFinal(record, lookup), false)
  assert.equal(await balance(world, pair.to, addressOf(0xfa57)), offer.output)
  assert.equal(advance(awaitingDeposit(record.quoteId, lookup.messageId), last).state, 'DONE')
})

test('without an executor the same transfer is DONE only after its source is final', async () => {
  await world.control('/sandbox/relayer', { express: false })
  const { backend, pair, offer, record, lookup } = await send(0x510e)
  await follow(backend, record, lookup, 'in_flight')
  await delay(LONG_ENOUGH_MS)
  assert.equal(await isFinal(record, lookup), false)
  assert.equal(await balance(world, pair.to, addressOf(0x510e)), 0n)
  const { rpcUrl } = chainClients(world.sandbox, record.fromChain)
  const mine = { jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: [`0x${FINALITY_BLOCKS.toString(16)}`] }
  const options = { method: 'POST', headers: { 'content-type': 'application/json' } }
  await fetch(rpcUrl, { ...options, body: JSON.stringify(mine), signal: AbortSignal.timeout(30_000) })
  await follow(backend, record, lookup, 'delivered')
  assert.equal(await isFinal(record, lookup), true)
  assert.equal(await balance(world, pair.to, addressOf(0x510e)), offer.output)
})
