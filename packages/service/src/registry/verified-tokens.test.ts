import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registrySources } from '../../test/registry-sources.ts'
import type { RegistryRow, RegistryToken, Sources } from './sources.ts'
import { syncNetwork } from './sync-network.ts'
import { interchainTokenAddress } from './token-id.ts'

const NONE: ReadonlySet<string> = new Set()
const EVIL = `0x${'66'.repeat(20)}`
const ITS = '0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C'

const real = await registrySources('mainnet')
const tokensOf = (...tokens: readonly RegistryToken[]): Sources => ({
  ...real,
  registry: { tokens: Object.fromEntries(tokens.map((token) => [token.tokenId, token])) },
})
const find = (isWanted: (token: RegistryToken) => boolean): RegistryToken => {
  const found = Object.values(real.registry.tokens).find(isWanted)
  assert.ok(found !== undefined)
  return found
}
const verifiedOf = (token: RegistryToken): readonly string[] =>
  syncNetwork(tokensOf(token), NONE).file.tokens.flatMap(({ its, verified, address }) =>
    its !== undefined && verified ? [address.toLowerCase()] : [],
  )

const isDeployed = ({ tokenId, chains, originAxelarChainId }: RegistryToken): boolean =>
  chains.length === 2 &&
  chains.some(
    ({ axelarChainId, tokenAddress }) =>
      axelarChainId !== originAxelarChainId &&
      tokenAddress.toLowerCase() === interchainTokenAddress(ITS, tokenId),
  )
/** A token whose origin's address makes the id, and whose other side the token service deployed. */
const canonical = find(
  (token) => token.tokenType === 'canonical' && isDeployed(token) && verifiedOf(token).length === 2,
)
const withSide = (change: Partial<RegistryRow>): RegistryToken => ({
  ...canonical,
  chains: canonical.chains.map((row) =>
    row.axelarChainId === canonical.originAxelarChainId ? row : { ...row, ...change },
  ),
})

test('a row of a known id with another address, symbol or decimals is not verified', () => {
  for (const change of [{ tokenAddress: EVIL }, { symbol: 'USDC' }, { decimals: 0 }, { deprecated: true }]) {
    const verified = verifiedOf(withSide(change))
    const origin = canonical.chains.find(
      ({ axelarChainId }) => axelarChainId === canonical.originAxelarChainId,
    )
    assert.deepEqual(verified, [origin?.tokenAddress.toLowerCase()], JSON.stringify(change))
  }
})

test('a token that its owner linked is not verified: its id proves no address', () => {
  const rmrk = find(({ prettySymbol }) => prettySymbol === 'RMRK')
  assert.deepEqual(verifiedOf(rmrk), [])
})

const thiefOf = (victim: RegistryToken, more: readonly RegistryRow[]): RegistryToken => ({
  ...victim,
  tokenId: `0x${'77'.repeat(32)}`,
  prettySymbol: 'THIEF',
  tokenType: 'customInterchain',
  deploySalt: '0x',
  chains: [...victim.chains.map((row) => ({ ...row, symbol: 'THIEF' })), ...more],
})
const rowOn = (axelarChainId: string): RegistryRow => ({
  axelarChainId,
  tokenAddress: EVIL,
  symbol: 'THIEF',
  name: 'Thief',
})
const JUNK = Array.from({ length: 60 }, (_, index) => rowOn(`no-${index}`))
const symbolsOf = (sources: Sources): readonly string[] =>
  syncNetwork(sources, NONE).file.tokens.flatMap(({ its, symbol }) => (its === undefined ? [] : [symbol]))

test('a verified row keeps its address against a token of more chains', () => {
  const others = Object.values(real.config.chains)
    .filter(({ contracts }) => contracts.InterchainTokenService !== undefined)
    .map(({ axelarId }) => rowOn(axelarId))
  const symbols = symbolsOf(tokensOf(canonical, thiefOf(canonical, [...others, ...JUNK])))
  const own = canonical.chains.map(({ symbol }) => symbol)
  assert.deepEqual(symbols.filter((symbol) => symbol !== 'THIEF').toSorted(), own.toSorted())
})

test('rows on chains that the file does not have win no address, and of equal claims both are left out', () => {
  const rmrk = find(({ prettySymbol }) => prettySymbol === 'RMRK')
  const sources = tokensOf(rmrk, thiefOf(rmrk, JUNK))
  assert.deepEqual(symbolsOf(sources), [])
  const { leftOut } = syncNetwork(sources, NONE)
  const named = leftOut.filter(({ reason }) => /nothing proves which is right/.test(reason))
  assert.equal(named.length, 2 * rmrk.chains.length)
  assert.ok(named.some(({ entry }) => entry.startsWith('RMRK on ethereum (token id 0xb689de70')))
  assert.ok(named.some(({ entry }) => entry.startsWith('THIEF on ethereum (token id 0x77777777')))
})

test("a picture's address that is no https address is left out", () => {
  const { tokens } = syncNetwork(
    tokensOf({ ...canonical, iconUrls: { svg: 'javascript:alert(1)' } }),
    NONE,
  ).file
  assert.deepEqual(
    tokens.filter(({ logoUrl }) => logoUrl !== undefined),
    [],
  )
})
