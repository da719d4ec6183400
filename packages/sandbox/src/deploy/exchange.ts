import type { Exchange, NetworkToken } from 'openrfq/network'
import { encodeFunctionData, maxUint256, parseAbi, zeroAddress } from 'viem'
import type { Hex } from '../deployment-types.ts'
import type { Artifacts } from './artifacts.ts'
import { POOL_PLANS } from './exchange-plan.ts'
import { sharesOf, transferCall } from './fund.ts'
import { LIQUIDITY_SHARE, NATIVE_USD_PRICE } from './plan.ts'
import { buildPool, type PoolToken } from './pools.ts'
import type { Site } from './site.ts'

const TOKEN_ABI = parseAbi([
  'function deposit() payable',
  'function approve(address spender, uint256 amount) returns (bool)',
])

/** Native asset that the liquidity provider wraps, in wei. */
const WRAPPED = 50_000n * 10n ** 18n

/** The wrapped native token of a chain's pools; deployed here unless it is a gateway asset. */
const nativeToken = async (
  site: Site,
  artifacts: Artifacts,
  tokens: readonly NetworkToken[],
): Promise<PoolToken> => {
  const known = tokens.find(({ symbol }) => symbol === 'WETH')
  const address =
    known === undefined
      ? await site.deployer.deploy(artifacts.wrappedNative, ['Wrapped Ether', 'WETH'])
      : // CAST: an EVM address that the deployment itself returned.
        (known.address as Hex)
  const deposit = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'deposit' })
  await site.liquidityProvider.send(address, deposit, WRAPPED)
  return { address, decimals: 18, usdPrice: NATIVE_USD_PRICE }
}

/** Gives the liquidity provider its share of a token's stock. */
const provide = async (site: Site, token: NetworkToken): Promise<PoolToken> => {
  const amount = (sharesOf(token).stockWhole * 10n ** BigInt(token.decimals)) / LIQUIDITY_SHARE
  // CAST: an EVM address that the deployment itself returned.
  const address = token.address as Hex
  await site.deployer.send(address, transferCall(site.liquidityProvider.address, amount))
  return { address, decimals: token.decimals, usdPrice: token.usdPrice ?? '1' }
}

/** The tokens of the chain's pools by the plan's symbols, held by the liquidity provider. */
const stockTokens = async (
  site: Site,
  artifacts: Artifacts,
  tokens: readonly NetworkToken[],
): Promise<ReadonlyMap<string, PoolToken>> => {
  const stocked = new Map([['native', await nativeToken(site, artifacts, tokens)]])
  for (const symbol of new Set(POOL_PLANS[site.plan.axelarName]?.flatMap(({ pair }) => pair))) {
    const token = tokens.find((candidate) => candidate.symbol === symbol)
    if (token !== undefined) stocked.set(symbol, await provide(site, token))
  }
  return stocked
}

/**
 * Deploys Uniswap v3 with the planned pools and their liquidity on a chain whose tokens the deployer holds. Throws when
 * any transaction fails.
 */
export const buildExchange = async (
  site: Site,
  artifacts: Artifacts,
  tokens: readonly NetworkToken[],
): Promise<Exchange> => {
  const { liquidityProvider } = site
  const stocked = await stockTokens(site, artifacts, tokens)
  const wrappedNative = stocked.get('native')?.address ?? zeroAddress
  const factory = await liquidityProvider.deploy(artifacts.exchangeFactory, [])
  const positionManager = await liquidityProvider.deploy(artifacts.positionManager, [
    factory,
    wrappedNative,
    zeroAddress,
  ])
  const router = await liquidityProvider.deploy(artifacts.swapRouter, [factory, wrappedNative])
  const quoter = await liquidityProvider.deploy(artifacts.quoter, [factory, wrappedNative])
  const tickLens = await liquidityProvider.deploy(artifacts.tickLens, [])
  for (const { address } of stocked.values())
    for (const spender of [positionManager, router])
      await liquidityProvider.send(
        address,
        encodeFunctionData({ abi: TOKEN_ABI, functionName: 'approve', args: [spender, maxUint256] }),
      )
  const pools: Exchange['pools'] = []
  for (const { pair, fee, depthUsd } of POOL_PLANS[site.plan.axelarName] ?? []) {
    const [one, other] = pair.map((symbol) => stocked.get(symbol))
    if (one === undefined || other === undefined) throw new Error(`no tokens for a pool of ${pair.join('/')}`)
    pools.push(await buildPool(site, { factory, positionManager }, { tokens: [one, other], fee, depthUsd }))
  }
  return { router, factory, tickLens, quoter, wrappedNative, pools }
}
