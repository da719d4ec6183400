import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../chains/catalog.ts'
import { evmAddressRules } from '../chains/evm/address.ts'
import { solanaAddressRules } from '../chains/solana/address.ts'
import { associatedTokenOf } from '../chains/solana/associated-token.ts'
import { PROGRAMS } from '../chains/solana/programs.ts'
import { muxedAddress } from '../chains/stellar/muxed-account.ts'
import { Network } from '../core/network.ts'
import { type RefusedAccounts, refusedAccounts } from './refused-accounts.ts'

const EVM = 'eip155:101'
const OTHER_EVM = 'eip155:102'
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const STELLAR = 'stellar:pubnet'
const TOKEN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const BRIDGE = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const SOLANA_VAULT = 'vau1zxA2LbssAUEF7Gpw91zMM1LvXrvpzJtmZ58rPsn'
const VAULT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'

const catalog = createCatalog(
  Network.parse({
    chains: [
      [EVM, 'evm', 18],
      [OTHER_EVM, 'evm', 18],
      [SOLANA, 'solana', 9],
      [STELLAR, 'stellar', 7],
    ].map(([chainId, chainType, decimals]) => ({
      chainId,
      chainLabel: chainId,
      chainType,
      nativeToken: { symbol: 'N', decimals },
      rpcUrls: ['http://127.0.0.1:1'],
      finality: 1,
    })),
    tokens: [
      { chainId: EVM, address: TOKEN, symbol: 'T', name: 'Token', decimals: 6, verified: true },
      { chainId: SOLANA, address: MINT, symbol: 'M', name: 'Mint', decimals: 6, verified: true },
    ],
  }),
)

const refusedWith = (chainId: string, ...contracts: readonly string[]): RefusedAccounts =>
  refusedAccounts({
    catalog,
    backends: [{ type: 'its', contracts: (chain) => (chain.chainId === chainId ? contracts : []) }],
  })

/** The rejected accounts of a chain, beside those its family reserves. */
const refusedOn = (chainId: string, ...contracts: readonly string[]): readonly string[] =>
  [
    ...(refusedWith(chainId, ...contracts)
      .get(chainId)
      ?.keys() ?? []),
  ].filter(
    (account) =>
      !evmAddressRules.reserved.includes(account) && !solanaAddressRules.reserved.includes(account),
  )

test('rejects contracts and tokens of the chain in any spelling', () => {
  assert.deepEqual(refusedOn(EVM, BRIDGE.toLowerCase(), BRIDGE), [BRIDGE, TOKEN])
  assert.deepEqual(refusedOn(STELLAR, VAULT, muxedAddress(VAULT, 7n)), [VAULT])
  assert.deepEqual(refusedOn(EVM), [TOKEN])
})

test('a contract address that is invalid on its chain stops the service', () => {
  for (const address of [VAULT, TOKEN.replace('A', 'a'), `0x${'0'.repeat(40)}`, ''])
    assert.throws(() => refusedOn(EVM, address), /backend its: contract .* on eip155:101 is not an address/)
})

test('rejects accounts that hold a token for a contract, under either token program', () => {
  const held = [PROGRAMS.token, PROGRAMS.token2022].map((program) =>
    associatedTokenOf(SOLANA_VAULT, MINT, program),
  )
  assert.deepEqual(refusedOn(SOLANA, SOLANA_VAULT), [SOLANA_VAULT, ...held, MINT])
})

test("rejects a chain's accounts on every chain of its family, and names that chain", () => {
  const refused = refusedWith(EVM, BRIDGE)
  assert.equal(refused.get(OTHER_EVM)?.get(BRIDGE), EVM)
  assert.equal(refused.get(OTHER_EVM)?.get(TOKEN), EVM)
  assert.equal(refusedWith(OTHER_EVM, TOKEN).get(EVM)?.get(TOKEN), EVM)
  assert.equal(refused.get(SOLANA)?.has(BRIDGE), false)
})

test('rejects programs, system variables and precompiles', () => {
  const refused = refusedWith(EVM)
  assert.ok(refused.get(EVM)?.has(`0x${'1'.padStart(40, '0')}`))
  for (const account of [PROGRAMS.memo, 'SysvarC1ock11111111111111111111111111111111'])
    assert.ok(refused.get(SOLANA)?.has(account))
})
