import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestPaymentChain } from '../../../test/test-payment-chain.ts'
import { createCatalog } from '../../chains/catalog.ts'
import { Network } from '../../core/network.ts'
import { vaultChainsOf } from './vault-chains.ts'

const CHAIN = 'stellar:pubnet'
const VAULT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'
const CONTRACT = 'CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA'

const vaultsWith = (
  settler: string,
  endpoints: object = { rpcUrls: ['http://127.0.0.1:1', 'http://127.0.0.1:2'] },
  lines: string[] = [],
): readonly string[] => {
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
    tokens: [],
  })
  const catalog = createCatalog(network)
  const { chain } = createTestPaymentChain({ chainId: CHAIN, chainType: 'stellar' })
  const paymentChains = new Map([[CHAIN, chain]])
  const log = (level: string, event: string) => lines.push(`${level} ${event}`)
  const vaults = vaultChainsOf({ catalog, paymentChains, prices: () => undefined, log })
  return vaults.map(({ vault }) => vault)
}

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
