import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokenWarnings } from './terms.ts'

const token = { address: 'A', decimals: 6, verified: true }
const native = { ...token, chainId: 'eip155:1', symbol: 'USDC', name: 'USD Coin' } as const
const bridged = {
  ...token,
  chainId: 'stellar:pubnet',
  symbol: 'USDC.axl',
  name: 'USD Coin (Axelar)',
  bridged: true,
} as const

test('a quote that delivers a bridged namesake warns of it, and one that takes it does not', () => {
  assert.deepEqual(tokenWarnings(native, bridged), [
    {
      code: 'bridged_token',
      message:
        "USDC.axl on stellar:pubnet is Axelar's bridged token, and not the asset that goes by USDC there",
    },
  ])
  assert.deepEqual(tokenWarnings(bridged, native), [])
  const codes = tokenWarnings(native, { ...bridged, verified: false }).map(({ code }) => code)
  assert.deepEqual(codes, ['unverified_token', 'bridged_token'])
})
