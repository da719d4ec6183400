import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertWhole, type RecordedStream } from './recorded-stream.ts'
import type { SavedRevision } from './saved-revisions.ts'

// The soak of 1,000 streams trusts this check: each record here is damaged in one way, and the check has to say so.

const QUOTE_ID = 'quote_1'
const SAVED: readonly SavedRevision[] = [
  { revision: 1, state: 'PENDING', at: 10_000 },
  { revision: 2, state: 'PENDING', at: 20_000 },
  { revision: 3, state: 'PENDING', at: 30_000 },
  { revision: 4, state: 'DONE', at: 40_000 },
]

type Shown = RecordedStream['shown']
/** What a stream shows that loses nothing: the quote, and each revision 50 ms after it was saved. */
const SHOWN: Shown = [
  { id: '0', revision: 0, state: 'AWAITING_DEPOSIT', at: 1_000 },
  ...SAVED.map(({ revision, state, at }) => ({ id: String(revision), revision, state, at: at + 50 })),
]
const ALWAYS = [{ openedAt: 500, closedAt: 41_000 }]

const record = (shown: Shown, connections = ALWAYS): RecordedStream => ({
  quoteId: QUOTE_ID,
  shown,
  connections,
  states: [...new Set(shown.map(({ state }) => state))],
  ended: Promise.resolve(),
})

/** The check of a stream beside nine others that show all, or beside those given. */
const check = (
  stream: RecordedStream,
  others: readonly RecordedStream[] = Array.from({ length: 9 }, () => record(SHOWN)),
): number => assertWhole(stream, SAVED, others)

const without = (index: number): Shown => SHOWN.filter((_, one) => one !== index)

test('accepts a stream that shows every revision, and counts those it owed', () => {
  // The last revision is asked for by itself.
  assert.equal(check(record(SHOWN)), 4)
})

test('refuses a stream that lacks any one revision', () => {
  for (const index of SHOWN.keys())
    assert.throws(() => check(record(without(index))), /lost \d|ends too early/)
})

test('refuses a revision that all streams of the transfer lack, as the store saved it', () => {
  for (const index of SHOWN.keys()) {
    if (index === 0) continue
    const same = record(without(index))
    assert.throws(() => check(same, [same, same]), /lost \d|ends too early/)
  }
})

test('refuses any two neighbours in the wrong order', () => {
  for (const index of SHOWN.keys()) {
    const [one, other] = [SHOWN[index], SHOWN[index + 1]]
    if (one === undefined || other === undefined) continue
    assert.throws(() => check(record(SHOWN.with(index, other).with(index + 1, one))), /goes back/)
  }
})

test('refuses two revisions whose contents were swapped', () => {
  const [third, fourth] = [SHOWN[3], SHOWN[4]]
  assert.ok(third && fourth)
  const swapped = SHOWN.with(3, { ...third, state: 'DONE' }).with(4, { ...fourth, state: 'PENDING' })
  assert.throws(() => check(record(swapped)))
})

test('refuses an event that is sent twice, and one of a revision that was never saved', () => {
  for (const [index, event] of SHOWN.entries())
    assert.throws(() => check(record(SHOWN.toSpliced(index, 0, event))), /repeats/)
  const never = { id: '5', revision: 5, state: 'DONE', at: 40_100 }
  assert.throws(() => check(record([...SHOWN, never])))
})

test('lets a stream miss only what was saved and replaced while it was not connected', () => {
  const cut = [
    { openedAt: 500, closedAt: 15_000 },
    { openedAt: 35_000, closedAt: 41_000 },
  ]
  const late = SHOWN.map((event) => (event.revision === 3 ? { ...event, at: 35_010 } : event))
  const missing = late.filter(({ revision }) => revision !== 2)
  assert.equal(check(record(missing, cut)), 2)
  assert.throws(() => check(record(without(1), cut)), /lost 1/)
})
