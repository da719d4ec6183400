import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { describeEveryStore } from '../../test/every-store.ts'
import { testAnswer } from '../../test/test-quotes.ts'
import { OrderId } from '../core/intent-order.ts'
import type { QuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { awaitingDeposit } from '../core/transfer.ts'
import { BUNDLE_SIZE } from './statements.ts'
import type { Store } from './store.ts'

const DAY_MS = 86_400_000
const random = (): bigint => BigInt(`0x${randomBytes(10).toString('hex')}`)
const hex = (bytes: number): string => `0x${randomBytes(bytes).toString('hex')}`

type Answer = readonly QuoteRecord[]

/** Answers to different senders, created one second after another. */
const answersFrom = (then: number, count: number, quotes = 2): readonly Answer[] =>
  Array.from({ length: count }, (_, index) => {
    const sender = hex(20)
    return testAnswer(then + index * 1000, random(), quotes).map((quote) => ({ ...quote, sender }))
  })

const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items.at(index)
  assert(item !== undefined)
  return item
}
const idOf = (answer: Answer): QuoteId => at(answer, -1).quoteId

/** The purge at an instant. */
const agesAt = (now: number) => ({ compactBefore: now - DAY_MS, dropBefore: now - 30 * DAY_MS })

/** What every store promises about old quotes; each call of `open` opens one on the same files. */
const conformance = (open: () => Promise<Store>): void => {
  let store: Store
  /** Each test has years of its own, after those of the tests before. */
  let then = 1_600_000_000_000
  before(async () => {
    store = await open()
  })
  after(() => store.close())
  const begin = async (count: number, quotes?: number): Promise<readonly Answer[]> => {
    then += 1000 * DAY_MS
    await store.purgeQuotes(agesAt(then - DAY_MS))
    const answers = answersFrom(then, count, quotes)
    await Promise.all(answers.map(store.saveQuotes))
    return answers
  }
  const assertFound = async (answers: readonly Answer[]): Promise<void> => {
    for (const quote of answers.flat()) assert.deepEqual(await store.findQuote(quote.quoteId), quote)
  }
  const assertGone = async (answers: readonly Answer[]): Promise<void> => {
    for (const { quoteId } of answers.flat()) assert.equal(await store.findQuote(quoteId), undefined)
  }

  test('a quote is found with every field after it was compacted, and after reopening', async () => {
    const answers = await begin(200, 3)
    assert.equal(await store.purgeQuotes(agesAt(then + 2 * DAY_MS)), 0)
    await assertFound(answers)
    await store.close()
    store = await open()
    await assertFound(answers)
    assert.equal(await store.findQuote(idOf(at(answersFrom(then + 70_000, 1), 0))), undefined)
  })

  test('compacted quotes are listed with those of the last day, in pages, by id', async () => {
    const answers = await begin(300)
    await store.purgeQuotes(agesAt(then + 200_000 + DAY_MS))
    const quotes = answers.flat()
    for (const [since, limit] of [
      [then, 7],
      [then + 63_000, 130],
      [then + 150_000, 1000],
    ] as const) {
      const expected = quotes.filter(({ createdAt }) => createdAt >= since)
      const listed: QuoteRecord[] = []
      for (;;) {
        const page = await store.listQuotesSince(since, limit, listed.at(-1)?.quoteId)
        listed.push(...page)
        if (page.length < limit) break
      }
      assert.deepEqual(listed, expected)
    }
  })

  test('compacted quotes of equal terms are listed by the time they were made', async () => {
    const answers = await begin(300)
    const terms = at(at(answers, 100), 0)
    const equal = [250, 251].map((second) =>
      testAnswer(then + second * 1000 + 500, random(), 2).map((quote) => ({
        ...quote,
        sender: terms.sender,
      })),
    )
    await Promise.all(equal.map(store.saveQuotes))
    await store.purgeQuotes(agesAt(then + 250_900 + DAY_MS))
    const ids = async (until: number) =>
      (await store.listQuotesOfTerms(terms, until)).map(({ quoteId }) => quoteId)
    const [first, second] = [at(equal, 0), at(equal, 1)]
    const expected = (...listed: readonly Answer[]) => listed.flat().map(({ quoteId }) => quoteId)
    assert.deepEqual(await ids(then + 300_000), expected(at(answers, 100), first, second))
    assert.deepEqual(await ids(then + 250_600), expected(at(answers, 100), first))
    assert.deepEqual(await ids(then + 402_000), expected(first, second))
  })

  test('a quote is deleted after 30 days, compacted or not', async () => {
    const answers = await begin(200)
    const ages = agesAt(then + 2 * DAY_MS)
    assert.equal(await store.purgeQuotes(ages), 0)
    assert.equal(await store.purgeQuotes({ ...ages, dropBefore: then + 128_000 }), 128)
    await assertGone(answers.slice(0, 128))
    await assertFound(answers.slice(128))
    assert.equal(await store.purgeQuotes(agesAt(then + 31 * DAY_MS)), 72)
    await assertGone(answers)
  })

  test('a quote with a transfer is never deleted, whether its deposit came before or after the compaction', async () => {
    const answers = await begin(256)
    const [early, late] = [
      [at(answers, 3), at(answers, 70)],
      [at(answers, 8), at(answers, 80), at(answers, 81)],
    ]
    const deposit = (answer: Answer) =>
      store.saveTransfer({ ...awaitingDeposit(idOf(answer), ''), revision: 1, state: 'PENDING' })
    for (const answer of early) await deposit(answer)
    await store.purgeQuotes(agesAt(then + 2 * DAY_MS))
    for (const answer of late) await deposit(answer)
    for (const days of [31, 32, 1000]) {
      await store.purgeQuotes(agesAt(then + days * DAY_MS))
      await assertFound([...early, ...late])
    }
    const kept = new Set([...early, ...late])
    await assertGone(answers.filter((answer) => !kept.has(answer)))
    const terms = at(at(late, 0), 0)
    assert.deepEqual(await store.listQuotesOfTerms(terms, then + 60_000), at(late, 0))
  })

  test('a quote whose payment or solver order is all that is known is never deleted', async () => {
    const answers = await begin(200)
    const [paid, ordered, latePaid] = [at(answers, 3), at(answers, 5), at(answers, 77)]
    const pay = (answer: Answer, blockNumber: bigint) =>
      store.savePayments('stellar:test', { blockNumber, blockHash: `0x${blockNumber}` }, [
        {
          chainId: 'stellar:test',
          txHash: hex(32),
          position: 0,
          blockNumber,
          timestampSeconds: 1,
          role: 'deposit',
          from: 'payer',
          to: 'vault',
          token: 'token',
          amount: 1n,
          muxedId: undefined,
          memo: undefined,
          orderId: OrderId.parse(hex(32)),
          quoteId: idOf(answer),
          settled: true,
          confirmed: true,
        },
      ])
    await pay(paid, 1n)
    await store.addSolverOrder({
      orderId: OrderId.parse(hex(32)),
      quoteId: idOf(ordered),
      solver: hex(20),
      pair: 'pair',
      depositor: hex(20),
      input: at(ordered, 0).input,
      quotedAt: then,
    })
    await store.purgeQuotes(agesAt(then + 2 * DAY_MS))
    await pay(latePaid, 2n)
    await store.purgeQuotes(agesAt(then + 31 * DAY_MS))
    await store.purgeQuotes(agesAt(then + 32 * DAY_MS))
    await assertFound([paid, ordered, latePaid])
    await assertGone([at(answers, 4), at(answers, 78)])
  })

  test('an answer saved later than younger ones that are compacted is found and deleted in the end', async () => {
    const answers = await begin(BUNDLE_SIZE)
    await store.purgeQuotes(agesAt(then + 2 * DAY_MS))
    const straggler = testAnswer(then + 10_500, random())
    await store.saveQuotes(straggler)
    await store.purgeQuotes(agesAt(then + 2 * DAY_MS))
    await assertFound([...answers, straggler])
    assert.equal(await store.purgeQuotes(agesAt(then + 31 * DAY_MS)), BUNDLE_SIZE + 1)
    await assertGone([...answers, straggler])
  })

  test('answers that an interrupted compaction left twice are listed once, and deleted in the end', async () => {
    const answers = await begin(BUNDLE_SIZE)
    await store.purgeQuotes(agesAt(then + 2 * DAY_MS))
    await Promise.all(answers.map(store.saveQuotes))
    await store.purgeQuotes(agesAt(then + 2 * DAY_MS))
    assert.deepEqual(await store.listQuotesSince(then, 1000), answers.flat())
    assert.deepEqual(await store.listQuotesOfTerms(at(at(answers, 7), 0), then + 60_000), at(answers, 7))
    await store.purgeQuotes(agesAt(then + 31 * DAY_MS))
    await assertGone(answers)
  })

  test('two purges at once lose nothing', async () => {
    const answers = await begin(640)
    await Promise.all(Array.from({ length: 4 }, () => store.purgeQuotes(agesAt(then + 2 * DAY_MS))))
    await assertFound(answers)
  })
}

describeEveryStore(conformance)
