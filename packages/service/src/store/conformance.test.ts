import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { describeEveryStore } from '../../test/every-store.ts'
import { testAnswer } from '../../test/test-quotes.ts'
import type { QuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { awaitingDeposit, type Transfer } from '../core/transfer.ts'
import type { Store } from './store.ts'

const NOW = 1_790_000_000_000
const random = (): bigint => BigInt(`0x${randomBytes(10).toString('hex')}`)
const idOf = (quotes: readonly { readonly quoteId: QuoteId }[], index = 0): QuoteId => {
  const quote = quotes[index]
  assert(quote !== undefined)
  return quote.quoteId
}

const pending = (quoteId: QuoteId, messageId: string): Transfer => ({
  ...awaitingDeposit(quoteId, messageId),
  revision: 1,
  state: 'PENDING',
  source: { chain: 'eip155:31337', txHash: '0xaa', messageId, timestamp: '2026-11-21T07:00:00Z' },
  details: { stage: 'confirming', nested: { 'odd "key"': [1, null, '\u0000ü'] } },
})

const done = (transfer: Transfer): Transfer => ({
  ...transfer,
  revision: transfer.revision + 1,
  state: 'DONE',
  destination: { chain: 'eip155:31338', txHash: '0xbb', timestamp: '2026-11-21T07:01:00Z' },
  output: { chain: 'eip155:31338', token: '0xcc', amount: (1n << 255n).toString() },
})

/** The contract of every store; each call of `open` opens one on the same files. */
const conformance = (open: () => Promise<Store>): void => {
  let store: Store
  before(async () => {
    store = await open()
  })
  after(() => store.close())
  const reopen = async (): Promise<void> => {
    await store.close()
    store = await open()
  }

  test('finds a saved quote with every field, also after reopening', async () => {
    const answer = testAnswer(NOW, random(), 3).map((quote, index) =>
      index === 1 ? { ...quote, fulfillmentDeadline: NOW + 90_000 } : quote,
    )
    await store.saveQuotes(answer)
    for (const quote of answer) assert.deepEqual(await store.findQuote(quote.quoteId), quote)
    await reopen()
    for (const quote of answer) assert.deepEqual(await store.findQuote(quote.quoteId), quote)
  })

  test('finds all sixteen ids of one answer, and not the ids next to them', async () => {
    const start = 1n << 40n
    const answer = testAnswer(NOW + 1, start, 16)
    await store.saveQuotes(answer)
    await reopen()
    for (const quote of answer) assert.equal((await store.findQuote(quote.quoteId))?.quoteId, quote.quoteId)
    for (const outside of [start - 1n, start + 16n]) {
      assert.equal(await store.findQuote(idOf(testAnswer(NOW + 1, outside, 1))), undefined)
    }
  })

  test('distinguishes neighbouring answers', async () => {
    const answers = Array.from({ length: 20 }, (_, index) => testAnswer(NOW + 2, BigInt(index * 3), 3))
    for (const answer of answers.toReversed()) await store.saveQuotes(answer)
    await reopen()
    for (const answer of answers) {
      for (const quote of answer) assert.deepEqual(await store.findQuote(quote.quoteId), quote)
    }
  })

  test('an unknown quote is undefined below and above all stored ones', async () => {
    assert.equal(await store.findQuote(idOf(testAnswer(0, 0n, 1))), undefined)
    assert.equal(await store.findQuote(idOf(testAnswer(2 ** 47, 0n, 1))), undefined)
  })

  test('saves nothing for an answer without quotes', async () => {
    await store.saveQuotes([])
  })

  test('stores the answers of 64 concurrent writers', async () => {
    const answers = Array.from({ length: 64 }, () => testAnswer(NOW + 3, random(), 2))
    await Promise.all(answers.map(store.saveQuotes))
    await reopen()
    const found = await Promise.all(answers.map((answer) => store.findQuote(idOf(answer, 1))))
    assert.deepEqual(
      found,
      answers.map((answer) => answer[1]),
    )
  })

  test('rejects an answer with a known id without affecting others', async () => {
    const taken = testAnswer(NOW + 4, random())
    const others = Array.from({ length: 5 }, () => testAnswer(NOW + 4, random()))
    await store.saveQuotes(taken)
    const [refused, ...kept] = await Promise.allSettled(
      [taken, ...others].map((answer) => store.saveQuotes(answer)),
    )
    assert.equal(refused?.status, 'rejected')
    for (const result of kept) assert.equal(result.status, 'fulfilled')
    await reopen()
    for (const answer of others) assert.deepEqual(await store.findQuote(idOf(answer)), answer[0])
  })

  test('lists quotes created since an instant, in pages, ordered by id', async () => {
    const then = 2 ** 44
    const answers = Array.from({ length: 12 }, (_, index) => testAnswer(then + index, 0n, (index % 4) + 1))
    for (const answer of answers.toReversed()) await store.saveQuotes(answer)
    await reopen()
    for (const [since, limit] of [
      [then - 1, 1],
      [then, 3],
      [then + 5, 4],
      [then + 11, 100],
    ] as const) {
      const seen: QuoteRecord[] = []
      for (let after: QuoteId | undefined; ; after = seen.at(-1)?.quoteId) {
        const page = await store.listQuotesSince(since, limit, after)
        assert.ok(page.length <= limit)
        if (page.length === 0) break
        seen.push(...page)
      }
      assert.deepEqual(
        seen,
        answers.flat().filter((quote) => quote.createdAt >= since),
      )
    }
    assert.deepEqual(await store.listQuotesSince(then + 12, 10), [])
    assert.deepEqual(await store.listQuotesSince(then + 6, 1, answers[2]?.[0]?.quoteId), [answers[6]?.[0]])
  })

  test('lists the newest quotes of equal terms of the five minutes up to an instant, ordered by id', async () => {
    const until = 2 ** 43 + 250_000
    const sender = `0x${random().toString(16).padStart(40, '0')}`
    const askedAt = async (time: number, changes: Partial<QuoteRecord>): Promise<readonly QuoteRecord[]> => {
      const answer = testAnswer(time, random(), 2).map((quote) => ({ ...quote, ...changes }))
      await store.saveQuotes(answer)
      return answer
    }
    const listed = []
    for (const age of [300_001, 300_000, 299_999, 60_000, 1, 0, -1]) {
      const answer = await askedAt(until - age, { sender })
      if (age >= 0 && age <= 300_000) listed.push(...answer)
      for (const other of ['recipient', 'fromToken', 'toToken'])
        await askedAt(until - age, { sender, [other]: '0x01' })
    }
    await reopen()
    const [terms] = listed
    assert.ok(terms !== undefined)
    assert.deepEqual(await store.listQuotesOfTerms(terms, until), listed)
    assert.deepEqual(await store.listQuotesOfTerms({ ...terms, sender: '0x02' }, until), [])
    await Promise.all(Array.from({ length: 220 }, () => askedAt(until - 2_000, { sender })))
    const newest = await store.listQuotesOfTerms(terms, until)
    assert.equal(newest.length, 400)
    assert.deepEqual(newest.at(-1), listed.at(-1))
  })

  test('finds a transfer with every field by its quote and message id', async () => {
    const message = `${random()}-1`
    const quoteId = idOf(testAnswer(NOW + 5, random()))
    assert.equal(await store.findTransfer(quoteId, message), undefined)
    const transfer = pending(quoteId, message)
    assert.equal(await store.saveTransfer(transfer), true)
    assert.deepEqual(await store.findTransfer(quoteId, message), transfer)
    assert.equal(await store.findTransfer(quoteId, '0xaa-2'), undefined)
    assert.deepEqual(await store.listTransfers(quoteId), [transfer])
    assert.equal(await store.saveTransfer(done(transfer)), true)
    assert.deepEqual(await store.findTransfer(quoteId, message), done(transfer))
    await reopen()
    assert.deepEqual(await store.findTransfer(quoteId, message), done(transfer))
  })

  test('lists the transfers of a quote as they are after each save', async () => {
    const quoteId = idOf(testAnswer(NOW + 8, random()))
    const [one, other] = ['1', '2'].map((position) => pending(quoteId, `${random()}-${position}`))
    assert.ok(one !== undefined && other !== undefined)
    const listed = async () => new Set(await store.listTransfers(quoteId))
    assert.deepEqual(await listed(), new Set())
    await store.saveTransfer(one)
    assert.deepEqual(await listed(), new Set([one]))
    const saved = store.saveTransfer(other)
    const early = await listed()
    assert.equal(await saved, true)
    assert.ok(early.size === 1 || early.size === 2)
    assert.deepEqual(await listed(), new Set([one, other]))
    await store.saveTransfer(done(other))
    assert.deepEqual(await listed(), new Set([one, done(other)]))
  })

  test('lists the quotes that a name finds, newest first and page by page, each once', async () => {
    const ids = [1, 2, 3].map((second) => idOf(testAnswer(NOW + second * 1_000, random())))
    const account = `account-${random()}`
    for (const quoteId of ids) {
      await store.saveNames(quoteId, [account, account, `other-${quoteId}`])
      await store.saveNames(quoteId, [account])
    }
    const newestFirst = ids.toReversed()
    assert.deepEqual(await store.listQuotesByName(account, 10), newestFirst)
    assert.deepEqual(await store.listQuotesByName(account, 2), newestFirst.slice(0, 2))
    assert.deepEqual(await store.listQuotesByName(account, 2, newestFirst[1]), newestFirst.slice(2))
    assert.deepEqual(await store.listQuotesByName(`other-${ids[0]}`, 10), [ids[0]])
    assert.deepEqual(await store.listQuotesByName(account.toUpperCase(), 10), [])
  })

  test('saves a transfer only over the previous revision', async () => {
    const quoteId = idOf(testAnswer(NOW + 6, random()))
    const first = pending(quoteId, '')
    assert.equal(await store.saveTransfer({ ...first, revision: 2 }), false)
    assert.equal(await store.saveTransfer(first), true)
    assert.equal(await store.saveTransfer(first), false)
    assert.equal(await store.saveTransfer({ ...first, revision: 3 }), false)
    assert.equal(await store.saveTransfer({ ...first, revision: 2 }), true)
    assert.equal((await store.findTransfer(quoteId, ''))?.revision, 2)
  })

  test('of many writers of one revision exactly one succeeds', async () => {
    const quoteId = idOf(testAnswer(NOW + 7, random()))
    const message = `${random()}-0`
    for (const revision of [1, 2, 3]) {
      const writers = Array.from({ length: 16 }, (_, writer) => ({
        ...pending(quoteId, message),
        revision,
        details: { writer },
      }))
      const won = await Promise.all(writers.map((transfer) => store.saveTransfer(transfer)))
      assert.equal(won.filter(Boolean).length, 1)
      assert.deepEqual((await store.findTransfer(quoteId, message))?.details, { writer: won.indexOf(true) })
    }
  })

  test('one message belongs to one quote, also when many writers save it at once, until the deposit is gone', async () => {
    const message = `${random()}-0`
    const ids = testAnswer(NOW + 9, random(), 16).map(({ quoteId }) => quoteId)
    assert.equal(await store.findMessageOwner(message), undefined)
    const won = await Promise.all(ids.map((quoteId) => store.saveTransfer(pending(quoteId, message))))
    assert.equal(won.filter(Boolean).length, 1)
    const [owner, other] = [ids[won.indexOf(true)], ids[won.indexOf(false)]]
    assert.ok(owner !== undefined && other !== undefined)
    await reopen()
    assert.equal(await store.findMessageOwner(message), owner)
    assert.equal(await store.findTransfer(other, message), undefined)
    assert.equal(
      await store.saveTransfer({ ...awaitingDeposit(owner, message), revision: 2 }),
      true,
      'the owner saves on',
    )
    assert.equal(await store.saveTransfer(pending(other, message)), true)
    assert.equal(await store.saveTransfer({ ...pending(owner, message), revision: 3 }), false)
    assert.equal(await store.findMessageOwner(message), other)
  })

  test('lists open transfers in pages, in order, without final ones', async () => {
    const ids = testAnswer(2 ** 46, random(), 16).map((quote) => quote.quoteId)
    const keys = ids.flatMap((quoteId) =>
      ['', `0xAB${quoteId}-2`, `0xab${quoteId}-10`].map((messageId) => ({ quoteId, messageId })),
    )
    for (const { quoteId, messageId } of keys.toReversed()) {
      await store.saveTransfer(pending(quoteId, messageId))
      if (messageId.startsWith('0xAB')) await store.saveTransfer(done(pending(quoteId, messageId)))
    }
    const lowest = { quoteId: idOf(testAnswer(2 ** 46 - 1, 0n)), messageId: '' }
    const seen: Transfer[] = []
    for (let after = lowest; ; ) {
      const page = await store.listOpen(7, after)
      assert.ok(page.length <= 7)
      seen.push(...page)
      const last = page.at(-1)
      if (last === undefined) break
      after = last
    }
    assert.deepEqual(
      seen.map(({ quoteId, messageId }) => ({ quoteId, messageId })),
      keys.filter(({ messageId }) => !messageId.startsWith('0xAB')),
    )
    assert.ok((await store.listOpen(1000)).length >= seen.length)
  })

  test('answers a ping until it is closed, and may be closed twice', async () => {
    await store.ping()
    await store.close()
    await store.close()
    await assert.rejects(store.ping(), /closed/)
    await assert.rejects(store.saveQuotes(testAnswer(NOW + 8, random())), /closed/)
    store = await open()
    await store.ping()
  })
}

describeEveryStore(conformance)
