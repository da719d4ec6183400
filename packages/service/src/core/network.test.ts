import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkChain } from './network.ts'

const FILECOIN = {
  chainId: 'eip155:314',
  chainLabel: 'Filecoin',
  chainType: 'evm',
  nativeToken: { symbol: 'FIL', decimals: 18 },
  rpcUrls: ['https://filecoin.example'],
  finality: 'finalized',
}
const contract = `0x${'1'.repeat(40)}`
const OURS = {
  intent: { settler: contract },
  attested: { settler: contract, finalitySeconds: 1 },
  express: { router: contract, returnGasCap: '1' },
}

test('a chain that counts gas otherwise takes none of our contracts', () => {
  assert.equal(NetworkChain.safeParse({ ...FILECOIN, gasScale: 444 }).success, true)
  for (const [member, value] of Object.entries(OURS)) {
    assert.equal(NetworkChain.safeParse({ ...FILECOIN, [member]: value }).success, true)
    const { error } = NetworkChain.safeParse({ ...FILECOIN, gasScale: 444, [member]: value })
    assert.deepEqual(
      error?.issues.map(({ path }) => path),
      [[member]],
    )
  }
})
