import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChainType } from '@openrfq/sdk'
import type { Catalogue } from './catalogue.ts'
import { type DemoBackend, demoPairs, listedBackends } from './demo-pairs.ts'
import { paidScenes, refundScenes, type Scene } from './demo-scenes.ts'

const INTENT: DemoBackend = {
  type: 'intent',
  demo: { assets: 'same', crossesFamilies: true, refunds: true },
}
const EXPRESS: DemoBackend = {
  type: 'gateway-express',
  demo: { assets: 'other', crossesFamilies: false, refunds: false },
}

const chain = (chainId: string, chainType: ChainType, symbol: string): Catalogue['chains'][number] => ({
  chainId,
  chainLabel: chainId,
  chainType,
  nativeToken: { symbol, decimals: 9 },
})

const token = (chainId: string, symbol: string): Catalogue['tokens'][number] => ({
  chainId,
  address: `${chainId} ${symbol}`,
  symbol,
  name: symbol,
  decimals: 6,
  verified: true,
  backends: ['intent'],
})

const CHAINS = [
  chain('eip155:1', 'evm', 'ETH'),
  chain('eip155:2', 'evm', 'ETH'),
  chain('solana:a', 'solana', 'SOL'),
  chain('stellar:b', 'stellar', 'XLM'),
]
const TOKENS = [
  ...['ETH', 'HBR', 'axlUSDC'].map((symbol) => token('eip155:1', symbol)),
  ...['ETH', 'HBR', 'USDC'].map((symbol) => token('eip155:2', symbol)),
  ...['SOL', 'USDC'].map((symbol) => token('solana:a', symbol)),
  ...['XLM', 'USDC', 'EURC'].map((symbol) => token('stellar:b', symbol)),
]
const WHOLE: Catalogue = { chains: CHAINS, tokens: TOKENS }
const EVM_ONLY: Catalogue = {
  chains: CHAINS,
  tokens: TOKENS.filter(({ chainId }) => chainId.startsWith('eip155')),
}

const pairsOf = (scenes: readonly Scene[]): readonly string[] =>
  scenes.map(({ families: { from, to } }) => `${from} ${to}`)

test('the demo moves one asset between families, and no token that pays for gas', () => {
  const between = (from: ChainType, to: ChainType) =>
    demoPairs(WHOLE, INTENT, { from, to }).map((pair) => [pair.from.address, pair.to.address].join(' → '))
  assert.deepEqual(between('evm', 'solana'), [
    'eip155:1 axlUSDC → solana:a USDC',
    'eip155:2 USDC → solana:a USDC',
  ])
  assert.deepEqual(between('solana', 'stellar'), ['solana:a USDC → stellar:b USDC'])
  assert.deepEqual(between('evm', 'evm'), ['eip155:1 HBR → eip155:2 HBR', 'eip155:2 HBR → eip155:1 HBR'])
})

test('a backend that swaps is shown with two assets, an unknown one with one', () => {
  const withExpress: Catalogue = {
    chains: CHAINS,
    tokens: EVM_ONLY.tokens.map((listed) => ({ ...listed, backends: ['gateway-express'] })),
  }
  const pairs = (backend: DemoBackend) =>
    demoPairs(withExpress, backend, { from: 'evm', to: 'evm' }).map(
      ({ from, to }) => `${from.symbol} ${to.symbol}`,
    )
  assert.deepEqual(pairs(EXPRESS), ['HBR USDC', 'axlUSDC HBR', 'HBR axlUSDC', 'USDC HBR'])
  const [unknown] = listedBackends(withExpress, [INTENT])
  assert.ok(unknown)
  assert.deepEqual(pairs(unknown), ['HBR HBR', 'HBR HBR'])
  assert.deepEqual(listedBackends(withExpress, [INTENT, EXPRESS]), [EXPRESS])
})

test('the demo covers the listed families in a round, or all seven pairs of them', () => {
  const paid = (catalogue: Catalogue, allPairs: boolean) =>
    pairsOf(paidScenes(catalogue, [INTENT], { refund: 'none', allPairs }))
  assert.deepEqual(paid(EVM_ONLY, false), ['evm evm'])
  assert.deepEqual(paid(WHOLE, false), ['evm evm', 'evm solana', 'solana stellar', 'stellar evm'])
  for (const catalogue of [WHOLE, EVM_ONLY])
    assert.deepEqual(paid(catalogue, true).toSorted(), [
      'evm evm',
      'evm solana',
      'evm stellar',
      'solana evm',
      'solana stellar',
      'stellar evm',
      'stellar solana',
    ])
  const elsewhere = paidScenes(WHOLE, [EXPRESS, EXPRESS], { refund: 'none', allPairs: true })
  assert.deepEqual(pairsOf(elsewhere), ['evm evm', 'evm evm'])
})

test('refunds of deposits on Solana and Stellar are shown with paused solvers', () => {
  const refunds = (refund: 'declining' | 'paused' | 'none') =>
    pairsOf(refundScenes(WHOLE, [EXPRESS, INTENT], { refund, allPairs: false }))
  assert.deepEqual(refunds('none'), [])
  assert.deepEqual(refunds('declining'), ['evm evm'])
  assert.deepEqual(refunds('paused'), ['evm evm', 'solana evm', 'stellar evm'])
})
