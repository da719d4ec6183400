import type { z } from 'zod'
import { addressRulesOf } from '../chains/address-rules-of.ts'
import { evmAddressRules } from '../chains/evm/address.ts'
import { comparableAddress, isSameAddress } from '../core/comparable-address.ts'
import type { NetworkToken } from '../core/network.ts'
import { isWebAddress } from '../core/web-address.ts'
import type { LeftOut } from './left-out.ts'
import { decimalsOf, familyMembers, tokenAddressOf } from './row-on-chain.ts'
import { isShownWhole } from './shown-whole.ts'
import type { RegistryRow, RegistryToken, Sources } from './sources.ts'
import type { SyncedChain } from './sync-chains.ts'
import { checkTokenId, interchainTokenAddress, type TokenIdCheck } from './token-id.ts'
import { placeOf, type Row, rowName, withoutDoubles } from './without-doubles.ts'

/** A token as a network file writes it. */
export type TokenEntry = z.input<typeof NetworkToken>

/** Tokens of the generated file, and those that it cannot hold. */
export type SyncedTokens = { readonly tokens: readonly TokenEntry[]; readonly leftOut: readonly LeftOut[] }

/** The address by which interchain tokens name a chain's native asset. */
const NATIVE_ALIAS = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

type ChainsByName = ReadonlyMap<string, SyncedChain>

const byName = (chains: readonly SyncedChain[]): ChainsByName =>
  new Map(chains.map((chain) => [chain.source.axelarId.toLowerCase(), chain]))

/** The native assets of the chains, which an overlay can price. */
export const nativeTokens = (chains: readonly SyncedChain[]): readonly TokenEntry[] => {
  const rules = addressRulesOf(chains.map(({ entry: { chainId } }) => ({ chainId })))
  return chains.flatMap(({ entry, nativeName }) => {
    const address = rules[entry.chainType].nativeToken(entry.chainId)
    const { symbol, decimals } = entry.nativeToken
    return address === undefined
      ? []
      : [{ chainId: entry.chainId, address, symbol, name: nativeName, decimals, verified: true }]
  })
}

const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const originRowOf = ({ chains, originAxelarChainId }: RegistryToken): RegistryRow | undefined =>
  chains.find(({ axelarChainId }) => isSameName(axelarChainId, originAxelarChainId))

/**
 * Whether the token id proves the row's address: it is the address that a canonical id was computed from, or the one at
 * which the chain's token service deploys the id. The row must repeat the symbol and the decimals of its token.
 */
const isProven = (
  token: RegistryToken,
  row: RegistryRow,
  chain: SyncedChain,
  check: TokenIdCheck,
): boolean => {
  if (check !== 'canonical' && check !== 'salted') return false
  const origin = originRowOf(token)
  if (row.symbol !== origin?.symbol || (row.decimals ?? token.decimals) !== token.decimals) return false
  if (check === 'canonical' && row === origin) return true
  const its = chain.entry.axelar?.its
  return its !== undefined && isSameAddress(interchainTokenAddress(its, token.tokenId), row.tokenAddress)
}

/** The address that means the native asset where no contract has it: a contract of Stellar's native asset is a token, too. */
const nativeAddressOf = ({ entry: { chainId, chainType } }: SyncedChain): string | undefined =>
  chainType === 'stellar' ? undefined : addressRulesOf([{ chainId }])[chainType].nativeToken(chainId)

/** The zero address for a row of the chain's native asset, or why it is not that asset. */
const nativePlace = (
  { entry: { chainId, chainType, nativeToken } }: SyncedChain,
  decimals: number,
): { readonly address: string } | { readonly reason: string } => {
  const address = addressRulesOf([{ chainId }])[chainType].nativeToken(chainId)
  if (chainType !== 'evm' || address === undefined)
    return { reason: 'its does not move the native asset there' }
  return decimals === nativeToken.decimals
    ? { address }
    : { reason: `the native asset has ${nativeToken.decimals} decimals, not ${decimals}` }
}

const rowOf = (
  sources: Sources,
  token: RegistryToken,
  row: RegistryRow,
  chains: ChainsByName,
  check: TokenIdCheck,
): Row | LeftOut => {
  const entry = rowName(token, row)
  const chain = chains.get(row.axelarChainId.toLowerCase())
  if (chain === undefined)
    return { entry, reason: `the file has no chain ${row.axelarChainId.toLowerCase()}` }
  if (chain.unserved !== undefined) return { entry, reason: chain.unserved }
  if (!Object.values(shownAs(token, row)).every((text) => text === true || isShownWhole(text)))
    return { entry, reason: 'its symbol or name is too long or has characters that are not shown' }
  const decimals = decimalsOf(sources, token, row)
  if (row.tokenAddress.toLowerCase() === NATIVE_ALIAS) {
    const native = nativePlace(chain, decimals)
    if ('reason' in native) return { entry, reason: native.reason }
    const contract = evmAddressRules.parseRecipient(row.tokenAddress)
    return { ...{ token, row, chain, decimals, contract }, address: native.address, isVerified: false }
  }
  const address = tokenAddressOf(chain, row.tokenAddress)
  if (address !== undefined && address === nativeAddressOf(chain))
    return { entry, reason: "its address is that of the chain's native asset" }
  if (address === undefined) return { entry, reason: `the address is malformed: ${row.tokenAddress}` }
  const isShown = token.disableInUI !== true && row.deprecated !== true
  const isVerified = isShown && isProven(token, row, chain, check)
  return { token, row, chain, address, decimals, contract: undefined, isVerified }
}

/** The end of the symbols by which the registry sets Axelar's tokens apart from namesakes on their chains. */
const BRIDGED = '.axl'

/** The symbol and name of a row: those of a token that Axelar brought to the chain are not the names of the chain's own. */
const shownAs = (
  { prettySymbol, originAxelarChainId }: RegistryToken,
  { symbol, name, axelarChainId }: RegistryRow,
): Pick<TokenEntry, 'symbol' | 'name'> & { readonly bridged?: true } => {
  const marked = [symbol, prettySymbol].find((one) => one.endsWith(BRIDGED))
  if (marked === undefined || isSameName(axelarChainId, originAxelarChainId)) return { symbol, name }
  return { symbol: marked, name: name.endsWith('(Axelar)') ? name : `${name} (Axelar)`, bridged: true }
}

/** Whether the id follows from the registry's own fields. */
const checkId = (key: string, token: RegistryToken, sources: Sources): TokenIdCheck => {
  const origin = Object.values(sources.config.chains).find(({ axelarId }) =>
    isSameName(axelarId, token.originAxelarChainId),
  )
  const check =
    origin?.chainType === 'evm'
      ? checkTokenId(token.tokenId, {
          originName: origin.axelarId,
          originAddress: originRowOf(token)?.tokenAddress,
          deployer: token.deployer,
          deploySalt: token.deploySalt,
          tokenType: token.tokenType,
        })
      : 'unknown'
  return check === 'unknown' && !isSameName(key, token.tokenId) ? 'differs' : check
}

/**
 * The price ids that rows may have. Of two tokens with one id only those with a verified row have it, or the only one that
 * interfaces show: else anybody's token could be shown at the price of another coin.
 */
const priceIds = (rows: readonly Row[]) => {
  const coinOf = ({ token }: Row): string => token.coinGeckoId ?? ''
  const proven = new Set(rows.filter(({ isVerified }) => isVerified).map(({ token }) => token))
  const sharing = new Map(
    [...Map.groupBy(rows, coinOf)].map(([coin, all]) => {
      const tokens = [...new Set(all.map(({ token }) => token))]
      const shown = tokens.filter(({ disableInUI }) => disableInUI !== true)
      return [coin, tokens.length === 1 ? tokens : shown.length === 1 ? shown : []] as const
    }),
  )
  return (row: Row): string | undefined => {
    const coin = coinOf(row)
    const isItsOwn = sharing.get(coin)?.[0] === row.token || proven.has(row.token)
    return coin !== '' && isItsOwn ? coin : undefined
  }
}

/** The picture and price id that the registry has; a native asset gets neither, because gas is priced by it. */
const looksOf = (
  { iconUrls }: RegistryToken,
  coinGeckoId: string | undefined,
): Pick<TokenEntry, 'logoUrl' | 'coinGeckoId'> => ({
  ...(isWebAddress(iconUrls?.svg ?? '') ? { logoUrl: iconUrls?.svg } : {}),
  ...(coinGeckoId === undefined ? {} : { coinGeckoId }),
})

/** The token of an address, with the ids of all its rows: it is as the first says. */
const entryOf = (
  { token, row, chain, address, contract, decimals, isVerified }: Row,
  others: readonly Row[],
  coinGeckoId: string | undefined,
): TokenEntry => ({
  chainId: chain.entry.chainId,
  address,
  ...shownAs(token, row),
  decimals,
  verified: isVerified,
  ...(contract === undefined ? looksOf(token, coinGeckoId) : {}),
  ...familyMembers(chain, address, row),
  its: {
    tokenId: token.tokenId.toLowerCase(),
    ...(others.length === 0
      ? {}
      : { otherTokenIds: others.map((other) => other.token.tokenId.toLowerCase()) }),
    ...(contract === undefined ? {} : { contract }),
  },
})

const entriesOf = (rows: readonly Row[], coinOf: (row: Row) => string | undefined): readonly TokenEntry[] =>
  [...Map.groupBy(rows, placeOf).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [entryOf(first, others, coinOf(first))],
  )

/** The interchain tokens of the registry that have two chains in the file; verified are those whose address the id proves. */
export const syncInterchainTokens = (sources: Sources, chains: readonly SyncedChain[]): SyncedTokens => {
  const names = byName(chains)
  const made = Object.entries(sources.registry.tokens).flatMap(([key, token]): readonly (Row | LeftOut)[] => {
    const check = checkId(key, token, sources)
    if (check === 'differs')
      return [
        { entry: token.prettySymbol, reason: `the token id does not follow from the registry's fields` },
      ]
    return token.chains.map((row) => rowOf(sources, token, row, names, check))
  })
  const { kept, leftOut: doubles } = withoutDoubles(made.filter((one) => 'token' in one))
  const sides = Map.groupBy(kept, ({ token }) => token)
  const isAlone = ({ token }: Row): boolean => (sides.get(token)?.length ?? 0) < 2
  const rows = kept.filter((row) => !isAlone(row))
  const coinOf = priceIds(rows)
  return {
    tokens: entriesOf(rows, coinOf),
    leftOut: [
      ...made.filter((one) => 'reason' in one),
      ...doubles,
      ...kept.filter(isAlone).map(({ token, row }) => ({
        entry: rowName(token, row),
        reason: 'the file has it on no other chain',
      })),
    ],
  }
}

/** A wanted gateway asset on a chain of the file; undefined where the file has neither the chain nor a place for it. */
const gatewayEntry = (
  { denom, decimals, coingecko_id: coinGeckoId, ...asset }: Sources['assets'][string],
  { address: text, symbol: own }: Sources['assets'][string]['addresses'][string],
  chain: SyncedChain | undefined,
): TokenEntry | LeftOut | undefined => {
  const address = chain === undefined || text === undefined ? undefined : tokenAddressOf(chain, text)
  if (chain?.entry.axelar === undefined || address === undefined) return undefined
  const symbol = own ?? asset.symbol
  if (chain.entry.axelar.connectionType === 'amplifier')
    return {
      entry: `${symbol} on ${chain.entry.chainLabel}`,
      reason: 'an amplifier chain has no gateway tokens',
    }
  return {
    chainId: chain.entry.chainId,
    address,
    symbol,
    name: symbol === asset.symbol ? asset.name : `${asset.name} (${symbol})`,
    decimals,
    verified: true,
    ...((coinGeckoId ?? '') === '' ? {} : { coinGeckoId }),
    gateway: { denom, symbol },
  }
}

/** The wanted gateway assets on the chains that have them; the others are left out. */
export const syncGatewayAssets = (
  { assets }: Sources,
  chains: readonly SyncedChain[],
  wanted: ReadonlySet<string>,
): SyncedTokens => {
  const names = byName(chains)
  const made = Object.values(assets)
    .filter(({ denom }) => wanted.has(denom))
    .flatMap((asset) =>
      Object.entries(asset.addresses).flatMap(
        ([name, place]) => gatewayEntry(asset, place, names.get(name.toLowerCase())) ?? [],
      ),
    )
  const notWanted = Object.values(assets)
    .filter(({ denom }) => !wanted.has(denom))
    .map(({ symbol }) => ({ entry: symbol, reason: 'the gateway asset is not among those asked for' }))
  return {
    tokens: made.filter((one) => 'chainId' in one),
    leftOut: [...made.filter((one) => 'reason' in one), ...notWanted],
  }
}

/**
 * One entry per address: a native asset, an interchain token and a gateway asset can be the same. What two say differently
 * is as the first says.
 */
export const mergeTokens = (...lists: readonly (readonly TokenEntry[])[]): readonly TokenEntry[] => {
  const keyOf = ({ chainId, address }: TokenEntry): string => `${chainId} ${comparableAddress(address)}`
  const merged = new Map<string, TokenEntry>()
  for (const token of lists.flat()) {
    const known = merged.get(keyOf(token))
    merged.set(keyOf(token), { ...known, ...token, ...known })
  }
  return [...merged.values()]
}
