import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContractChain } from '../../chains/payment-chain.ts'
import { RpcError } from '../../chains/rpc/rpc-error.ts'
import { solanaKeyBytes } from '../../chains/solana/key-bytes.ts'
import { scVal } from '../../chains/stellar/sc-val.ts'
import type { NetworkToken } from '../../core/network.ts'
import { mints } from './solana-states.ts'
import { canMint } from './stellar-states.ts'

const [MANAGER, OTHER] = [
  'CBZL2IH7F6BIDAA3WBNXYKIXSATJGMSW7K5P5MJ6STX5RXN47TZJDF5T',
  'CAE2G5Z77UP7GYPYGFOWFGW7C7J6I4YP2AFGSADRKQY62SYUFLPNFTXL',
].map((address) => scVal.address(address).toString('base64'))

/** Contracts that answer by the name of a function, and fail for others. */
const contractsWith = (answers: Readonly<Record<string, string | undefined>>): ContractChain => ({
  callAll: async (calls) =>
    calls.map(({ name }) => {
      const answer = answers[name]
      if (answer !== undefined) return answer
      throw new RpcError('NO_ANSWER', 'no', { cause: new RpcError('MALFORMED', `${name} fails`) })
    }),
  eventsIn: () => Promise.reject(new Error('unused')),
})
const [yes, no] = [
  Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]).toString('base64'),
  Buffer.from([0, 0, 0, 0, 0, 0, 0, 0]).toString('base64'),
]

test("a token of Stellar is minted by its contract's administrator, or by a minter where it names minters", async () => {
  // CAST: the contract's address alone is read.
  const token = { address: 'C1' } as NetworkToken
  const may = (type: 'MINT_BURN' | 'NATIVE_INTERCHAIN_TOKEN', answers: Record<string, string | undefined>) =>
    canMint({ contracts: contractsWith(answers), token }, { address: MANAGER ?? '', type })
  assert.equal(await may('MINT_BURN', { admin: MANAGER }), true)
  assert.equal(await may('MINT_BURN', { admin: OTHER, is_minter: yes }), false)
  assert.equal(await may('MINT_BURN', { is_minter: yes }), true)
  assert.equal(await may('MINT_BURN', {}), false)
  assert.equal(await may('NATIVE_INTERCHAIN_TOKEN', { admin: OTHER, is_minter: yes }), true)
  assert.equal(await may('NATIVE_INTERCHAIN_TOKEN', { is_minter: no }), false)
})

test('a token of Solana is minted by its mint authority alone', () => {
  const [manager, other] = [
    'Vote111111111111111111111111111111111111111',
    'Stake11111111111111111111111111111111111111',
  ]
  const mint = (authority: string | undefined): Buffer => {
    const data = Buffer.alloc(82)
    if (authority === undefined) return data
    data.writeUInt32LE(1)
    data.set(solanaKeyBytes(authority), 4)
    return data
  }
  assert.equal(mints(mint(manager), manager), true)
  assert.equal(mints(mint(other), manager), false)
  assert.equal(mints(mint(undefined), manager), false)
})
