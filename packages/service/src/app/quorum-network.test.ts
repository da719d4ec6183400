import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Network } from '../core/network.ts'
import { withoutIntentsByOneEndpoint } from './quorum-network.ts'

const chainOf = (position: number, settings: object) => ({
  chainId: `eip155:${position}`,
  chainLabel: 'Chain',
  chainType: 'evm',
  nativeToken: { symbol: 'ETH', decimals: 18 },
  finality: 1,
  intent: { settler: `0x${'1'.repeat(40)}` },
  attested: { settler: `0x${'2'.repeat(40)}`, finalitySeconds: 1 },
  ...settings,
})

test('a chain with one endpoint that is not trusted keeps everything but its intents, and is named', () => {
  const network = Network.parse({
    chains: [
      chainOf(1, { rpcUrls: ['https://one.example'] }),
      chainOf(2, { rpcUrls: ['https://one.example'], trustSingleEndpoint: true }),
      chainOf(3, { rpcUrls: ['https://one.example', 'https://two.example'] }),
    ],
    tokens: [],
  })
  const named: unknown[] = []
  const { chains } = withoutIntentsByOneEndpoint(network, (_level, event, fields) =>
    named.push([event, fields]),
  )
  assert.deepEqual(
    chains.map(({ intent, attested, rpcUrls }) => [
      intent !== undefined,
      attested !== undefined,
      rpcUrls.length,
    ]),
    [
      [false, false, 1],
      [true, true, 1],
      [true, true, 2],
    ],
  )
  assert.deepEqual(named, [['chain_without_intents', { chainId: 'eip155:1', endpoints: 1 }]])
})
