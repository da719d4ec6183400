import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  HopFeesRecord,
  HUB_GAS_LIMIT,
  messageGasFee,
  toHopFees,
  transferGasFee,
  withRollupCharge,
} from './gas-fee.ts'

const record = (changes: Record<string, unknown> = {}, token: Record<string, unknown> = {}) => ({
  base_fee: 0.001,
  source_base_fee: 0.001,
  source_base_fee_string: '0.001',
  destination_base_fee: 0.00514232878886753,
  execute_gas_multiplier: 1.1,
  source_token: {
    contract_address: '0x0000000000000000000000000000000000000000',
    symbol: 'ETH',
    name: 'Ether',
    decimals: 18,
    token_price: { usd: 2000 },
    gas_price: '0.000000001',
    ...token,
  },
  ...changes,
})

const hop = (changes: Record<string, unknown> = {}, token: Record<string, unknown> = {}) => {
  const fees = toHopFees(HopFeesRecord.parse(record(changes, token)))
  assert.ok(fees)
  return fees
}

test("a message costs its hop's base fee and multiplied gas, with the margin, rounded up", () => {
  // 0.001 ETH + 500,000 x 1.1 x 1 gwei
  assert.equal(messageGasFee(hop(), 500_000n, 10_000), 1_550_000_000_000_000n)
  assert.equal(messageGasFee(hop(), 500_000n, 12_000), 1_860_000_000_000_000n)
  assert.equal(messageGasFee(hop({}, { gas_price: '0.0000000000000000001' }), 1n, 10_000), 10n ** 15n + 1n)
})

test('a transfer costs base fee and gas of both hops, the second at the prices of both tokens', () => {
  const toHub = hop({ execute_gas_multiplier: 1 })
  const fromHub = hop(
    { source_base_fee_string: '0.5', execute_gas_multiplier: 1 },
    { decimals: 6, token_price: { usd: 0.5 }, gas_price: '0.00001' },
  )
  const first = 10n ** 15n + HUB_GAS_LIMIT * 10n ** 9n
  // 0.5 AXL + 700,000 x 0.00001 AXL = 7.5 AXL = 3.75 USD = 0.001875 ETH
  assert.equal(transferGasFee({ toHub, fromHub }, 700_000n, 10_000), first + 1_875_000_000_000_000n)
})

test('executors that ask for nothing, or are not there, are none', () => {
  const ofExecutors = (express_supported: boolean, total: unknown) =>
    hop({ express_supported, source_express_fee: { total } }).expressFee
  assert.equal(ofExecutors(true, '0.5'), 5n * 10n ** 35n)
  assert.equal(ofExecutors(true, 0), undefined)
  assert.equal(ofExecutors(true, null), undefined)
  assert.equal(ofExecutors(false, '0.5'), undefined)
})

test('the fee of executors is read by its text, by its number, and by the sum of the source', () => {
  const total = { express_supported: true, source_express_fee: { total: 3 } }
  assert.equal(hop({ ...total, express_fee: 2, express_fee_string: '1' }).expressFee, 10n ** 36n)
  assert.equal(hop({ ...total, express_fee: 2 }).expressFee, 2n * 10n ** 36n)
  assert.equal(hop(total).expressFee, 3n * 10n ** 36n)
})

test('parses the recorded answer of getFees', () => {
  const fees = hop(
    {
      source_base_fee_string: '0.418869692086198',
      execute_gas_multiplier: undefined,
    },
    { symbol: 'AVAX', token_price: { usd: 20.56 }, gas_price: '0.000001893353954513' },
  )
  assert.equal(fees.baseFee, 418_869_692_086_198n * 10n ** 21n)
  assert.equal(fees.multiplier, 10n ** 36n)
  assert.equal(fees.sourceUsd, 2056n * 10n ** 34n)
})

/** The destination of getFees' answers for rollups, with every member that was recorded or published. */
const rollup = (usd: number | null, decimals = 18) => ({
  l2_type: 'op',
  destination_native_token: {
    contract_address: '0x0000000000000000000000000000000000000000',
    symbol: 'ETH',
    name: 'Base',
    decimals,
    gas_price: '0.000000001',
    gas_price_gwei: '1',
    gas_price_in_units: { value: '1000000000', decimals: 18 },
    l1_gas_oracle_address: '0x420000000000000000000000000000000000000F',
    l1_gas_price_in_units: { value: '20000000000', decimals: 18 },
    operator_fee_scalar: '0',
    operator_fee_constant: '0',
    token_price: { usd },
  },
})

const once = (wei: bigint) => ({ once: wei, perMillionGas: 0n })

test("a rollup's charge for an execution is in the fee, multiplied as its gas, in the source's token", () => {
  const avax = { symbol: 'AVAX', token_price: { usd: 20 } }
  const bare = hop(rollup(2000), avax)
  // 0.0001 ETH = 0.01 AVAX at 2000 and 20 USD, times 1.1.
  const whole = withRollupCharge(bare, once(10n ** 14n))
  assert.ok(whole)
  const beside = messageGasFee(whole, 500_000n, 10_000) - messageGasFee(bare, 500_000n, 10_000)
  assert.equal(beside, 11n * 10n ** 15n)
  assert.equal(withRollupCharge(bare, once(0n)), bare)
  const eighth = withRollupCharge(hop(rollup(2000, 8), avax), once(10n ** 4n))
  assert.ok(eighth)
  assert.equal(messageGasFee(eighth, 500_000n, 10_000), messageGasFee(whole, 500_000n, 10_000))
  // The same for half a million of gas when a million costs as much in addition.
  const operated = withRollupCharge(bare, { once: 10n ** 14n, perMillionGas: 2n * 10n ** 14n })
  assert.ok(operated)
  const both = messageGasFee(operated, 500_000n, 10_000) - messageGasFee(bare, 500_000n, 10_000)
  assert.equal(both, 22n * 10n ** 15n)
  for (const priceless of [
    hop({}, avax),
    hop(rollup(null), avax),
    hop(rollup(2000), { token_price: null }),
  ]) {
    assert.equal(withRollupCharge(priceless, once(1n)), undefined)
    assert.equal(withRollupCharge(priceless, { once: 0n, perMillionGas: 1n }), undefined)
    assert.equal(withRollupCharge(priceless, once(0n)), priceless)
  }
})

for (const kind of ['op', 'arb', 'mantle'])
  test(`parses the fields of getFees for a rollup of type ${kind}`, () => {
    const { destination } = hop({ ...rollup(3000), l2_type: kind })
    assert.deepEqual(destination, { usd: 3000n * 10n ** 36n, decimals: 18 })
  })

test('a transfer without both prices has no fee, and a hop without numbers no fees', () => {
  const priced = hop()
  const unpriced = hop({}, { token_price: null })
  assert.equal(transferGasFee({ toHub: unpriced, fromHub: priced }, 1n, 12_000), undefined)
  assert.equal(transferGasFee({ toHub: priced, fromHub: unpriced }, 1n, 12_000), undefined)
  assert.equal(hop({}, { token_price: { usd: 0 } }).sourceUsd, undefined)
  assert.equal(toHopFees(HopFeesRecord.parse(record({}, { gas_price: 'n/a' }))), undefined)
  assert.equal(
    toHopFees(HopFeesRecord.parse(record({ source_base_fee_string: null, base_fee: null }))),
    undefined,
  )
})

test('the fee is at least the exact one, and at most one base unit above it', () => {
  const price = fc.integer({ min: 1, max: 1_000_000 })
  const fraction = fc.integer({ min: 0, max: 10 ** 9 - 1 })
  fc.assert(
    fc.property(
      price,
      price,
      fraction,
      fraction,
      fc.integer({ min: 10_000, max: 30_000 }),
      (sourceCents, hubCents, baseNano, gasPico, marginBps) => {
        const usd = (cents: number) => ({ token_price: { usd: cents / 100 } })
        const baseFee = `0.${String(baseNano).padStart(9, '0')}`
        const gasPrice = `0.000${String(gasPico).padStart(9, '0')}`
        const hops = {
          toHub: hop(
            { source_base_fee_string: baseFee, execute_gas_multiplier: 1 },
            { ...usd(sourceCents), gas_price: gasPrice },
          ),
          fromHub: hop(
            { source_base_fee_string: baseFee, execute_gas_multiplier: 1 },
            { ...usd(hubCents), gas_price: gasPrice },
          ),
        }
        const fee = transferGasFee(hops, 500_000n, marginBps)
        assert.ok(fee !== undefined)
        const cost = (gasLimit: bigint): bigint => BigInt(baseNano) * 1000n + BigInt(gasPico) * gasLimit
        // Exact in units of 10^-12 of the source token: first + second * hub / source, times the margin.
        const numerator =
          (cost(HUB_GAS_LIMIT) * BigInt(sourceCents) + cost(500_000n) * BigInt(hubCents)) *
          BigInt(marginBps) *
          10n ** 6n
        const denominator = BigInt(sourceCents) * 10_000n
        assert.ok(fee * denominator >= numerator)
        assert.ok((fee - 2n) * denominator < numerator)
      },
    ),
  )
})

test('fees, prices and multipliers that cannot be are unknown, so that no sum of them overflows an amount', () => {
  for (const huge of ['1e90', 1e300, '9'.repeat(78), '10000001'])
    for (const fees of [
      record({ source_base_fee_string: `${huge}` }),
      record({ execute_gas_multiplier: huge }),
      record({}, { gas_price: huge }),
    ])
      assert.equal(toHopFees(HopFeesRecord.parse(fees)), undefined)
  for (const usd of ['1e90', '1e-30', 0, 1e-9])
    assert.equal(hop({}, { token_price: { usd } }).sourceUsd, undefined)
  const most = { source_base_fee_string: '9999999', execute_gas_multiplier: 1000 }
  const [dear, cheap] = ['9999999', '0.0000002'].map((usd) =>
    hop(most, { gas_price: '9999999', decimals: 24, token_price: { usd } }),
  )
  assert.ok(dear !== undefined && cheap !== undefined)
  assert.ok((transferGasFee({ toHub: cheap, fromHub: dear }, 10n ** 9n, 20_000) ?? 0n) > 0n)
})

test('a relay that would cost nothing has no known fee: nothing is relayed without a payment', () => {
  const free = record({ source_base_fee_string: '0' }, { gas_price: 0 })
  assert.equal(toHopFees(HopFeesRecord.parse(free)), undefined)
  assert.equal(hop({ source_base_fee_string: '0' }).baseFee, 0n)
})
