import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/eventually.ts'
import { testAnswer } from '../../test/test-quotes.ts'
import { presentStatus } from '../core/status.ts'
import { awaitingDeposit, type Transfer } from '../core/transfer.ts'
import { createStatusFeed, type FollowedStatus } from './status-feed.ts'

const [quote] = testAnswer(1_800_000_000_000, 7n, 1)
assert.ok(quote)
const { quoteId } = quote

/** A feed over one transfer, which tests change; every read waits for `gate`. */
const createWorld = () => {
  let transfer: Transfer = awaitingDeposit(quoteId, '')
  let gate: Promise<void> = Promise.resolve()
  let reads = 0
  const logged: string[] = []
  const feed = createStatusFeed({
    readStatus: async () => {
      reads += 1
      const seen = transfer
      await gate
      return { revision: seen.revision, status: presentStatus(quote, seen, {}) }
    },
    log: (_level, event) => logged.push(event),
  })
  const save = (state: Transfer['state'], details: Transfer['details'] = {}): void => {
    transfer = { ...transfer, state, details, revision: transfer.revision + 1 }
  }
  return {
    feed,
    logged,
    reads: () => reads,
    move: (state: Transfer['state'], details: Transfer['details'] = {}) => {
      save(state, details)
      feed.changed(quoteId)
    },
    /** As another process that shares the store. */
    moveElsewhere: save,
    close: (closed: Promise<void>) => {
      gate = closed
    },
  }
}

const revisionOf = ({ id }: FollowedStatus): number => Number.parseInt(id, 10)
const stateOf = ({ text }: FollowedStatus): string => JSON.parse(text).state

test('every follower gets each change once and in order, and the last one ends it', async () => {
  const world = createWorld()
  const seen: string[][] = [[], []]
  for (const list of seen) await world.feed.follow({ quoteId }, 'a', (status) => list.push(stateOf(status)))
  world.move('PENDING')
  await until(() => seen.every((list) => list.length === 2))
  world.feed.changed(quoteId)
  world.move('DONE')
  await until(() => seen.every((list) => list.length === 3))
  for (const list of seen) assert.deepEqual(list, ['AWAITING_DEPOSIT', 'PENDING', 'DONE'])
  const readsAtEnd = world.reads()
  world.feed.changed(quoteId)
  assert.equal(world.reads(), readsAtEnd)
})

test('a delivery that is not final is followed until it is', async () => {
  const world = createWorld()
  const seen: boolean[] = []
  await world.feed.follow({ quoteId }, 'a', ({ isLast }) => seen.push(isLast))
  world.move('DONE', { deliveryFinal: false })
  await until(() => seen.length === 2)
  world.move('DONE')
  await until(() => seen.length === 3)
  assert.deepEqual(seen, [false, false, true])
})

test('a change during a read is read again', async () => {
  const world = createWorld()
  const seen: string[] = []
  await world.feed.follow({ quoteId }, 'a', (status) => seen.push(stateOf(status)))
  const { promise, resolve } = Promise.withResolvers<void>()
  world.close(promise)
  world.move('PENDING')
  world.move('DONE')
  resolve()
  await until(() => seen.at(-1) === 'DONE')
})

test('the id names the revision, and equal statuses have equal ids', async () => {
  const world = createWorld()
  const ids: string[] = []
  const follow = (messageId?: string) =>
    world.feed.follow({ quoteId, messageId }, 'a', ({ id }) => ids.push(id))
  await follow()
  await follow()
  assert.match(ids[0] ?? '', /^0\./)
  assert.equal(ids[1], ids[0])
  world.moveElsewhere('PENDING')
  await follow('m')
  assert.match(ids[2] ?? '', /^1\./)
})

test('a follower who comes while a change is read gets the statuses in order', async () => {
  const world = createWorld()
  await world.feed.follow({ quoteId }, 'a', () => undefined)
  const { promise, resolve } = Promise.withResolvers<void>()
  world.close(promise)
  const seen: number[] = []
  const following = world.feed.follow({ quoteId }, 'b', (status) => seen.push(revisionOf(status)))
  world.move('PENDING')
  resolve()
  await following
  await until(() => seen.at(-1) === 1)
  assert.deepEqual(seen, [0, 1])
})

test('a follower who comes before the next round learns what another process saved, and so do the others', async () => {
  const world = createWorld()
  const seen: number[][] = [[], []]
  await world.feed.follow({ quoteId }, 'a', (status) => seen[0]?.push(revisionOf(status)))
  world.moveElsewhere('PENDING')
  await world.feed.follow({ quoteId }, 'b', (status) => seen[1]?.push(revisionOf(status)))
  assert.deepEqual(seen, [[0, 1], [1]])
})

test('a read that ends after a newer one takes nothing back', async () => {
  const world = createWorld()
  const seen: string[] = []
  await world.feed.follow({ quoteId }, 'a', (status) => seen.push(stateOf(status)))
  const { promise, resolve } = Promise.withResolvers<void>()
  world.close(promise)
  world.feed.changed(quoteId)
  await until(() => world.reads() === 2)
  world.close(Promise.resolve())
  world.moveElsewhere('PENDING')
  await world.feed.follow({ quoteId }, 'b', () => undefined)
  assert.deepEqual(seen, ['AWAITING_DEPOSIT', 'PENDING'])
  resolve()
  world.move('DONE')
  await until(() => seen.includes('DONE'))
  assert.deepEqual(seen, ['AWAITING_DEPOSIT', 'PENDING', 'DONE'])
})

test('nothing is read for a follower that left', async () => {
  const world = createWorld()
  const seen: string[] = []
  const stop = await world.feed.follow({ quoteId }, 'a', (status) => seen.push(stateOf(status)))
  stop()
  const reads = world.reads()
  world.move('PENDING')
  await world.feed.start()
  await world.feed.stop()
  assert.equal(world.reads(), reads)
  assert.deepEqual(seen, ['AWAITING_DEPOSIT'])
})

test('a failed read changes nothing, is logged once, and the next round goes on', async () => {
  const world = createWorld()
  const seen: string[] = []
  await world.feed.follow({ quoteId }, 'a', (status) => seen.push(stateOf(status)))
  const failed = Promise.reject(new Error('the store is away'))
  failed.catch(() => undefined)
  world.close(failed)
  await world.feed.start()
  assert.deepEqual(world.logged, ['status_feed_failed'])
  world.close(Promise.resolve())
  world.move('PENDING')
  await until(() => seen.length === 2)
  await world.feed.stop()
})
