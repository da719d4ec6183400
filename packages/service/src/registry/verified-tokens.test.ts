import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registrySources } from '../../test/registry-sources.ts'
import { tokenIdsOf } from '../core/interchain-token.ts'
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

/** A token of an id of its own that claims one address of the canonical token, and one of its own on another chain. */
const squatterOf = (digit: string, change: Partial<RegistryRow> = {}): RegistryToken => ({
  ...thiefOf({ ...canonical, chains: canonical.chains.slice(0, 1) }, []),
  tokenId: `0x${digit.repeat(32)}`,
  chains: [
    ...canonical.chains.slice(0, 1).map((row) => ({ ...row, symbol: 'THIEF', ...change })),
    ...Object.values(real.config.chains)
      .filter(({ axelarId }) => canonical.chains.every((row) => row.axelarChainId !== axelarId))
      .filter(({ axelarId }) => axelarId === 'celo' || axelarId === 'base')
      .map(({ axelarId }) => ({ ...rowOn(axelarId), tokenAddress: `0x${digit.repeat(20)}` })),
  ],
})
const idsAt = (sources: Sources, address: string): readonly (readonly string[])[] =>
  syncNetwork(sources, NONE)
    .file.tokens.filter((token) => token.address.toLowerCase() === address.toLowerCase())
    .flatMap((token) => (token.its === undefined ? [] : [tokenIdsOf(token)]))

test('an id of one shared address is beside the proven one, which stays first and verified', () => {
  const [row] = canonical.chains
  assert.ok(row !== undefined)
  const sources = tokensOf(squatterOf('77'), canonical)
  const [ids] = idsAt(sources, row.tokenAddress)
  assert.deepEqual(ids, [canonical.tokenId.toLowerCase(), `0x${'77'.repeat(32)}`])
  const { tokens } = syncNetwork(sources, NONE).file
  const shown = tokens.find(({ its }) => its?.otherTokenIds !== undefined)
  assert.deepEqual([shown?.symbol, shown?.verified], [row.symbol, true])
})

test('an id with other decimals of the same address is left out, and of very many ids eight are kept', () => {
  const [row] = canonical.chains
  assert.ok(row !== undefined)
  const other = canonical.decimals === 6 ? 18 : 6
  const misread = tokensOf(canonical, squatterOf('77', { decimals: other }))
  assert.deepEqual(idsAt(misread, row.tokenAddress), [[canonical.tokenId.toLowerCase()]])
  const crowd = Array.from({ length: 20 }, (_, index) => squatterOf((16 + index).toString(16)))
  const [ids] = idsAt(tokensOf(...crowd, canonical), row.tokenAddress)
  assert.equal(ids?.length, 8)
  assert.equal(ids?.[0], canonical.tokenId.toLowerCase())
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

const fileOf = (...tokens: readonly RegistryToken[]) => syncNetwork(tokensOf(...tokens), NONE)
const originSide = (change: Partial<RegistryRow>): RegistryToken => ({
  ...canonical,
  chains: [
    ...canonical.chains,
    ...canonical.chains
      .filter(({ axelarChainId }) => axelarChainId !== canonical.originAxelarChainId)
      .map((row) => ({ ...row, ...change })),
  ],
})

test('one row of the registry that contradicts itself is left out, and does not stop the others', () => {
  const twice = fileOf(originSide({ tokenAddress: EVIL }))
  const sides = twice.file.tokens.filter(({ its }) => its !== undefined)
  assert.deepEqual(
    sides.map(({ address }) => address.toLowerCase()).toSorted(),
    canonical.chains.map(({ tokenAddress }) => tokenAddress.toLowerCase()).toSorted(),
  )
  assert.ok(
    twice.leftOut.some(({ reason }) => reason === 'its token id has another address on the chain too'),
  )
  const zero = fileOf(withSide({ tokenAddress: `0x${'00'.repeat(20)}` }))
  assert.ok(zero.leftOut.some(({ reason }) => reason === "its address is that of the chain's native asset"))
  for (const name of ['USD\u202eC', 'A\nB', 'x'.repeat(101), '\u001b[2J']) {
    const { leftOut } = fileOf(withSide({ name }))
    assert.ok(
      leftOut.some(({ reason }) => reason.startsWith('its symbol or name')),
      JSON.stringify(name),
    )
  }
})

test('a token that nothing proves has no price id that a proven one has', () => {
  const coinGeckoId = 'a-coin'
  const rmrk = find(({ prettySymbol }) => prettySymbol === 'RMRK')
  const idsOf = (...tokens: readonly RegistryToken[]) => {
    const found = fileOf(...tokens).file.tokens.filter(({ its }) => its !== undefined)
    return new Map(found.map(({ symbol, coinGeckoId: id }) => [symbol, id]))
  }
  const [own] = canonical.chains
  const alone = idsOf({ ...rmrk, coinGeckoId })
  assert.equal(alone.get('RMRK'), coinGeckoId)
  const both = idsOf({ ...rmrk, coinGeckoId }, { ...canonical, coinGeckoId })
  assert.deepEqual([both.get('RMRK'), both.get(own?.symbol ?? '')], [undefined, coinGeckoId])
})

test("a hub limit of more bits than an amount has is none: two to its power would fill a quote's memory", () => {
  const hub = { ...real.config.axelar.contracts.InterchainTokenService }
  for (const name of ['stellar', 'base'])
    hub[name] = { maxUintBits: 1_000_000_000, maxDecimalsWhenTruncating: 6 }
  const config = {
    ...real.config,
    axelar: { ...real.config.axelar, contracts: { InterchainTokenService: hub } },
  }
  const { chains } = syncNetwork({ ...real, config }, NONE).file
  const bitsOf = (wanted: string) => {
    const { axelar, tokenReceiver } = chains.find(({ chainId }) => chainId === wanted) ?? {}
    return (axelar ?? tokenReceiver)?.maxUintBits
  }
  assert.deepEqual([bitsOf('eip155:8453'), bitsOf('stellar:pubnet')], [256, 127])
})
