import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserNodes } from './browser-node.ts'
import { Network } from './network.ts'

const NATIVE = { symbol: 'N', decimals: 9 }
const SECRET = 'https://rpc.example/with-a-secret'
const chainOf = (chainId: string, chainType: string, members: object) => ({
  ...{ chainId, chainType, chainLabel: chainId, nativeToken: NATIVE, finality: 0 },
  ...{ rpcUrls: [SECRET], rpcHeaders: { [SECRET]: { 'x-api-key': 'a secret' } } },
  ...members,
})
const networkOf = (...chains: readonly object[]) => ({
  name: 'test',
  chains,
  tokens: [
    {
      ...{ chainId: 'stellar:x', address: 'CA', symbol: 'USDC', name: 'USDC', decimals: 7, verified: true },
      stellar: { code: 'USDC', issuer: 'G' },
      usdPrice: '1',
    },
  ],
})
const SOLANA = { browserRpcUrl: 'https://browser.example/solana' }
const STELLAR = { browserRpcUrl: 'https://browser.example/stellar', passphrase: 'a network' }

test('tells browsers the nodes that are named for them, and nothing else of the network file', () => {
  const network = Network.parse(
    networkOf(
      chainOf('eip155:1', 'evm', {}),
      chainOf('solana:x', 'solana', SOLANA),
      chainOf('solana:y', 'solana', { ...SOLANA, browserSubscriptionsUrl: 'wss://browser.example/socket' }),
      chainOf('solana:z', 'solana', {}),
      chainOf('stellar:x', 'stellar', STELLAR),
    ),
  )
  const rpcUrl = SOLANA.browserRpcUrl
  assert.deepEqual(browserNodes(network), [
    { chainId: 'solana:x', rpcUrl, assets: [] },
    { chainId: 'solana:y', rpcUrl, subscriptionsUrl: 'wss://browser.example/socket', assets: [] },
    {
      chainId: 'stellar:x',
      rpcUrl: STELLAR.browserRpcUrl,
      passphrase: 'a network',
      assets: [{ code: 'USDC', issuer: 'G' }],
    },
  ])
  assert.doesNotMatch(JSON.stringify(browserNodes(network)), /secret/)
})

for (const [name, family, members] of [
  ['plain http of another machine', 'solana', { browserRpcUrl: 'http://browser.example' }],
  ['a scheme of its own', 'stellar', { browserRpcUrl: 'file:///etc/passwd' }],
  ['a user name and password', 'solana', { browserRpcUrl: 'https://user:secret@browser.example' }],
  ['every host', 'solana', { browserRpcUrl: 'https://*' }],
  ['a host with a directive', 'solana', { browserRpcUrl: 'https://a.example;script-src' }],
  ['text', 'stellar', { browserRpcUrl: 'browser.example' }],
  ['a URL that the service calls with headers', 'solana', { browserRpcUrl: SECRET }],
  ['the same URL in other letters', 'solana', { browserRpcUrl: 'HTTPS://RPC.example:443/with-a-secret' }],
  ['a node of an EVM chain', 'evm', { browserRpcUrl: 'https://browser.example' }],
  ['a WebSocket alone', 'solana', { browserSubscriptionsUrl: 'wss://browser.example' }],
  ['an open WebSocket', 'solana', { ...SOLANA, browserSubscriptionsUrl: 'ws://browser.example' }],
  ['a WebSocket by http', 'solana', { ...SOLANA, browserSubscriptionsUrl: 'https://browser.example' }],
  [
    'a password for a WebSocket',
    'solana',
    { ...SOLANA, browserSubscriptionsUrl: 'wss://a:b@browser.example' },
  ],
  ['a WebSocket on Stellar', 'stellar', { ...STELLAR, browserSubscriptionsUrl: 'wss://browser.example' }],
] as const)
  test(`refuses ${name} as a node for browsers`, () => {
    const { success, error } = Network.safeParse(networkOf(chainOf(`${family}:x`, family, members)))
    assert.equal(success, false)
    assert.match(JSON.stringify(error?.issues), /browser(Rpc|Subscriptions)Url/)
  })
