import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testBackend } from '../../test/test-backend.ts'
import { testItsQuote } from '../../test/test-quotes.ts'
import type { Backend, Located } from '../backends/backend.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { awaitingDeposit, type Transfer } from '../core/transfer.ts'
import { locateTransfer, type Whereabouts } from './locate-transfer.ts'
import { createLookupBudget } from './lookup-budget.ts'

const quote = testItsQuote(32n)
const otherQuote = testItsQuote(64n)

const backendThat = (locate: Backend['locate']): Backend =>
  testBackend(locate === undefined ? {} : { locate })

const transferIn = (
  state: Transfer['state'],
  messageId: string,
  timestamp = '2026-11-21T07:00:00Z',
): Transfer => ({
  ...awaitingDeposit(quote.quoteId, messageId),
  state,
  revision: 1,
  source: state === 'AWAITING_DEPOSIT' ? null : { chain: 'eip155:1', txHash: '0x', messageId, timestamp },
})

/** Locates over stored transfers and a backend that answers from its chain; counts what it reads there. */
const world = (stored: readonly Transfer[], answer: () => Promise<Located>) => {
  let reads = 0
  let time = 0
  const backend = backendThat(() => {
    reads += 1
    return answer()
  })
  const deps = {
    store: {
      findTransfer: async (_: string, messageId: string) =>
        stored.find((transfer) => transfer.messageId === messageId),
      listTransfers: async () => stored,
    },
    backends: new Map([['its', backend]]),
    mayLookUp: createLookupBudget(() => time),
    log: () => undefined,
    trackDeadlineMs: 50,
  }
  return {
    locate: (name: string | undefined, of = quote, client = '') => locateTransfer(deps, of, name, client),
    reads: () => reads,
    wait: (ms: number) => {
      time += ms
    },
  }
}

const NOTHING: Located = { located: 'nothing', candidates: [] }
const textOf = (where: Whereabouts): string =>
  where.known === 'transfer' ? String(where.lookup?.messageId) : where.known

test('a stored transfer is found by its quote without a read of the chain, the first one that moved funds', async () => {
  const later = transferIn('PENDING', 'b', '2026-11-21T07:05:00Z')
  const stored = [
    transferIn('FAILED', '0'),
    transferIn('AWAITING_DEPOSIT', '1'),
    later,
    transferIn('DONE', 'c'),
  ]
  const { locate, reads } = world(stored, async () => NOTHING)
  assert.equal(textOf(await locate(undefined)), 'c')
  assert.equal(textOf(await locate('b')), 'b')
  assert.equal(reads(), 0)
})

test('after a reverted transaction the next one of the quote is searched', async () => {
  const failed = [transferIn('FAILED', 'a')]
  const found = world(failed, async () => ({ located: 'found', messageId: 'b' }))
  assert.equal(textOf(await found.locate(undefined)), 'b')
  assert.equal(textOf(await world(failed, async () => NOTHING).locate(undefined)), 'a')
})

test('a reverted transaction is not the answer while the search for the next one cannot be read', async () => {
  const { locate } = world([transferIn('FAILED', 'a')], async () => ({ located: 'unreadable' }))
  assert.deepEqual(await locate(undefined), {
    known: 'nothing',
    details: { needs: ['messageId', 'sourceChain'], stale: true },
  })
})

test('the answer for an unknown transfer names what a search needs, the candidates, and a failed read', async () => {
  const needs = ['messageId', 'sourceChain']
  const detailsOf = async (answer: () => Promise<Located>) => {
    const where = await world([], answer).locate(undefined)
    assert.ok(where.known === 'nothing')
    return where.details
  }
  assert.deepEqual(await detailsOf(async () => NOTHING), { needs })
  const candidates = ['0x1-0']
  assert.deepEqual(await detailsOf(async () => ({ located: 'nothing', candidates })), { needs, candidates })
  assert.deepEqual(await detailsOf(async () => ({ located: 'unreadable' })), { needs, stale: true })
  assert.deepEqual(await detailsOf(() => new Promise(() => undefined)), { needs, stale: true })
})

test('a message of another transfer is not the quote', async () => {
  const { locate } = world([], async () => ({ located: 'mismatched' }))
  assert.equal(textOf(await locate('0x1-0')), 'other_transfer')
})

test('looks up unknown messages eight at once per quote, then one a second', async () => {
  const { locate, reads, wait } = world([], async () => NOTHING)
  for (let count = 0; count < 200; count += 1) await locate(`0x02-${count}`)
  assert.equal(reads(), 8)
  assert.deepEqual(await locate('0x02-100'), { known: 'nothing', details: { stale: true } })
  await locate('0x02-0')
  assert.equal(reads(), 9, 'a message that was looked up may be looked up again')
  wait(2_000)
  for (let count = 200; count < 300; count += 1) await locate(`0x02-${count}`)
  assert.equal(reads(), 11)
  await locate('0x02-0', otherQuote)
  assert.equal(reads(), 12, 'another quote has messages of its own')
})

test('one client cannot use up what others may look up', async () => {
  const { locate, reads, wait } = world([], async () => NOTHING)
  let made = 0
  const next = (): QuoteRecord => {
    made += 1
    return testItsQuote(BigInt(made) * 32n)
  }
  const greedy = async (count: number): Promise<void> => {
    for (let asked = 0; asked < count; asked += 1) await locate('0x01-0', next(), 'greedy')
  }
  await greedy(300)
  assert.equal(reads(), 40)
  assert.deepEqual(await locate('0x01-0', next(), 'other'), {
    known: 'nothing',
    details: { needs: ['messageId', 'sourceChain'] },
  })
  wait(1_000)
  await greedy(100)
  assert.equal(reads(), 51)
})

test('a hundred clients that ask all they may leave every other client a lookup', async () => {
  const { locate, reads } = world([], async () => NOTHING)
  let made = 0
  const next = (): QuoteRecord => {
    made += 1
    return testItsQuote(BigInt(made) * 32n)
  }
  for (let round = 0; round < 50; round += 1)
    for (let client = 0; client < 100; client += 1) await locate('0x01-0', next(), `greedy ${client}`)
  assert.ok(reads() < 200)
  assert.deepEqual(await locate('0x01-0', next(), 'honest'), {
    known: 'nothing',
    details: { needs: ['messageId', 'sourceChain'] },
  })
})
