import type { NetworkToken } from 'openrfq/network'
import { zeroAddress } from 'viem'
import type { Deployment } from '../deployment.ts'
import { readArtifacts } from './artifacts.ts'
import { deployAxelar } from './axelar-contracts.ts'
import { deployFactory, deployTwin } from './contract-factory.ts'
import { buildExchange } from './exchange.ts'
import { fundExecutor } from './express-executor.ts'
import { fundHolders } from './fund.ts'
import type { ConnectedSite } from './gateway-commands.ts'
import { buildGatewayTokens } from './gateway-tokens.ts'
import { buildInterchainTokens } from './interchain-tokens.ts'
import { linkGatewayTokens } from './linked-tokens.ts'
import { CHAIN_PLANS, NATIVE_USD_PRICE } from './plan.ts'
import { openSite } from './site.ts'
import { allowSettlers } from './solver-allowances.ts'

const nativeToken = (chainId: string): NetworkToken => ({
  chainId,
  address: zeroAddress,
  symbol: 'ETH',
  name: 'Ether',
  decimals: 18,
  verified: true,
  resetsAllowance: false,
  intent: true,
  usdPrice: NATIVE_USD_PRICE,
})

/**
 * Deploys all contracts and tokens on three empty, automining chains, whose RPC URLs are in the plan's order. Addresses
 * depend only on the plan and the keys. Throws when any transaction fails.
 */
export const createDeployment = async (rpcUrls: readonly string[]): Promise<Deployment> => {
  const artifacts = readArtifacts()
  const sites = await Promise.all(
    CHAIN_PLANS.map(async (plan, index): Promise<ConnectedSite> => {
      const rpcUrl = rpcUrls[index]
      if (rpcUrl === undefined) throw new Error(`no RPC address for chain ${plan.chainId}`)
      const { chainNumber: _, ...named } = plan
      const site = await openSite(plan, rpcUrl)
      const axelar = await deployAxelar(site, artifacts)
      const factory = await deployFactory(site, artifacts)
      return { ...site, chain: { ...named, rpcUrl, ...axelar, factory } }
    }),
  )
  const gatewayTokens = await Promise.all(sites.map((site) => buildGatewayTokens(site, artifacts)))
  const interchainTokens = await buildInterchainTokens(sites, artifacts)
  const linkedTokens = await linkGatewayTokens(sites, gatewayTokens.flat())
  const tokens = [...linkedTokens, ...interchainTokens]
  const chains = await Promise.all(
    sites.map(async (site) => {
      const { rpcUrl: _, ...chain } = site.chain
      const local = tokens.filter((token) => token.chainId === site.plan.chainId)
      await fundHolders(site, local)
      const exchange = await buildExchange(site, artifacts, local)
      const twin = { axelar: chain, exchange }
      const expressRouter = await deployTwin(site, chain.factory, artifacts.expressRouter, twin)
      await fundExecutor(site, expressRouter, local)
      const attestedSettler = await deployTwin(site, chain.factory, artifacts.attestedSettler, twin)
      const settler = await deployTwin(site, chain.factory, artifacts.intentSettler, twin)
      await allowSettlers(site, [settler, attestedSettler], local)
      return { ...chain, settler, exchange, expressRouter, attestedSettler }
    }),
  )
  return {
    chains,
    tokens: CHAIN_PLANS.flatMap(({ chainId }) => [
      nativeToken(chainId),
      ...tokens.filter((token) => token.chainId === chainId),
    ]),
  }
}
