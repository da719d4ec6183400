import assert from 'node:assert/strict'
import { test } from 'node:test'
import { valueScaleOf as knownScaleOf } from '@openrfq/sdk'
import fc from 'fast-check'
import { feesFromGasPrice, gasFee } from '../chains/evm/gas.ts'
import { NetworkChain } from './network.ts'
import { sentValueOf, unitsHeld, unitsPaid, valueScaleOf } from './value-scale.ts'

const HEDERA = {
  chainId: 'eip155:295',
  chainLabel: 'Hedera',
  chainType: 'evm',
  nativeToken: { symbol: 'HBAR', decimals: 8, valueDecimals: 18 },
  rpcUrls: ['https://hedera.example'],
  finality: 'finalized',
  gasScale: 16,
  tokenStandard: 'hts',
} as const
const address = `0x${'1'.repeat(40)}`
const AXELAR = {
  name: 'hedera',
  gateway: address,
  gasService: address,
  finalitySeconds: 1,
  executeGasLimit: 1,
} as const

const decimals = fc.integer({ min: 0, max: 18 })
const amount = fc.bigInt({ min: 0n, max: 10n ** 30n })
const chainOf = (low: number, more: number) => ({
  nativeToken: { symbol: 'HBAR', decimals: low, valueDecimals: low + more },
})

test('base units survive both ways, what is paid is rounded up and what is held down', () => {
  fc.assert(
    fc.property(decimals, decimals, amount, (low, more, units) => {
      const chain = chainOf(low, more)
      assert.equal(unitsPaid(chain, sentValueOf(chain, units)), units)
      assert.equal(unitsHeld(chain, sentValueOf(chain, units)), units)
      const [paid, held] = [unitsPaid(chain, units), unitsHeld(chain, units)]
      assert.ok(sentValueOf(chain, paid) >= units && sentValueOf(chain, held) <= units)
      assert.ok(paid - held <= 1n)
    }),
  )
})

test('a chain whose scales are one counts as before', () => {
  fc.assert(
    fc.property(decimals, amount, (low, units) => {
      const chain = { nativeToken: { symbol: 'ETH', decimals: low } }
      assert.deepEqual(
        [sentValueOf(chain, units), unitsPaid(chain, units), unitsHeld(chain, units)],
        [units, units, units],
      )
    }),
  )
})

test('the cost of gas is told in base units, rounded up', () => {
  const head = {
    ...feesFromGasPrice(10n ** 10n + 1n),
    ...{ number: 1n, hash: '0x', timestampSeconds: 0, finalNumber: 0n, readAt: 0, gasScale: 16n },
  }
  const step = {
    id: 'a',
    label: 'a',
    type: 'transaction',
    chain: HEDERA.chainId,
    from: '0x',
    to: '0x',
    data: '0x',
  } as const
  const gas = { usual: 1_000n, limit: 2_000n }
  const { amount: cost, decimals: of } = gasFee(NetworkChain.parse(HEDERA), [
    { ...step, value: 0n, gas, head },
  ])
  assert.deepEqual([cost, of], [16_001n, 8])
})

test('a network file tells of Hedera what the guards of the SDK know', () => {
  const issuesOf = (changes: object): readonly string[] =>
    NetworkChain.safeParse({ ...HEDERA, axelar: AXELAR, ...changes }).error?.issues.map(({ path }) =>
      path.join('.'),
    ) ?? []
  assert.deepEqual(issuesOf({}), [])
  assert.equal(valueScaleOf(HEDERA), knownScaleOf(HEDERA.chainId))
  const native = (valueDecimals?: number) => ({ nativeToken: { symbol: 'HBAR', decimals: 8, valueDecimals } })
  assert.deepEqual(issuesOf(native()), ['nativeToken.valueDecimals'])
  assert.deepEqual(issuesOf(native(12)), ['nativeToken.valueDecimals'])
  assert.ok(issuesOf(native(7)).includes('nativeToken.valueDecimals'))
  assert.deepEqual(issuesOf({ gasScale: undefined }), ['gasScale'])
  assert.deepEqual(issuesOf({ intent: { settler: address } }), ['intent'])
  // A file of before, which does not serve it, is read as before.
  assert.deepEqual(
    issuesOf({ ...native(), axelar: undefined, gasScale: undefined, tokenStandard: undefined }),
    [],
  )
})
