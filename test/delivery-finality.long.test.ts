import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { verifyDelivery } from 'openrfq/src/backends/delivery.ts'
import type { EvmChain } from 'openrfq/src/chains/evm/evm-chain.ts'
import { createEvmChain } from 'openrfq/src/chains/evm/index.ts'
import { isTentative, type Observation, type Transfer } from 'openrfq/src/core/transfer.ts'
import { createRefresher } from 'openrfq/src/service/refresh-transfer.ts'
import { createKeeper } from 'openrfq/src/service/refund.ts'
import { openSqliteStore } from 'openrfq/src/store/sqlite.ts'
import type { Store } from 'openrfq/src/store/store.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { type PrivateAnvil, startAnvil } from 'openrfq/test/private-anvil.ts'
import { testBackend } from 'openrfq/test/test-backend.ts'
import { testItsQuote } from 'openrfq/test/test-quotes.ts'

/** Blocks on top of a delivery that counts, and of one that is final. */
const CONFIRMATIONS = 3
const FINALITY = 12
const CHAIN = 'eip155:31401'
/** The first account of anvil's well-known mnemonic; anvil signs for it. */
const ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const directory = mkdtempSync(join(tmpdir(), 'openrfq-'))
const events: string[] = []
const log = (_level: string, event: string): void => {
  events.push(event)
}
let anvil: PrivateAnvil
let chain: EvmChain
let store: Store
before(async () => {
  anvil = await startAnvil(31_401, '--no-mining')
  await anvil.rpc('anvil_mine', '0x20')
  store = await openSqliteStore({ directory, log: () => undefined })
  const timing = { pollMs: 20, staleMs: 60_000, readMs: 60_000, observeMs: 60_000 }
  const network = { chainId: CHAIN, rpcUrls: [anvil.rpcUrl], finality: FINALITY }
  chain = createEvmChain({ ...network, now: Date.now, log: () => undefined, timing })
  await chain.start()
})
after(async () => {
  await chain.stop()
  await anvil.stop()
  await store.close()
  rmSync(directory, { recursive: true })
})

/** Mines blocks, the first with what was sent, and waits until the service knows the last. */
const mine = async (blocks: number): Promise<void> => {
  await anvil.rpc('anvil_mine', `0x${blocks.toString(16)}`)
  await caughtUp()
}

const caughtUp = async (): Promise<void> => {
  const newest = Object(await anvil.rpc('eth_getBlockByNumber', 'latest', false))
  await eventually('the head is read', () => chain.head()?.hash === newest.hash)
}

/** Replaces the last blocks by empty ones. */
const reorganise = async (depth: number): Promise<void> => {
  await anvil.rpc('anvil_reorg', depth, [])
  await caughtUp()
}

let quotes = 0n

/** A transfer whose delivery the test sends, over the real reader of deliveries, refresher, keeper and store. */
const newTransfer = () => {
  quotes += 32n
  const base = testItsQuote(quotes)
  const quote = { ...base, toChain: CHAIN }
  const lookup = { messageId: `${quote.quoteId}-0`, sourceChain: quote.fromChain }
  const timestamp = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  const source = { chain: quote.fromChain, txHash: '0x01', messageId: lookup.messageId, timestamp }
  const world: { txHash: string; ending: Observation | undefined; refunds: number } = {
    ...{ txHash: '', ending: undefined, refunds: 0 },
  }
  const backend = testBackend({
    track: async () => {
      if (world.ending !== undefined) return world.ending
      if (world.txHash === '') return { seen: 'in_flight', source, details: {} }
      const deps = { evmChains: new Map([[CHAIN, chain]]), deliveryConfirmations: () => CONFIRMATIONS, log }
      return verifyDelivery(deps, { quote, source, txHash: world.txHash, details: {} }, ({ value }) => value)
    },
    refundCall: async () => {
      world.refunds += 1
      return undefined
    },
  })
  const backends = new Map([[quote.backend, backend]])
  const refresher = createRefresher({
    ...{ store, backends, log, trackDeadlineMs: 60_000 },
    isDeliveryGone: async (_chainId, txHash) => (await chain.agreedReceipt(txHash))?.succeeded !== true,
  })
  const keeper = createKeeper({ backends, outboxes: new Map(), senders: new Map(), log })
  return {
    ...{ quote, source, world },
    /** Sends the delivery without mining it. */
    deliver: async (): Promise<void> => {
      const value = `0x${quote.minimumOutput.toString(16)}`
      world.txHash = String(
        await anvil.rpc('eth_sendTransaction', { from: ACCOUNT, to: ACCOUNT, value, gas: '0x5208' }),
      )
    },
    /** What the service knows now, after the keeper looked at it as the watch does. */
    read: async (): Promise<Transfer> => {
      const refreshed = await refresher(quote, lookup)
      assert.ok(refreshed !== 'mismatched')
      await keeper(quote, refreshed.transfer)
      return refreshed.transfer
    },
    isFollowed: async (): Promise<boolean> =>
      (await store.listOpen(1000)).some(({ quoteId }) => quoteId === quote.quoteId),
  }
}

test('a delivery is not DONE one block short of deliveryFinality, with and without a reorg', async () => {
  const { deliver, read } = newTransfer()
  await deliver()
  for (let blocks = 0; blocks < CONFIRMATIONS; blocks += 1) {
    await mine(1)
    const { state, details } = await read()
    assert.deepEqual([state, details['stage']], ['PENDING', 'delivered_not_final'])
  }
  await reorganise(CONFIRMATIONS)
  assert.equal((await read()).state, 'PENDING')
  await mine(FINALITY * 2)
  assert.deepEqual([(await read()).state, (await read()).details['stage']], ['PENDING', 'delivery_not_seen'])
  await deliver()
  await mine(CONFIRMATIONS + 1)
  const { state, details } = await read()
  assert.deepEqual([state, details['deliveryFinal']], ['DONE', false])
})

test('a delivery that counts is followed until it is final, and then no longer', async () => {
  const { deliver, read, isFollowed } = newTransfer()
  await deliver()
  await mine(CONFIRMATIONS + 1)
  assert.ok(isTentative(await read()))
  assert.ok(await isFollowed())
  await mine(FINALITY)
  const final = await read()
  assert.deepEqual([final.state, final.details], ['DONE', { stage: 'delivered' }])
  assert.equal(await isFollowed(), false)
})

test('a deeper reorg leaves DONE, raises one alarm, and the transfer is delivered again', async () => {
  const { deliver, read, isFollowed, world } = newTransfer()
  await deliver()
  await mine(CONFIRMATIONS + 1)
  const done = await read()
  assert.equal(done.state, 'DONE')
  events.length = 0
  await reorganise(CONFIRMATIONS + 1)
  const reverted = await eventually('the alarm', async () => {
    const now = await read()
    return now.details['deliveryReverted'] === true && now
  })
  assert.deepEqual([reverted.state, reverted.destination], ['DONE', done.destination])
  await read()
  assert.equal(events.filter((event) => event === 'delivery_reverted').length, 1)
  assert.ok(await isFollowed())
  const first = world.txHash
  await deliver()
  await mine(CONFIRMATIONS + 1)
  const again = await read()
  assert.notEqual(again.destination?.txHash, first)
  assert.equal(again.destination?.txHash, world.txHash)
  await mine(FINALITY)
  assert.deepEqual((await read()).details, { stage: 'delivered', deliveryReverted: true })
  assert.equal(await isFollowed(), false)
})

test('the keeper refunds a transfer whose delivery was taken back, and its end is told', async () => {
  const { deliver, read, isFollowed, world, source, quote } = newTransfer()
  await deliver()
  await mine(CONFIRMATIONS + 1)
  await read()
  assert.equal(world.refunds, 0, 'a delivered transfer is not refunded')
  await reorganise(CONFIRMATIONS + 1)
  await eventually('the keeper looks for a refund', async () => {
    await read()
    return world.refunds > 0
  })
  const refund = { chain: quote.fromChain, token: quote.fromToken, amount: '1', txHash: '0x02' }
  world.ending = { seen: 'refunded', source, refund, details: { stage: 'refunded' } }
  const { state, details } = await read()
  assert.deepEqual([state, details], ['DONE', { stage: 'refunded', deliveryReverted: true }])
  assert.equal(await isFollowed(), false)
})
