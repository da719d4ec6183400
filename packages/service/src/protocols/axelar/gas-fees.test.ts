import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/eventually.ts'
import { AxelarError } from './axelar-error.ts'
import { createGasFees } from './gas-fees.ts'
import { createRelayTimes } from './relay-times.ts'

test('the estimate with the margin is the fee, else the sum of readable hops, and both expire', async () => {
  let time = 0
  let isDown = false
  const hop = { baseFee: 1n, gasPrice: 1n, multiplier: 10n ** 36n, sourceUsd: 1n, sourceDecimals: 18 }
  const fees = createGasFees({
    axelarscan: {
      hopFees: async (from, to) => {
        if (isDown || from === 'c' || to === 'c') throw new Error('unknown chain')
        return hop
      },
      transferFee: async (from, to) => {
        if (isDown || to === 'c') throw new Error('unknown chain')
        if (to === 'b') throw new AxelarError('NO_FEES', 'no estimate')
        return from === 'a' ? 101n : 10n ** 18n
      },
    },
    chains: ['a', 'b', 'c'].map((name) => ({ name, executeGasLimit: 700_000 })),
    hubChain: 'axelar',
    marginBps: 12_000,
    now: () => time,
    log: () => undefined,
  })
  assert.equal(await fees.transferFee('b', 'a'), 12n * 10n ** 17n)
  assert.equal(await fees.transferFee('a', 'a'), 122n)
  assert.equal(await fees.transferFee('a', 'b'), 1n)
  assert.equal(await fees.transferFee('a', 'c'), undefined)
  assert.equal(await fees.transferFee('a', 'nowhere'), undefined)
  isDown = true
  assert.equal(await fees.transferFee('a', 'b'), 1n)
  time = 90_001
  assert.equal(await fees.transferFee('a', 'b'), undefined)
})

test('from a chain of two scales a fee is computed of whole tokens, and the estimate, of an untold scale, is not asked for', async () => {
  const one = 10n ** 36n
  // Half a token and one part of 10^20: Axelarscan may tell 8 or 18 decimals for it.
  for (const sourceDecimals of [8, 18]) {
    const hop = { baseFee: one / 4n + 1n, gasPrice: 0n, multiplier: one, sourceUsd: one, sourceDecimals }
    const fees = createGasFees({
      axelarscan: {
        hopFees: async () => hop,
        transferFee: async (from) => {
          assert.equal(from, 'other')
          return 7n
        },
      },
      chains: [
        { name: 'hedera', executeGasLimit: 1, nativeDecimals: 8 },
        { name: 'other', executeGasLimit: 1 },
      ],
      hubChain: 'axelar',
      marginBps: 10_000,
      now: () => 0,
      log: () => undefined,
    })
    assert.equal(await fees.transferFee('hedera', 'other'), 50_000_001n)
    assert.equal(fees.knownFee('hedera', 'other'), 50_000_001n)
    assert.equal(await fees.transferFee('other', 'hedera'), 7n)
  }
})

test('a computed fee has what the destination charges beside gas, and is none where its price is unknown', async () => {
  const usd = 10n ** 36n
  const hop = { baseFee: 0n, gasPrice: 0n, multiplier: usd, sourceUsd: usd, sourceDecimals: 18 }
  const destination = { usd: 2n * usd, decimals: 18 }
  const fees = createGasFees({
    axelarscan: {
      hopFees: async (_, to) => (to === 'priceless' ? hop : { ...hop, destination }),
      transferFee: async () => {
        throw new AxelarError('NO_FEES', 'no estimate')
      },
    },
    chains: [
      { name: 'source', executeGasLimit: 1 },
      { name: 'rollup', executeGasLimit: 2_000_000, charge: () => ({ once: 300n, perMillionGas: 100n }) },
      { name: 'priceless', executeGasLimit: 1, charge: () => ({ once: 500n, perMillionGas: 0n }) },
    ],
    hubChain: 'axelar',
    marginBps: 12_000,
    now: () => 0,
    log: () => undefined,
  })
  assert.equal(await fees.transferFee('source', 'rollup'), 1_200n)
  assert.equal(await fees.transferFee('rollup', 'source'), 0n)
  assert.equal(await fees.transferFee('source', 'priceless'), undefined)
})

test('one client that asks for every pair has Axelarscan asked for a bounded number of estimates, and others keep quotes', async () => {
  let time = 0
  let estimates = 0
  const hop = { baseFee: 10n ** 18n, gasPrice: 0n, multiplier: 10n ** 36n, sourceUsd: 1n, sourceDecimals: 18 }
  const names = Array.from({ length: 26 }, (_, index) => `chain-${index}`)
  const fees = createGasFees({
    axelarscan: {
      hopFees: async () => hop,
      transferFee: async () => {
        estimates += 1
        return 7n
      },
    },
    chains: names.map((name) => ({ name, executeGasLimit: 1 })),
    hubChain: 'axelar',
    marginBps: 10_000,
    now: () => time,
    log: () => undefined,
  })
  const askForAll = () => Promise.all(names.flatMap((from) => names.map((to) => fees.transferFee(from, to))))
  for (let round = 0; round < 10; round += 1) {
    const told = await askForAll()
    assert.ok(
      told.every((fee) => fee === 7n || fee === 2n),
      told.join(),
    )
    time += 90_000
  }
  assert.ok(estimates <= 10 * 120, `${estimates}`)
})

test('relay times are the sum of both hops, rounded up, and unknown when one was not measured', async () => {
  const times = createRelayTimes({
    axelarscan: {
      hopSeconds: async (from, to) => {
        if (to === 'b') return undefined
        return from === 'a' ? 2.25 : 0.5
      },
    },
    hubChain: 'axelar',
    now: () => 0,
    log: () => undefined,
  })
  assert.equal(times.seconds('a', 'c'), undefined)
  await times.start()
  await until(() => times.seconds('a', 'c') === 3)
  assert.equal(times.seconds('a', 'b'), undefined)
  await times.stop()
})
