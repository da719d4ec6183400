import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testItsQuote } from '../../test/test-quotes.ts'
import { baseUnits } from '../core/amount.ts'
import { NetworkChain, NetworkToken } from '../core/network.ts'
import { usdPrice } from '../pricing/usd.ts'
import { deliveryConfirmations } from './delivery-finality.ts'

const TOKEN = NetworkToken.parse({
  ...{
    chainId: 'eip155:2',
    address: `0x${'2'.repeat(40)}`,
    symbol: 'T',
    name: 'T',
    decimals: 6,
    verified: true,
  },
})
const chainOf = (deliveryFinality: unknown, chainType = 'evm') => ({
  ...{ chainId: 'eip155:2', chainLabel: '2', chainType, finality: 64, rpcUrls: ['http://127.0.0.1:1'] },
  ...{ nativeToken: { symbol: 'ETH', decimals: 18 }, deliveryFinality },
})

/** The blocks for an output of so many base units. */
const blocksFor = (
  deliveryFinality: unknown,
  output: bigint,
  price: string | undefined,
): number | undefined => {
  const chain = NetworkChain.parse(chainOf(deliveryFinality))
  const prices = () => (price === undefined ? undefined : usdPrice(price))
  const quote = {
    ...testItsQuote(32n),
    toChain: 'eip155:2',
    toToken: TOKEN.address,
    output: baseUnits(output),
  }
  return deliveryConfirmations({ chain: () => chain, token: () => TOKEN }, prices)(quote)
}

test('deliveryFinality counts by what the delivery is worth, to the base unit', () => {
  const steps = [
    { upToUsd: '100', confirmations: 1 },
    { upToUsd: '5000', confirmations: 10 },
  ]
  assert.equal(blocksFor(steps, 50_000_000n, '2'), 1)
  assert.equal(blocksFor(steps, 50_000_001n, '2'), 10)
  assert.equal(blocksFor(steps, 2_500_000_001n, '2'), undefined)
})

test('a delivery without a price counts by an entry without a bound alone, and without one when it is final', () => {
  const bounded = [{ upToUsd: '100', confirmations: 1 }]
  assert.equal(blocksFor(bounded, 1n, undefined), undefined)
  assert.equal(blocksFor([...bounded, { confirmations: 5 }], 1n, undefined), 5)
  assert.equal(blocksFor(undefined, 1n, '1'), undefined)
})

test('deliveryFinality is refused on chains that are not EVM chains', () => {
  const solana = {
    ...chainOf([{ confirmations: 1 }], 'solana'),
    chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  }
  assert.equal(NetworkChain.safeParse(solana).success, false)
})
