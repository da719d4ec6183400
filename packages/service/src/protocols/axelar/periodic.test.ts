import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFreshMap } from './fresh-map.ts'
import { createGasFees } from './gas-fees.ts'
import { periodic } from './periodic.ts'
import { createRelayTimes } from './relay-times.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

test('repeats a task until it is stopped, sooner after a failure, and logs only the change', async () => {
  const logged: string[] = []
  let runs = 0
  const task = periodic({
    name: 'task',
    periodMs: 10_000,
    retryMs: 1,
    run: async () => {
      runs += 1
      if (runs < 4) throw new Error('not yet')
    },
    log: (level, message) => logged.push(`${level} ${message}`),
  })
  await task.start()
  assert.equal(runs, 1)
  await pause(100)
  task.stop()
  assert.equal(runs, 4)
  assert.deepEqual(logged, ['warn refresh fails', 'info refresh recovered'])
})

test('a value counts only while it is young', () => {
  let time = 0
  const map = createFreshMap<number>(() => time, 100)
  map.set('a', 1)
  time = 100
  assert.equal(map.get('a'), 1)
  time = 101
  assert.equal(map.get('a'), undefined)
  assert.equal(map.get('b'), undefined)
})

test('gas fees of the hops that can be read are known, those that cannot are not, and old ones are forgotten', async () => {
  let time = 0
  const hop = { baseFee: 1n, gasPrice: 1n, multiplier: 10n ** 36n, sourceUsd: 1n, sourceDecimals: 18 }
  const fees = createGasFees({
    axelarscan: {
      hopFees: async (from, to) => {
        if (from === 'c' || to === 'c') throw new Error('unknown chain')
        return hop
      },
    },
    chains: ['a', 'b', 'c'].map((name) => ({ name, executeGasLimit: 700_000 })),
    hubChain: 'axelar',
    marginBps: 12_000,
    now: () => time,
    log: () => undefined,
  })
  await fees.start()
  fees.stop()
  assert.equal(fees.transferFee('a', 'b'), 1n)
  assert.equal(fees.transferFee('a', 'c'), undefined)
  assert.equal(fees.transferFee('c', 'a'), undefined)
  assert.equal(fees.transferFee('a', 'nowhere'), undefined)
  time = 90_001
  assert.equal(fees.transferFee('a', 'b'), undefined)
})

test('relay times are those of both hops together, rounded up, and unknown where one was not measured', async () => {
  const times = createRelayTimes({
    axelarscan: {
      hopSeconds: async (from, to) => {
        if (to === 'b') return undefined
        return from === 'a' ? 2.25 : 0.5
      },
    },
    chains: ['a', 'b', 'c'],
    hubChain: 'axelar',
    now: () => 0,
    log: () => undefined,
  })
  await times.start()
  times.stop()
  assert.equal(times.seconds('a', 'c'), 3)
  assert.equal(times.seconds('a', 'b'), undefined)
})
