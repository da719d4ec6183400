import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAxelarApi } from '../../../test/axelar-api.ts'
import { NetworkChain } from '../../core/network.ts'
import { usdPrice } from '../../pricing/usd.ts'
import { AxelarError } from './axelar-error.ts'
import { createAxelarscan } from './gmp.ts'
import { nativePriceFeed } from './native-prices.ts'

const chainOf = (reference: number, name: string): NetworkChain =>
  NetworkChain.parse({
    ...{ chainId: `eip155:${reference}`, chainLabel: name, chainType: 'evm', finality: 1 },
    nativeToken: { symbol: 'ETH', decimals: 18 },
    rpcUrls: ['http://127.0.0.1:1'],
    axelar: {
      ...{ name, finalitySeconds: 1, executeGasLimit: 1 },
      gateway: `0x${'1'.repeat(40)}`,
      gasService: `0x${'2'.repeat(40)}`,
    },
  })

test('Axelarscan prices native assets by its fees, from when they were read; a chain without fees has no price', async () => {
  const api = await startAxelarApi()
  try {
    let now = 0
    const axelarscan = createAxelarscan({ urls: api.url, now: () => now, log: () => undefined })
    const chains = ['Ethereum', 'base', 'Fantom', 'linea'].map((name, position) =>
      chainOf(position + 1, name),
    )
    const feed = nativePriceFeed({ axelarscan, chains, maxAgeSeconds: 900, now: () => 5_000 })
    const reading = { price: usdPrice('1674.72'), at: 5_000, until: 905_000 }
    const of = (reference: number) => ({
      token: { chainId: `eip155:${reference}`, address: `0x${'0'.repeat(40)}` },
      reading,
    })
    assert.deepEqual(await feed.read(), [of(1), of(2), of(3), of(4)])
    now += 60_000
    api.unserved.add('Fantom')
    // Each fee needs two chains: base is asked for with Fantom.
    assert.deepEqual(
      (await feed.read()).map(({ token }) => token.chainId),
      ['eip155:1', 'eip155:4'],
    )
    api.unserved.clear()
    api.isDead = true
    now += 60_000
    await assert.rejects(feed.read(), AxelarError)
  } finally {
    api.stop()
  }
})
