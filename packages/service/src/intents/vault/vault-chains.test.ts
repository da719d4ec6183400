import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestPaymentChain } from '../../../test/test-payment-chain.ts'
import { createCatalog } from '../../chains/catalog.ts'
import { contractIdOf } from '../../chains/stellar/asset-contract.ts'
import { Network } from '../../core/network.ts'
import type { PriceSource, UsdPrice } from '../../pricing/price-source.ts'
import { vaultChainsOf } from './vault-chains.ts'

const CHAIN = 'stellar:pubnet'
const VAULT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'
const CONTRACT = 'CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA'
const CLASSIC = ['USDC', 'NEW'].map((code) => ({ code, issuer: VAULT }))
const PRICES: ReadonlyMap<string, UsdPrice> = new Map([
  ['XLM', 1n],
  ['USDC', 3n],
])

const TWO_ENDPOINTS = { rpcUrls: ['http://127.0.0.1:1', 'http://127.0.0.1:2'] }

const vaultChainsWith = (
  settler: string,
  endpoints: object = TWO_ENDPOINTS,
  lines: string[] = [],
  tokens: readonly object[] = [],
) => {
  const network = Network.parse({
    chains: [
      {
        chainId: CHAIN,
        chainLabel: 'Stellar',
        chainType: 'stellar',
        nativeToken: { symbol: 'XLM', decimals: 7 },
        ...endpoints,
        finality: 0,
        attested: { settler, finalitySeconds: 0 },
      },
    ],
    tokens,
  })
  const catalog = createCatalog(network)
  const { chain } = createTestPaymentChain({ chainId: CHAIN, chainType: 'stellar' })
  const paymentChains = new Map([[CHAIN, chain]])
  const log = (level: string, event: string) => lines.push(`${level} ${event}`)
  const prices: PriceSource = (id) => PRICES.get(catalog.token(id.chainId, id.address)?.symbol ?? '')
  return vaultChainsOf({ catalog, paymentChains, prices, log })
}

const vaultsWith = (...input: Parameters<typeof vaultChainsWith>): readonly string[] =>
  vaultChainsWith(...input).map(({ vault }) => vault)

test('returns an unmatched deposit of 0.1 XLM or its worth and more, less 0.001 XLM for the cost', () => {
  const token = (symbol: string, address: string, more: object = {}) => ({
    ...{ chainId: CHAIN, address, symbol, name: symbol, decimals: 7, verified: true, intent: true },
    ...more,
  })
  const classic = CLASSIC.map((stellar) => token(stellar.code, contractIdOf(stellar, 'any'), { stellar }))
  const tokens = [token('XLM', CONTRACT), ...classic]
  const [chain] = vaultChainsWith(VAULT, TWO_ENDPOINTS, [], tokens)
  assert.deepEqual(
    [...tokens, { address: VAULT }].map(({ address }) => chain?.unmatchedTermsOf(address)),
    [
      { minimum: 1_000_000n, cost: 10_000n },
      { minimum: 333_400n, cost: 3_334n },
      { minimum: 1n, cost: 0n },
      undefined,
    ],
  )
})

test('rejects a vault that is not an account', () => {
  assert.deepEqual(vaultsWith(VAULT), [VAULT])
  for (const settler of [CONTRACT, `0x${'1'.repeat(40)}`])
    assert.throws(() => vaultsWith(settler), /chain stellar:pubnet: attested.settler .* is not an account/)
})

test('a chain with one endpoint has a vault only if the operator trusts that endpoint alone', () => {
  const rpcUrls = ['http://127.0.0.1:1']
  const lines: string[] = []
  assert.deepEqual(vaultsWith(VAULT, { rpcUrls }, lines), [])
  assert.deepEqual(lines, ['error vault_endpoint_alone'])
  assert.deepEqual(vaultsWith(VAULT, { rpcUrls, trustSingleEndpoint: true }), [VAULT])
})
