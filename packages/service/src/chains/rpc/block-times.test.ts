import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withNodes } from '../../../test/json-rpc-node.ts'
import { createBlockTimes } from './block-times.ts'
import { rpcErrorCode } from './rpc-error.ts'

const START = 1_800_000_000_000
const SECOND = START / 1000

const world = (quorum: number, maximumClockLeadSeconds?: number) => {
  const time = { wall: START, steady: 0 }
  const lines: string[] = []
  const times = createBlockTimes({
    chainId: 'eip155:5',
    quorum,
    maximumClockLeadSeconds,
    now: () => time.steady,
    wallTime: () => time.wall,
    log: (level, event, fields = {}) => lines.push([level, event, fields['endpoint']].join(' ').trim()),
  })
  const tell = (endpoint: number, seconds: number): string => {
    try {
      times.check(endpoint, seconds)
      return 'believed'
    } catch (error) {
      return rpcErrorCode(error) ?? 'other'
    }
  }
  return { times, tell, time, lines }
}

for (const [seconds, bound, said] of [
  [-86_400, undefined, 'believed'],
  [15, undefined, 'believed'],
  [16, undefined, 'AHEAD_OF_CLOCK'],
  [16, 60, 'believed'],
  [61, 60, 'AHEAD_OF_CLOCK'],
] as const)
  test(`a block ${seconds} seconds ahead of the clock with a bound of ${bound} is ${said}`, () => {
    assert.equal(world(2, bound).tell(0, SECOND + seconds), said)
  })

test('one endpoint ahead of the clock is named once, counted each time, and believed again', () => {
  const { times, tell, lines } = world(2)
  for (let count = 0; count < 3; count += 1) tell(0, SECOND + 300)
  assert.deepEqual([times.count(0), times.count(1), times.isDoubted(0)], [3, 0, true])
  assert.equal(times.isAheadOfClock(), false)
  tell(0, SECOND)
  assert.deepEqual([times.count(0), times.isDoubted(0)], [3, false])
  assert.deepEqual(lines, ['warn rpc_endpoint_ahead_of_clock 0', 'info rpc_endpoint_time_plausible 0'])
})

test('a quorum ahead of the clock is one event, which ends with a plausible time', () => {
  const { times, tell, lines } = world(2)
  for (const endpoint of [0, 1, 2, 0, 1]) tell(endpoint, SECOND + 300)
  assert.equal(times.isAheadOfClock(), true)
  for (const endpoint of [0, 1]) tell(endpoint, SECOND)
  assert.equal(times.isAheadOfClock(), false)
  assert.deepEqual(
    lines.filter((line) => line.includes('chain_')),
    ['error chain_ahead_of_clock', 'info chain_time_plausible'],
  )
})

test('endpoints that are not asked any more are not ahead of the clock for ever', () => {
  const { times, tell, time } = world(2)
  for (const endpoint of [0, 1, 2]) tell(endpoint, SECOND + 300)
  time.steady += 15_001
  assert.equal(times.isAheadOfClock(), false)
})

test("a clock that is moved moves what counts as ahead, and ages are the steady clock's", () => {
  const { tell, time } = world(2)
  assert.equal(tell(0, SECOND + 3_600), 'AHEAD_OF_CLOCK')
  time.wall += 3_600_000
  assert.equal(tell(0, SECOND + 3_600), 'believed')
})

/** A node whose blocks are so many seconds ahead of the clock. */
const datedAhead = (seconds: number) => ({ dated: () => Math.floor(Date.now() / 1000) + seconds })

test('the head is read from an endpoint whose blocks are not ahead of the clock', () =>
  withNodes(
    [{ ...datedAhead(300), blockNumber: 120 }, datedAhead(0), datedAhead(0)],
    async ({ chain, lines }) => {
      assert.equal(chain.head()?.number, 100n)
      assert.deepEqual(
        chain.faults().map(({ timesAhead }) => timesAhead > 0),
        [true, false, false],
      )
      assert.equal(lines.filter((line) => line.includes('rpc_endpoint_ahead_of_clock')).length, 1)
    },
  ))

test('when a quorum is ahead of the clock there is no head and no final block', () =>
  withNodes([datedAhead(300), datedAhead(300), datedAhead(300)], async ({ chain, lines }) => {
    assert.equal(chain.head(), undefined)
    await assert.rejects(chain.finalBlock(90n), { code: 'NO_AGREEMENT' })
    assert.equal(chain.isAheadOfClock(), true)
    assert.equal(lines.filter((line) => line.includes('chain_ahead_of_clock')).length, 1)
  }))

test('a block is final when the endpoints that are not ahead of the clock agree on it', () =>
  withNodes([datedAhead(300), { blockNumber: 100 }, { blockNumber: 100 }], async ({ chain }) => {
    assert.equal((await chain.finalBlock(90n)).timestampSeconds, 100)
  }))
