import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Network } from '../core/network.ts'
import { createCatalog } from './catalog.ts'
import { solanaAddressRules } from './solana/address.ts'
import { stellarRulesOf } from './stellar/address.ts'

const ZERO = `0x${'0'.repeat(40)}`
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const OTHER = `0x${'2'.repeat(40)}`
const TOKEN_ID = `0x${'7'.repeat(64)}`
const OTHER_ID = `0x${'8'.repeat(64)}`
const PRECOMPILE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

const axelar = (name: string) => ({
  name,
  gateway: USDC.toLowerCase(),
  gasService: OTHER,
  its: `0x${'4'.repeat(40)}`,
  finalitySeconds: 1,
  executeGasLimit: 1,
})
const evmChain = (reference: number, more: object = {}) => ({
  chainId: `eip155:${reference}`,
  chainLabel: `Chain ${reference}`,
  chainType: 'evm',
  nativeToken: { symbol: 'ETH', decimals: 18 },
  rpcUrls: ['http://127.0.0.1:1'],
  finality: 1,
  axelar: axelar(`Name${reference}`),
  ...more,
})
const token = (more: object = {}) => ({
  chainId: 'eip155:1',
  address: USDC,
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
  verified: true,
  ...more,
})
const native = (more: object = {}) => token({ address: ZERO, symbol: 'ETH', decimals: 18, ...more })
const hub = {
  scanUrl: 'http://127.0.0.1:1',
  lcdUrl: 'http://127.0.0.1:1',
  hubAddress: 'axelar1hub',
}

const build = (chains: readonly object[], tokens: readonly object[]) =>
  createCatalog(Network.parse({ chains, tokens, axelar: hub }))

test('refuses a chain whose blocks are final under more others than a process keeps', () => {
  const parse = (finality: number) => Network.safeParse({ chains: [evmChain(1, { finality })], tokens: [] })
  assert.deepEqual(
    [30_000, 30_001].map((finality) => parse(finality).success),
    [true, false],
  )
})

test('finds chains and tokens by their canonical identifiers', () => {
  const chains = [
    evmChain(1),
    evmChain(2, { axelar: undefined }),
    evmChain(3, {
      chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      chainType: 'solana',
      axelar: undefined,
      nativeToken: { symbol: 'SOL', decimals: 9 },
    }),
    evmChain(4, {
      chainId: 'stellar:pubnet',
      chainType: 'stellar',
      axelar: undefined,
      nativeToken: { symbol: 'XLM', decimals: 7 },
    }),
  ]
  const catalog = build(chains, [
    token({
      address: USDC.toLowerCase(),
      its: { tokenId: TOKEN_ID },
      gateway: { denom: 'uusdc', symbol: 'USDC' },
    }),
    native(),
    native({ chainId: 'eip155:2' }),
    token({
      chainId: 'stellar:pubnet',
      address: stellarRulesOf([]).nativeToken('stellar:pubnet'),
      symbol: 'XLM',
      decimals: 7,
    }),
    token({
      chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      address: '1'.repeat(32),
      symbol: 'SOL',
      decimals: 9,
    }),
  ])
  assert.equal(catalog.chains.length, 4)
  assert.equal(catalog.tokens.length, 5)
  assert.equal(catalog.chain('eip155:2')?.chainLabel, 'Chain 2')
  assert.equal(catalog.chain('eip155:9'), undefined)
  assert.equal(catalog.token('eip155:1', USDC)?.its?.tokenId, TOKEN_ID)
  assert.equal(catalog.token('eip155:1', USDC.toLowerCase()), undefined)
  assert.equal(catalog.token('eip155:2', USDC), undefined)
  assert.equal(catalog.token('eip155:9', USDC), undefined)
  assert.equal(catalog.rules('solana'), solanaAddressRules)
})

const exchange = { router: OTHER, factory: OTHER, tickLens: OTHER, wrappedNative: OTHER, pools: [] }
const express = { router: OTHER, returnGasCap: '1' }

const CONTRADICTIONS: Readonly<Record<string, readonly [readonly object[], readonly object[], RegExp]>> = {
  'a chain twice': [[evmChain(1), evmChain(1)], [], /chain eip155:1: the identifier/],
  'a chain of another family': [[evmChain(1, { chainType: 'solana' })], [], /chain eip155:1: .*solana/],
  'a chain reference with a leading zero': [[evmChain(1, { chainId: 'eip155:01' })], [], /eip155:01/],
  'an Axelar name twice': [
    [evmChain(1), evmChain(2, { axelar: axelar('name1') })],
    [],
    /chain eip155:2: the Axelar name/,
  ],
  'the Axelar name of the hub': [[evmChain(1, { axelar: axelar('Axelar') })], [], /is the hub's/],
  'an EVM chain that only receives': [
    [evmChain(1, { tokenReceiver: { name: 'one', gateway: OTHER, its: OTHER, executeGasLimit: 1 } })],
    [],
    /tokenReceiver for the others/,
  ],
  'the contracts of an EVM chain on Stellar': [
    [evmChain(1, { chainId: 'stellar:testnet', chainType: 'stellar' })],
    [],
    /axelar is for EVM chains/,
  ],
  'a token on an unknown chain': [
    [evmChain(1)],
    [token({ chainId: 'eip155:5' })],
    /token USDC .* on eip155:5: the chain/,
  ],
  'a malformed token address': [
    [evmChain(1)],
    [token({ address: '0x12' })],
    /token USDC 0x12 on eip155:1: .*malformed/,
  ],
  'a token twice': [
    [evmChain(1)],
    [token(), token({ address: USDC.toLowerCase() })],
    /the address is already/,
  ],
  'an ITS token id twice': [
    [evmChain(1)],
    [token({ its: { tokenId: TOKEN_ID } }), token({ address: OTHER, its: { tokenId: TOKEN_ID } })],
    /the ITS token id is already/,
  ],
  'a gateway denom twice': [
    [evmChain(1)],
    [
      token({ gateway: { denom: 'uusdc', symbol: 'A' } }),
      token({ address: OTHER, gateway: { denom: 'uusdc', symbol: 'B' } }),
    ],
    /the gateway denom is already/,
  ],
  'a gateway symbol twice': [
    [evmChain(1)],
    [
      token({ gateway: { denom: 'a', symbol: 'USDC' } }),
      token({ address: OTHER, gateway: { denom: 'b', symbol: 'USDC' } }),
    ],
    /the gateway symbol is already/,
  ],
  'ITS without its contract': [
    [evmChain(1, { axelar: { ...axelar('a'), its: undefined } })],
    [token({ its: { tokenId: TOKEN_ID } })],
    /its needs axelar.its/,
  ],
  'a gateway token without a gateway': [
    [evmChain(1, { axelar: undefined })],
    [token({ gateway: { denom: 'a', symbol: 'A' } })],
    /gateway needs axelar/,
  ],
  'a cap of executors on a chain without an executor': [
    [evmChain(1, { exchange, express })],
    [token({ gateway: { denom: 'a', symbol: 'A', expressCap: '1' } })],
    /token USDC .*: gateway.expressCap needs express.executor axelar or own/,
  ],
  'a gateway token on an amplifier chain': [
    [evmChain(1, { axelar: { ...axelar('a'), connectionType: 'amplifier' } })],
    [token({ gateway: { denom: 'a', symbol: 'A' } })],
    /token .* on eip155:1: gateway needs a chain whose axelar.connectionType is consensus/,
  ],
  'an express router without Axelar': [
    [evmChain(1, { axelar: undefined, exchange, express })],
    [],
    /chain eip155:1: express needs axelar on the chain/,
  ],
  'a native token unlike its chain says': [
    [evmChain(1)],
    [native({ decimals: 8 })],
    /the native token of the chain is ETH/,
  ],
  'a native token that bridges claim': [
    [evmChain(1)],
    [native({ its: { tokenId: TOKEN_ID } })],
    /no contract/,
  ],
  'an ERC-20 of the native asset on another token': [
    [evmChain(1)],
    [token({ its: { tokenId: TOKEN_ID, contract: PRECOMPILE } })],
    /its.contract is for the native token/,
  ],
  'a malformed ERC-20 of the native asset': [
    [evmChain(1)],
    [native({ its: { tokenId: TOKEN_ID, contract: ZERO } })],
    /its.contract is malformed/,
  ],
  'the ERC-20 of the native asset as a token, too': [
    [evmChain(1)],
    [token({ address: PRECOMPILE }), native({ its: { tokenId: TOKEN_ID, contract: PRECOMPILE } })],
    /token ETH .*: the address is already that of token USDC/,
  ],
  'one ITS token id twice for a token': [
    [evmChain(1)],
    [token({ its: { tokenId: TOKEN_ID, otherTokenIds: [TOKEN_ID] } })],
    /the ITS token id is already/,
  ],
  'the further ITS token id of another token': [
    [evmChain(1)],
    [
      token({ its: { tokenId: TOKEN_ID, otherTokenIds: [OTHER_ID] } }),
      token({ address: OTHER, its: { tokenId: OTHER_ID } }),
    ],
    /the ITS token id is already/,
  ],
  'two tokens with two ITS token ids in common': [
    [evmChain(1), evmChain(2)],
    [
      token({ its: { tokenId: TOKEN_ID, otherTokenIds: [OTHER_ID] } }),
      token({ chainId: 'eip155:2', its: { tokenId: OTHER_ID, otherTokenIds: [TOKEN_ID] } }),
    ],
    /token USDC .* on eip155:1: it has two ITS token ids in common with token USDC .* on eip155:2/,
  ],
}

for (const [what, [chains, tokens, message]] of Object.entries(CONTRADICTIONS))
  test(`rejects a network that names ${what}`, () => {
    assert.throws(() => build(chains, tokens), message)
  })

for (const executor of ['axelar', 'own'] as const)
  test(`accepts a cap of executors where ${executor} delivers`, () => {
    const chain = evmChain(1, { exchange, express: { ...express, executor } })
    const { tokens } = build([chain], [token({ gateway: { denom: 'a', symbol: 'A', expressCap: '1' } })])
    assert.equal(tokens.length, 1)
  })

test('accepts two ITS token ids of one address, and a native asset that its chain offers as an ERC-20', () => {
  const { tokens } = build(
    [evmChain(1), evmChain(2), evmChain(3)],
    [
      token({ its: { tokenId: TOKEN_ID, otherTokenIds: [OTHER_ID] } }),
      token({ chainId: 'eip155:2', its: { tokenId: TOKEN_ID } }),
      native({ chainId: 'eip155:3', its: { tokenId: OTHER_ID, contract: PRECOMPILE.toLowerCase() } }),
    ],
  )
  assert.equal(tokens.length, 3)
})

test('accepts the same asset on two chains', () => {
  const asset = { its: { tokenId: TOKEN_ID }, gateway: { denom: 'uusdc', symbol: 'USDC' } }
  const catalog = build([evmChain(1), evmChain(2)], [token(asset), token({ ...asset, chainId: 'eip155:2' })])
  assert.equal(catalog.tokens.length, 2)
})

test('a contract is named by its canonical address, and rejected where the chain cannot have it', () => {
  const catalog = build([evmChain(1)], [])
  const [chain] = catalog.chains
  assert.ok(chain)
  assert.equal(catalog.contract(chain, USDC.toLowerCase()), USDC)
  for (const text of [USDC.replace('A0b', 'a0B'), ZERO, '1'.repeat(32), ''])
    assert.throws(() => catalog.contract(chain, text), /chain eip155:1: .* is not an address: expected 0x/)
})
