import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { testBackend } from '../../test/test-backend.ts'
import { testItsQuote } from '../../test/test-quotes.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Details, Observation } from '../core/transfer.ts'
import type { Log } from '../lib/log.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import { listTransfers } from './list-transfers.ts'
import { createRefresher, type Refreshed } from './refresh-transfer.ts'

const directory = mkdtempSync(join(tmpdir(), 'openrfq-'))
let store: Store
before(async () => {
  store = await openSqliteStore({ directory, log: () => undefined })
})
after(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

let counter = 0n
const newQuote = (): QuoteRecord => {
  counter += 32n
  return testItsQuote(counter)
}

/** Each quote has a message of its own. */
const lookupOf = ({ quoteId }: QuoteRecord) => ({ messageId: `${quoteId}-0`, sourceChain: 'eip155:1' })
const source = { chain: 'eip155:1', txHash: '0x01', messageId: '0x01-0', timestamp: '2026-11-21T07:00:00Z' }
const IN_FLIGHT: Observation = { seen: 'in_flight', source, details: {} }
const NOTHING: Observation = { seen: 'nothing', details: {} }
const MISMATCHED: Observation = { seen: 'mismatched', details: {} }
const DELIVERED: Observation = {
  seen: 'delivered',
  source,
  destination: { chain: 'eip155:2', txHash: '0x02', timestamp: '2026-11-21T07:01:00Z' },
  output: { chain: 'eip155:2', token: '0x2', amount: '1' },
  details: {},
}

/** A refresher with a backend that returns the test's observations, and the number of its reads. */
const refresherOver = (
  read: () => Promise<Observation>,
  lateDeposits?: () => Promise<Details>,
  log: Log = () => undefined,
) => {
  let reads = 0
  const backend = testBackend({
    track: () => {
      reads += 1
      return read()
    },
    ...(lateDeposits === undefined ? {} : { lateDeposits }),
  })
  const refresher = createRefresher({
    store,
    backends: new Map([['its', backend]]),
    log,
    isDeliveryGone: async () => false,
    trackDeadlineMs: 50,
  })
  return { refresher, reads: () => reads }
}

const stateOf = (refreshed: Refreshed): string =>
  refreshed === 'mismatched' ? 'mismatched' : `${refreshed.transfer.state} ${refreshed.transfer.revision}`

test('saves a transfer under a new revision only when it changes', async () => {
  const quote = newQuote()
  const observations = [NOTHING, IN_FLIGHT, IN_FLIGHT, NOTHING, IN_FLIGHT, DELIVERED, NOTHING]
  const { refresher, reads } = refresherOver(async () => observations[reads() - 1] ?? NOTHING)
  const states: string[] = []
  for (const _ of observations) states.push(stateOf(await refresher(quote, lookupOf(quote))))
  assert.deepEqual(states, [
    'AWAITING_DEPOSIT 0',
    'PENDING 1',
    'PENDING 1',
    'AWAITING_DEPOSIT 2',
    'PENDING 3',
    'DONE 4',
    'DONE 4',
  ])
  assert.equal(reads(), 6, 'a final state was read again')
})

/** A log that keeps the `transfer_changed` events, each as `from to`. */
const createChangeLog = () => {
  const changes: string[] = []
  const log: Log = (level, event, fields) => {
    if (event !== 'transfer_changed') return
    assert.equal(level, 'info')
    changes.push(`${fields?.['quoteId']} ${fields?.['messageId']} ${fields?.['from']} ${fields?.['to']}`)
  }
  return { changes, log }
}

test('logs one event for each change of the state, and none for other changes', async () => {
  const quote = newQuote()
  const staged: Observation = { ...IN_FLIGHT, details: { stage: 'called' } }
  const observations = [NOTHING, IN_FLIGHT, IN_FLIGHT, staged, NOTHING, IN_FLIGHT, DELIVERED, NOTHING]
  const { changes, log } = createChangeLog()
  const { refresher, reads } = refresherOver(async () => observations[reads() - 1] ?? NOTHING, undefined, log)
  const states: string[] = []
  for (const _ of observations) states.push(stateOf(await refresher(quote, lookupOf(quote))))
  assert.equal(states[3], 'PENDING 2', 'the stage was not saved as a change')
  const of = (change: string): string => `${quote.quoteId} ${lookupOf(quote).messageId} ${change}`
  assert.deepEqual(changes, [
    of('AWAITING_DEPOSIT PENDING'),
    of('PENDING AWAITING_DEPOSIT'),
    of('AWAITING_DEPOSIT PENDING'),
    of('PENDING DONE'),
  ])
})

test('racing refreshers log one event for the change that both see', async () => {
  const quote = newQuote()
  const { changes, log } = createChangeLog()
  const racing = Array.from({ length: 8 }, () => refresherOver(async () => IN_FLIGHT, undefined, log))
  const answers = await Promise.all(racing.map(({ refresher }) => refresher(quote, lookupOf(quote))))
  assert.deepEqual(new Set(answers.map(stateOf)), new Set(['PENDING 1']))
  assert.equal(changes.length, 1)
})

test("a final transfer keeps its saved state, plus its backend's late deposits", async () => {
  const quote = newQuote()
  const details = { extraDeposits: ['later'] }
  const { refresher, reads } = refresherOver(
    async () => DELIVERED,
    async () => details,
  )
  const [first, second] = [await refresher(quote, lookupOf(quote)), await refresher(quote, lookupOf(quote))]
  assert.ok(first !== 'mismatched' && second !== 'mismatched')
  assert.deepEqual([second.transfer, second.details, reads()], [first.transfer, details, 1])
  const failing = refresherOver(
    async () => DELIVERED,
    () => Promise.reject(new Error('the store is down')),
  )
  assert.deepEqual(await failing.refresher(quote, lookupOf(quote)), { transfer: first.transfer, details: {} })
})

test('concurrent callers for one transfer share one read', async () => {
  const quote = newQuote()
  const { refresher, reads } = refresherOver(async () => IN_FLIGHT)
  const answers = await Promise.all(Array.from({ length: 20 }, () => refresher(quote, lookupOf(quote))))
  assert.equal(reads(), 1)
  assert.deepEqual(new Set(answers.map(stateOf)), new Set(['PENDING 1']))
})

test('two refreshers racing on one transfer both return the saved state', async () => {
  const quote = newQuote()
  const one = refresherOver(async () => IN_FLIGHT)
  const other = refresherOver(async () => IN_FLIGHT)
  const answers = await Promise.all([
    one.refresher(quote, lookupOf(quote)),
    other.refresher(quote, lookupOf(quote)),
  ])
  assert.deepEqual(answers.map(stateOf), ['PENDING 1', 'PENDING 1'])
})

test('a message that two quotes of equal terms name is the transfer of the first, and never both', async () => {
  const [quote, other] = [newQuote(), newQuote()]
  const lookup = lookupOf(quote)
  const { refresher } = refresherOver(async () => DELIVERED)
  const answers = await Promise.all([refresher(quote, lookup), refresher(other, lookup)])
  assert.deepEqual(answers.map(stateOf), ['DONE 1', 'mismatched'])
  assert.equal(stateOf(await refresherOver(async () => DELIVERED).refresher(other, lookup)), 'mismatched')
  assert.equal(await store.findMessageOwner(lookup.messageId), quote.quoteId)
})

test('a message whose transaction left the chain may become the transfer of another quote', async () => {
  const [quote, other] = [newQuote(), newQuote()]
  const lookup = lookupOf(quote)
  await refresherOver(async () => IN_FLIGHT).refresher(quote, lookup)
  assert.equal(stateOf(await refresherOver(async () => IN_FLIGHT).refresher(other, lookup)), 'mismatched')
  await refresherOver(async () => NOTHING).refresher(quote, lookup)
  assert.equal(stateOf(await refresherOver(async () => DELIVERED).refresher(other, lookup)), 'DONE 1')
  assert.equal(
    stateOf(await refresherOver(async () => DELIVERED).refresher(quote, lookup)),
    'AWAITING_DEPOSIT 2',
  )
})

test('a failed or late observation keeps the last known state and marks it stale', async () => {
  const quote = newQuote()
  await refresherOver(async () => IN_FLIGHT).refresher(quote, lookupOf(quote))
  for (const read of [
    () => Promise.reject(new Error('down')),
    () => new Promise<Observation>(() => undefined),
  ]) {
    const refreshed = await refresherOver(read).refresher(quote, lookupOf(quote))
    assert.equal(stateOf(refreshed), 'PENDING 1')
    assert.deepEqual(refreshed !== 'mismatched' && refreshed.details, { stale: true })
  }
})

test('reports a mismatched message without dropping a known transfer', async () => {
  const quote = newQuote()
  assert.equal(
    stateOf(await refresherOver(async () => MISMATCHED).refresher(quote, lookupOf(quote))),
    'mismatched',
  )
  await refresherOver(async () => IN_FLIGHT).refresher(quote, lookupOf(quote))
  assert.equal(
    stateOf(await refresherOver(async () => MISMATCHED).refresher(quote, lookupOf(quote))),
    'PENDING 1',
  )
})

test('another message of the same quote is a transfer of its own', async () => {
  const quote = newQuote()
  await refresherOver(async () => DELIVERED).refresher(quote, lookupOf(quote))
  const { refresher } = refresherOver(async () => IN_FLIGHT)
  assert.equal(
    stateOf(await refresher(quote, { ...lookupOf(quote), messageId: `${quote.quoteId}-1` })),
    'PENDING 1',
  )
})

const refresh = (quote: QuoteRecord, observation: Observation): Promise<Refreshed> =>
  refresherOver(async () => observation).refresher(quote, lookupOf(quote))

test('a transfer that is seen is listed for its sender and its recipient, and a quote alone is not', async () => {
  const quote = { ...newQuote(), sender: '0xAbC1', recipient: 'GReC1' }
  const deps = { store, backends: new Map() }
  const listed = async (address: string): Promise<readonly unknown[]> =>
    (await listTransfers(deps, { address, limit: 20 })).transfers.map((one) => one.status.state)
  await store.saveQuotes([quote])
  await refresh(quote, NOTHING)
  assert.deepEqual(await listed('0xAbC1'), [])
  await refresh(quote, IN_FLIGHT)
  await refresh(quote, DELIVERED)
  assert.deepEqual(await listed('0xabc1'), ['DONE'])
  assert.deepEqual(await listed('GReC1'), ['DONE'])
  assert.deepEqual(await listed('grec1'), [])
})

test('the list of an address goes on where the page before ended', async () => {
  const quotes = Array.from({ length: 5 }, () => ({ ...newQuote(), sender: '0xfa9e' }))
  for (const quote of quotes) {
    await store.saveQuotes([quote])
    await refresh(quote, IN_FLIGHT)
  }
  const deps = { store, backends: new Map() }
  const seen: (string | undefined)[] = []
  for (let before: string | null | undefined; before !== null; ) {
    const from = before === undefined ? undefined : quotes.find(({ quoteId }) => quoteId === before)?.quoteId
    const page = await listTransfers(deps, { address: '0xFA9E', limit: 2, before: from })
    seen.push(...page.transfers.map(({ quote }) => quote?.quoteId))
    before = page.next
  }
  assert.deepEqual(seen, quotes.map(({ quoteId }) => quoteId).toReversed())
})
