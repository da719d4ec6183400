import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../chains/catalog.ts'
import { evmAddressRules } from '../chains/evm/address.ts'
import { solanaAddressRules } from '../chains/solana/address.ts'
import { stellarAddressRules } from '../chains/stellar/address.ts'
import { muxedAddress } from '../chains/stellar/muxed-account.ts'
import { Network } from '../core/network.ts'
import { refusedAccounts } from './refused-accounts.ts'

const EVM = 'eip155:101'
const STELLAR = 'stellar:pubnet'
const TOKEN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const BRIDGE = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const VAULT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'

const catalog = createCatalog(
  Network.parse({
    chains: [
      [EVM, 'evm', 18],
      [STELLAR, 'stellar', 7],
    ].map(([chainId, chainType, decimals]) => ({
      chainId,
      chainLabel: chainId,
      chainType,
      nativeToken: { symbol: 'N', decimals },
      rpcUrls: ['http://127.0.0.1:1'],
      finality: 1,
    })),
    tokens: [{ chainId: EVM, address: TOKEN, symbol: 'T', name: 'Token', decimals: 6, verified: true }],
  }),
  { evm: evmAddressRules, solana: solanaAddressRules, stellar: stellarAddressRules },
)

const refusedOn = (chainId: string, ...contracts: readonly string[]): readonly string[] => [
  ...(refusedAccounts({
    catalog,
    backends: [{ type: 'its', contracts: (chain) => (chain.chainId === chainId ? contracts : []) }],
  }).get(chainId) ?? []),
]

test('contracts are refused with the tokens of their chain, however the backend spells them', () => {
  assert.deepEqual(refusedOn(EVM, BRIDGE.toLowerCase(), BRIDGE), [BRIDGE, TOKEN])
  assert.deepEqual(refusedOn(STELLAR, VAULT, muxedAddress(VAULT, 7n)), [VAULT])
  assert.deepEqual(refusedOn(EVM), [TOKEN])
})

test('a contract that its chain cannot have stops the service, for it would stay unprotected', () => {
  for (const address of [VAULT, TOKEN.replace('A', 'a'), `0x${'0'.repeat(40)}`, ''])
    assert.throws(() => refusedOn(EVM, address), /backend its: contract .* on eip155:101 is not an address/)
})
