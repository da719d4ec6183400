import type { NetworkToken } from 'openrfq/network'
import {
  encodeFunctionData,
  encodePacked,
  keccak256,
  maxUint256,
  parseAbi,
  type TransactionReceipt,
  toHex,
} from 'viem'
import type { Hex } from '../deployment-types.ts'
import { USERS } from '../keys.ts'
import type { Artifacts } from './artifacts.ts'
import type { ConnectedSite } from './gateway-commands.ts'
import { carryThroughHub } from './hub-step.ts'
import { INTERCHAIN_PLANS, type InterchainPlan } from './plan.ts'

const ERC20_ABI = parseAbi([
  'function mint(address account, uint256 amount)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function decimals() view returns (uint8)',
])
const FACTORY_ABI = parseAbi([
  'function interchainTokenId(address deployer, bytes32 salt) view returns (bytes32)',
  'function canonicalInterchainTokenId(address token) view returns (bytes32)',
  'function deployInterchainToken(bytes32 salt, string name, string symbol, uint8 decimals, uint256 initialSupply, address minter) payable returns (bytes32)',
  'function deployRemoteInterchainToken(bytes32 salt, string destinationChain, uint256 gasValue) payable returns (bytes32)',
  'function registerCanonicalInterchainToken(address token) payable returns (bytes32)',
  'function deployRemoteCanonicalInterchainToken(address token, string destinationChain, uint256 gasValue) payable returns (bytes32)',
])
const ITS_ABI = parseAbi([
  'function registeredTokenAddress(bytes32 tokenId) view returns (address)',
  'function setFlowLimits(bytes32[] tokenIds, uint256[] limits)',
  'function interchainTransfer(bytes32 tokenId, string destinationChain, bytes destinationAddress, uint256 amount, bytes metadata, uint256 gasValue) payable',
])

/** A token on its home chain: its id, and the call that requests its remote deployment. */
type HomeToken = {
  readonly site: ConnectedSite
  readonly tokenId: Hex
  readonly deployRemote: (axelarName: string) => Promise<TransactionReceipt>
}

const supplyWhole = (plan: InterchainPlan): bigint => plan.stockWhole + plan.userWhole * BigInt(USERS.length)

const totalSupply = (plan: InterchainPlan): bigint =>
  supplyWhole(plan) * BigInt(plan.remotes.length + 1) * 10n ** BigInt(plan.decimals)

const registeredAddress = (site: ConnectedSite, tokenId: Hex): Promise<Hex> =>
  site.client.readContract({
    address: site.chain.its,
    abi: ITS_ABI,
    functionName: 'registeredTokenAddress',
    args: [tokenId],
  })

/** Deploys a new token that ITS, its only minter, mints and burns on every chain. */
const buildNative = async (site: ConnectedSite, plan: InterchainPlan): Promise<HomeToken> => {
  const { deployer, chain, client } = site
  const salt = keccak256(toHex(`sandbox ${plan.symbol}`))
  const factory = { address: chain.itsFactory, abi: FACTORY_ABI } as const
  await deployer.send(
    chain.itsFactory,
    encodeFunctionData({
      abi: FACTORY_ABI,
      functionName: 'deployInterchainToken',
      args: [salt, plan.name, plan.symbol, plan.decimals, totalSupply(plan), deployer.address],
    }),
  )
  const tokenId = await client.readContract({
    ...factory,
    functionName: 'interchainTokenId',
    args: [deployer.address, salt],
  })
  const deployRemote = (axelarName: string) =>
    deployer.send(
      chain.itsFactory,
      encodeFunctionData({
        abi: FACTORY_ABI,
        functionName: 'deployRemoteInterchainToken',
        args: [salt, axelarName, 0n],
      }),
    )
  return { site, tokenId, deployRemote }
}

/** Registers an existing ERC-20, locked at home and minted elsewhere. The deployer approves ITS for its supply. */
const buildCanonical = async (
  site: ConnectedSite,
  artifacts: Artifacts,
  plan: InterchainPlan,
): Promise<HomeToken> => {
  const { deployer, chain, client } = site
  const token = await deployer.deploy(artifacts[plan.contract], [plan.name, plan.symbol, plan.decimals])
  const supply = [deployer.address, totalSupply(plan)] as const
  await deployer.send(token, encodeFunctionData({ abi: ERC20_ABI, functionName: 'mint', args: supply }))
  await deployer.send(
    token,
    encodeFunctionData({ abi: ERC20_ABI, functionName: 'approve', args: [chain.its, maxUint256] }),
  )
  await deployer.send(
    chain.itsFactory,
    encodeFunctionData({
      abi: FACTORY_ABI,
      functionName: 'registerCanonicalInterchainToken',
      args: [token],
    }),
  )
  const tokenId = await client.readContract({
    address: chain.itsFactory,
    abi: FACTORY_ABI,
    functionName: 'canonicalInterchainTokenId',
    args: [token],
  })
  const deployRemote = (axelarName: string) =>
    deployer.send(
      chain.itsFactory,
      encodeFunctionData({
        abi: FACTORY_ABI,
        functionName: 'deployRemoteCanonicalInterchainToken',
        args: [token, axelarName, 0n],
      }),
    )
  return { site, tokenId, deployRemote }
}

/** Sends the deployer's supply of a remote chain there by an ordinary ITS transfer. */
const sendSupply = (
  home: HomeToken,
  plan: InterchainPlan,
  axelarName: string,
): Promise<TransactionReceipt> => {
  const { deployer, chain } = home.site
  const amount = supplyWhole(plan) * 10n ** BigInt(plan.decimals)
  return deployer.send(
    chain.its,
    encodeFunctionData({
      abi: ITS_ABI,
      functionName: 'interchainTransfer',
      args: [home.tokenId, axelarName, encodePacked(['address'], [deployer.address]), amount, '0x', 0n],
    }),
  )
}

const limitFlow = async (
  site: ConnectedSite,
  tokenId: Hex,
  plan: InterchainPlan,
  decimals: number,
): Promise<void> => {
  if (plan.flowLimitWhole === undefined) return
  const limit = plan.flowLimitWhole * 10n ** BigInt(decimals)
  const args = [[tokenId], [limit]] as const
  await site.deployer.send(
    site.chain.its,
    encodeFunctionData({ abi: ITS_ABI, functionName: 'setFlowLimits', args }),
  )
}

const describe = async (site: ConnectedSite, tokenId: Hex, plan: InterchainPlan): Promise<NetworkToken> => {
  const address = await registeredAddress(site, tokenId)
  const decimals = await site.client.readContract({ address, abi: ERC20_ABI, functionName: 'decimals' })
  await limitFlow(site, tokenId, plan, decimals)
  return {
    chainId: site.plan.chainId,
    address,
    symbol: plan.symbol,
    name: plan.name,
    decimals,
    verified: plan.verified,
    resetsAllowance: plan.resetsAllowance && site.plan.axelarName === plan.home,
    its: { tokenId },
    intent: plan.intent,
    usdPrice: plan.usdPrice,
  }
}

const siteNamed = (sites: readonly ConnectedSite[], axelarName: string): ConnectedSite => {
  const site = sites.find((candidate) => candidate.plan.axelarName === axelarName)
  if (site === undefined) throw new Error(`no chain ${axelarName} in the plan`)
  return site
}

/**
 * Deploys every interchain token of the plan at home, and through the hub elsewhere. The deployer holds each chain's
 * supply.
 */
export const buildInterchainTokens = async (
  sites: readonly ConnectedSite[],
  artifacts: Artifacts,
): Promise<readonly NetworkToken[]> => {
  const tokens: NetworkToken[] = []
  for (const plan of INTERCHAIN_PLANS) {
    const site = siteNamed(sites, plan.home)
    const native = plan.contract === 'interchainToken'
    const home = native ? await buildNative(site, plan) : await buildCanonical(site, artifacts, plan)
    for (const remote of plan.remotes) {
      await carryThroughHub(site, sites, await home.deployRemote(remote))
      await carryThroughHub(site, sites, await sendSupply(home, plan, remote))
    }
    for (const name of [plan.home, ...plan.remotes])
      tokens.push(await describe(siteNamed(sites, name), home.tokenId, plan))
  }
  return tokens
}
