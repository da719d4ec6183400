import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { TransferState } from '@openrfq/sdk'
import { until } from '../../test/eventually.ts'
import {
  connectChain,
  counted,
  openOutbox,
  openOwnStore,
  REFUSER,
  startOutboxWorld,
} from '../../test/outbox-world.ts'
import { testAnswer } from '../../test/test-quotes.ts'
import type { Backend, RefundCall } from '../backends/backend.ts'
import type { EvmChain } from '../chains/evm/evm-chain.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { awaitingDeposit, type Observation, type Transfer } from '../core/transfer.ts'
import type { TransactionOutbox } from '../transactions/transaction-outbox.ts'
import { createRefresher } from './refresh-transfer.ts'
import { createKeeper } from './refund.ts'
import { createWatch } from './watch.ts'

const SOURCE = { chain: 'eip155:31996', txHash: '0x01', messageId: null, timestamp: '2026-11-21T07:00:00Z' }

let world: Awaited<ReturnType<typeof startOutboxWorld>>
let files: Awaited<ReturnType<typeof openOwnStore>>
let chain: EvmChain
let outbox: TransactionOutbox
let lines: string[]

before(async () => {
  world = await startOutboxWorld()
  chain = connectChain(world.anvil.rpcUrl)
  await chain.start()
})
after(async () => {
  await chain.stop()
  await world.anvil.stop()
})
beforeEach(async () => {
  lines = []
  files = await openOwnStore()
  outbox = openOutbox(files.store(), chain)
  outbox.start()
})
afterEach(async () => {
  await outbox.stop()
  await files.remove()
})

let moments = 0
const newQuote = (): QuoteRecord => {
  moments += 1
  const [quote] = testAnswer(1_790_000_000_000 + moments, 1n, 1)
  assert(quote !== undefined)
  return { ...quote, backend: 'intent' }
}

const inState = ({ quoteId }: QuoteRecord, state: TransferState): Transfer => ({
  ...awaitingDeposit(quoteId, ''),
  revision: 1,
  state,
  source: SOURCE,
})

const keyOf = (quote: QuoteRecord): string => `refund:${quote.quoteId}`

/** An observation of a quote's refund that follows the outbox. */
const observe = async (quote: QuoteRecord): Promise<Observation> => {
  const entry = await files.store().findTransaction(keyOf(quote))
  const seen = { source: SOURCE, details: {} }
  if (entry === undefined) return { seen: 'refund_decided', ...seen }
  if (entry.outcome !== 'succeeded') return { seen: 'refund_sent', ...seen }
  const refund = { chain: SOURCE.chain, token: '0x02', amount: '1', txHash: entry.txHash }
  return { seen: 'refunded', ...seen, refund }
}

const refundBackend = (refundCall: (quote: QuoteRecord) => Promise<RefundCall | undefined>): Backend => ({
  type: 'intent',
  name: 'intent',
  contracts: () => [],
  messageEvent: null,
  serves: () => true,
  routes: () => [],
  quote: async () => ({ declined: 'unpriced', reason: '' }),
  track: observe,
  refundCall,
  start: async () => undefined,
  stop: async () => undefined,
})

const due = async (quote: QuoteRecord, to?: string): Promise<RefundCall> => {
  const { key, data, gasLimit, to: counter } = counted(keyOf(quote))
  return { key, data, gasLimit, to: to ?? counter, chainId: chain.chainId }
}

const keeperOver = (
  refundCall: (quote: QuoteRecord) => Promise<RefundCall | undefined>,
  by = chain.chainId,
) => {
  const backends = new Map([['intent', refundBackend(refundCall)] as const])
  const keeper = createKeeper({
    backends,
    outboxes: new Map([[by, outbox]]),
    senders: new Map(),
    log: (level, message) => lines.push(`${level} ${message}`),
  })
  return { keeper, backends }
}

test('the watch submits a due refund once and moves the transfer to REFUNDED', async (context) => {
  const store = files.store()
  const { keeper, backends } = keeperOver(due)
  const quotes = [newQuote(), newQuote(), newQuote()]
  for (const quote of quotes) {
    await store.saveQuotes([quote])
    await store.saveTransfer(inState(quote, 'PENDING'))
  }
  const log = (): void => undefined
  const isDeliveryGone = async (): Promise<boolean> => false
  const refresher = createRefresher({ store, backends, log, isDeliveryGone, trackDeadlineMs: 2_000 })
  const watch = createWatch({
    store,
    refresher,
    keeper,
    needsMessage: new Set(),
    now: Date.now,
    chainTime: Date.now,
    log,
  })
  context.after(watch.stop)
  const before = await world.transactionsOfSender()
  await watch.start()
  for (const quote of quotes) {
    await until(async () => (await store.findTransfer(quote.quoteId, ''))?.state === 'REFUNDED')
    const entry = await store.findTransaction(keyOf(quote))
    assert.equal((await store.findTransfer(quote.quoteId, ''))?.refund?.txHash, entry?.txHash)
    assert.equal(await world.callsOf(keyOf(quote)), 1)
  }
  assert.equal(await world.transactionsOfSender(), before + quotes.length)
})

test('concurrent rounds submit one refund', async () => {
  const quote = newQuote()
  const { keeper } = keeperOver(due)
  const before = await world.transactionsOfSender()
  const states = ['REFUND_PENDING', 'REFUND_INITIATED'] as const
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      keeper(quote, inState(quote, states[index % 2] ?? 'REFUND_PENDING')),
    ),
  )
  await until(async () => (await world.callsOf(keyOf(quote))) === 1)
  assert.equal(await world.transactionsOfSender(), before + 1)
})

test("a reverted refund is submitted again under the backend's next key", async () => {
  const quote = newQuote()
  const before = await world.transactionsOfSender()
  const settledAs = async (key: string): Promise<string | undefined> => {
    await until(async () => (await files.store().findTransaction(key))?.outcome !== 'open')
    return (await files.store().findTransaction(key))?.outcome
  }
  for (const attempt of [1, 1, 2]) {
    const key = `${keyOf(quote)}:${attempt}`
    const { keeper } = keeperOver(async () => ({ ...(await due(quote, REFUSER)), key }))
    await keeper(quote, inState(quote, 'REFUND_INITIATED'))
    assert.equal(await settledAs(key), 'reverted')
  }
  assert.equal(await world.transactionsOfSender(), before + 2)
})

test("submits nothing in other states, without a due call, or without a keeper's account", async () => {
  const quote = newQuote()
  const before = await world.transactionsOfSender()
  for (const state of ['AWAITING_DEPOSIT', 'PENDING', 'DONE', 'REFUNDED', 'FAILED'] as const)
    await keeperOver(due).keeper(quote, inState(quote, state))
  await keeperOver(async () => undefined).keeper(quote, inState(quote, 'REFUND_PENDING'))
  await keeperOver(due, 'eip155:1').keeper(quote, inState(quote, 'REFUND_PENDING'))
  await keeperOver(due).keeper({ ...quote, backend: 'its' }, inState(quote, 'REFUND_PENDING'))
  assert.equal(await files.store().freeNonce(chain.chainId, outbox.sender, 0), 0)
  assert.equal(await world.transactionsOfSender(), before)
})

test('an unreadable backend leaves the refund to the next round', async () => {
  const quote = newQuote()
  await keeperOver(() => Promise.reject(new Error('down'))).keeper(quote, inState(quote, 'REFUND_PENDING'))
  assert.deepEqual(lines, ['warn refund_submit_failed'])
  await keeperOver(due).keeper(quote, inState(quote, 'REFUND_PENDING'))
  await until(async () => (await world.callsOf(keyOf(quote))) === 1)
})
