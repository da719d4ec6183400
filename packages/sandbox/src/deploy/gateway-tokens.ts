import type { NetworkToken } from 'openrfq/network'
import {
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  parseAbi,
  parseAbiParameters,
  toHex,
  zeroAddress,
} from 'viem'
import type { Hex } from '../deployment-types.ts'
import { USERS } from '../keys.ts'
import type { Artifacts } from './artifacts.ts'
import { transferCall } from './fund.ts'
import { type ConnectedSite, executeCommands } from './gateway-commands.ts'
import { GATEWAY_PLANS, type GatewayPlan } from './plan.ts'

const TOKEN_ABI = parseAbi(['function mint(address account, uint256 amount)', 'function deposit() payable'])
const GATEWAY_ABI = parseAbi([
  'function tokenAddresses(string symbol) view returns (address)',
  'function setTokenMintLimits(string[] symbols, uint256[] limits)',
])
const DEPLOY_PARAMETERS = parseAbiParameters('string, string, uint8, uint256, address, uint256')
const MINT_PARAMETERS = parseAbiParameters('string, address, uint256')
const UNLIMITED = 0n

const commandId = (text: string): Hex => keccak256(toHex(text))
const symbolOn = (plan: GatewayPlan, axelarName: string): string => {
  const symbol = plan.asset.symbols[axelarName]
  if (symbol === undefined) throw new Error(`asset ${plan.asset.denom} has no symbol on ${axelarName}`)
  return symbol
}

/** Whole tokens held on a chain after the build, by the deployer and the users. */
const supplyOf = (plan: GatewayPlan): bigint =>
  (plan.stockWhole + plan.userWhole * BigInt(USERS.length)) * 10n ** BigInt(plan.asset.decimals)

/**
 * Deploys a token on its home chain with the deployer's supply, and locks in the gateway the backing of all remote
 * supplies.
 */
const buildAtHome = async (
  site: ConnectedSite,
  artifacts: Artifacts,
  plan: GatewayPlan,
  remotes: number,
): Promise<Hex> => {
  const { deployer } = site
  const symbol = symbolOn(plan, site.plan.axelarName)
  const backing = supplyOf(plan) * BigInt(remotes)
  const total = supplyOf(plan) + backing
  const native = plan.contract === 'wrappedNative'
  const parameters = native ? [plan.name, symbol] : [plan.name, symbol, plan.asset.decimals]
  const token = await deployer.deploy(artifacts[plan.contract], parameters)
  const supply = native
    ? encodeFunctionData({ abi: TOKEN_ABI, functionName: 'deposit' })
    : encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [deployer.address, total] })
  await deployer.send(token, supply, native ? total : 0n)
  await deployer.send(token, transferCall(site.chain.gateway, backing))
  return token
}

const register = async (site: ConnectedSite, plan: GatewayPlan, external: Hex): Promise<Hex> => {
  const symbol = symbolOn(plan, site.plan.axelarName)
  const params = encodeAbiParameters(DEPLOY_PARAMETERS, [
    external === zeroAddress ? plan.remoteName : plan.name,
    symbol,
    plan.asset.decimals,
    0n,
    external,
    UNLIMITED,
  ])
  await executeCommands(site, [{ id: commandId(`deploy ${symbol}`), name: 'deployToken', params }])
  return site.client.readContract({
    address: site.chain.gateway,
    abi: GATEWAY_ABI,
    functionName: 'tokenAddresses',
    args: [symbol],
  })
}

const mintSupply = async (site: ConnectedSite, plan: GatewayPlan): Promise<void> => {
  const symbol = symbolOn(plan, site.plan.axelarName)
  const params = encodeAbiParameters(MINT_PARAMETERS, [symbol, site.deployer.address, supplyOf(plan)])
  await executeCommands(site, [{ id: commandId(`mint ${symbol}`), name: 'mintToken', params }])
}

const limitMints = async (site: ConnectedSite, plan: GatewayPlan): Promise<void> => {
  const limit = plan.mintLimitWhole * 10n ** BigInt(plan.asset.decimals)
  const calldata = encodeFunctionData({
    abi: GATEWAY_ABI,
    functionName: 'setTokenMintLimits',
    args: [[symbolOn(plan, site.plan.axelarName)], [limit]],
  })
  await site.governor.send(site.chain.gateway, calldata)
}

/** The gateway's own tokens have permits of ERC-2612. */
const signaturesOf = (
  { contract, name, remoteName }: GatewayPlan,
  atHome: boolean,
): Pick<NetworkToken, 'signatures'> => {
  if (!atHome) return { signatures: { name: remoteName, version: '1', methods: ['erc2612'] } }
  return contract === 'authorizedToken' ? { signatures: { name, version: '1', methods: ['erc3009'] } } : {}
}

const buildToken = async (
  site: ConnectedSite,
  artifacts: Artifacts,
  plan: GatewayPlan,
): Promise<NetworkToken> => {
  const { axelarName, chainId } = site.plan
  const symbol = symbolOn(plan, axelarName)
  const atHome = axelarName === plan.home
  const remotes = Object.keys(plan.asset.symbols).length - 1
  const external = atHome ? await buildAtHome(site, artifacts, plan, remotes) : zeroAddress
  const address = await register(site, plan, external)
  if (!atHome) await mintSupply(site, plan)
  await limitMints(site, plan)
  return {
    chainId,
    address,
    ...signaturesOf(plan, atHome),
    symbol,
    name: atHome ? plan.name : plan.remoteName,
    decimals: plan.asset.decimals,
    verified: true,
    resetsAllowance: false,
    gateway: { denom: plan.asset.denom, symbol, expressCap: plan.asset.expressCap.toString() },
    intent: true,
    usdPrice: plan.usdPrice,
  }
}

/** Registers every gateway asset of the plan on one chain; the deployer holds the whole supply. */
export const buildGatewayTokens = async (
  site: ConnectedSite,
  artifacts: Artifacts,
): Promise<readonly NetworkToken[]> => {
  const tokens: NetworkToken[] = []
  for (const plan of GATEWAY_PLANS) tokens.push(await buildToken(site, artifacts, plan))
  return tokens
}
