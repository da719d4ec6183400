import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UsdPrice } from '../../pricing/price-source.ts'
import type { SolverAsset } from './assets.ts'
import { pairsOf } from './pairs.ts'

const EVM = ['eip155:1', 'eip155:2', 'eip155:3']
const SOLANA = 'solana:ledger'
const STELLAR = 'stellar:ledger'
const NATIVE = new Set(['ETH', 'SOL', 'XLM'])

const PRICES: Readonly<Record<string, bigint>> = {
  USDC: 1n,
  DAI: 1n,
  ETH: 2_000n,
  EURC: 2n,
  WBTC: 9n,
  SOL: 150n,
  XLM: 3n,
}

const asset = (chainId: string, symbol: string): SolverAsset => ({
  key: `${chainId} ${symbol}`,
  chainId,
  address: symbol,
  symbol,
  isNative: NATIVE.has(symbol),
  isOnPaymentChain: !chainId.startsWith('eip155:'),
  // CAST: only compared.
  price: { decimals: 6, usdPrice: (PRICES[symbol] ?? BigInt(symbol.length + 70)) as UsdPrice },
})
const ASSETS = [
  ...['SOL', 'USDC', 'T22'].map((symbol) => asset(SOLANA, symbol)),
  ...['XLM', 'USDC', 'EURC'].map((symbol) => asset(STELLAR, symbol)),
  ...EVM.flatMap((chain) => ['ETH', 'USDC', 'WBTC', 'DAI', 'LINK'].map((symbol) => asset(chain, symbol))),
]
const EVERYWHERE = new Set([...EVM, SOLANA, STELLAR])

const named = (pairs: ReturnType<typeof pairsOf>): readonly string[] =>
  pairs.map(({ from, to }) => `${from.key} > ${to.key}`)

test('quotes all assets of different EVM chains, and first', () => {
  const pairs = pairsOf(ASSETS, EVERYWHERE)
  const intents = pairs.findIndex(({ settler }) => settler === 'attested')
  assert.equal(intents, 6 * 25)
  assert.ok(pairs.slice(intents).every(({ from, to }) => from.isOnPaymentChain || to.isOnPaymentChain))
})

test('with a payment chain, quotes only likely pairs, in both directions', () => {
  const pairs = pairsOf(ASSETS, EVERYWHERE)
  const all = new Set(named(pairs))
  assert.equal(all.size, pairs.length)
  for (const one of [
    'eip155:1 USDC > solana:ledger USDC',
    'eip155:1 ETH > solana:ledger SOL',
    'eip155:2 ETH > stellar:ledger EURC',
    'eip155:2 USDC > stellar:ledger XLM',
    'eip155:3 DAI > stellar:ledger USDC',
    'solana:ledger SOL > eip155:3 DAI',
    'solana:ledger SOL > stellar:ledger USDC',
    'solana:ledger T22 > stellar:ledger XLM',
    'solana:ledger USDC > stellar:ledger USDC',
  ]) {
    assert.ok(all.has(one), one)
    assert.ok(all.has(one.split(' > ').reverse().join(' > ')), one)
  }
  for (const one of ['eip155:1 WBTC > solana:ledger SOL', 'solana:ledger T22 > stellar:ledger EURC'])
    assert.ok(!all.has(one), one)
  assert.equal(pairs.length, 6 * 25 + 96)
})

test('does not quote a chain without attested orders to a payment chain', () => {
  const pairs = pairsOf(ASSETS, new Set(['eip155:1', STELLAR]))
  const touched = new Set(
    pairs
      .filter(({ settler }) => settler === 'attested')
      .flatMap(({ from, to }) => [from.chainId, to.chainId]),
  )
  assert.deepEqual(touched, new Set(['eip155:1', STELLAR]))
})
