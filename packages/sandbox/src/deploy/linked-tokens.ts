import type { NetworkToken } from 'openrfq/network'
import { encodeFunctionData, encodePacked, keccak256, parseAbi, toHex } from 'viem'
import type { Hex } from '../deployment-types.ts'
import { transferCall } from './fund.ts'
import type { ConnectedSite } from './gateway-commands.ts'
import { carryThroughHub } from './hub-step.ts'
import { GATEWAY_PLANS, type GatewayPlan } from './plan.ts'

const FACTORY_ABI = parseAbi([
  'function linkedTokenId(address deployer, bytes32 salt) view returns (bytes32)',
  'function registerCustomToken(bytes32 salt, address tokenAddress, uint8 tokenManagerType, address operator) payable returns (bytes32)',
  'function linkToken(bytes32 salt, string destinationChain, bytes destinationTokenAddress, uint8 tokenManagerType, bytes linkParams, uint256 gasValue) payable returns (bytes32)',
])
const ITS_ABI = parseAbi(['function deployedTokenManager(bytes32 tokenId) view returns (address)'])

/** Only the gateway mints its tokens, so ITS locks them on one chain and unlocks them on another. */
const LOCK_UNLOCK = 2

/** A gateway asset's token on one chain. */
type Side = { readonly site: ConnectedSite; readonly token: NetworkToken }

// CAST: an EVM address that the deployment itself returned.
const addressOf = ({ token }: Side): Hex => token.address as Hex

const registerAtHome = async (home: Side, salt: Hex): Promise<Hex> => {
  const { deployer, chain, client } = home.site
  const args = [salt, addressOf(home), LOCK_UNLOCK, deployer.address] as const
  await deployer.send(
    chain.itsFactory,
    encodeFunctionData({ abi: FACTORY_ABI, functionName: 'registerCustomToken', args }),
  )
  return client.readContract({
    address: chain.itsFactory,
    abi: FACTORY_ABI,
    functionName: 'linkedTokenId',
    args: [deployer.address, salt],
  })
}

const linkRemote = async (
  home: Side,
  remote: Side,
  salt: Hex,
  sites: readonly ConnectedSite[],
): Promise<void> => {
  const { deployer, chain } = home.site
  const operator = encodePacked(['address'], [remote.site.deployer.address])
  const token = encodePacked(['address'], [addressOf(remote)])
  const args = [salt, remote.site.plan.axelarName, token, LOCK_UNLOCK, operator, 0n] as const
  const link = encodeFunctionData({ abi: FACTORY_ABI, functionName: 'linkToken', args })
  await carryThroughHub(home.site, sites, await deployer.send(chain.itsFactory, link))
}

/** Pays a token manager from the deployer's supply the tokens it will release. */
const fundManager = async (side: Side, tokenId: Hex, amount: bigint): Promise<void> => {
  const { deployer, chain, client } = side.site
  const manager = await client.readContract({
    address: chain.its,
    abi: ITS_ABI,
    functionName: 'deployedTokenManager',
    args: [tokenId],
  })
  await deployer.send(addressOf(side), transferCall(manager, amount))
}

/** Links an asset's tokens on all chains and returns their token id. */
const linkAsset = async (
  { home: homeName, asset }: GatewayPlan,
  locked: bigint,
  sides: readonly Side[],
  sites: readonly ConnectedSite[],
): Promise<Hex> => {
  const home = sides.find(({ site }) => site.plan.axelarName === homeName)
  if (home === undefined) throw new Error(`asset ${asset.denom} does not stand on ${homeName}`)
  const salt = keccak256(toHex(`sandbox ${asset.denom}`))
  const tokenId = await registerAtHome(home, salt)
  for (const remote of sides.filter((side) => side !== home)) await linkRemote(home, remote, salt, sites)
  for (const side of sides) await fundManager(side, tokenId, locked)
  return tokenId
}

/**
 * Links the planned gateway tokens under one ITS token id each, as Axelar links existing tokens. Returns all given
 * tokens, the linked ones with their id. Throws when the hub rejects one.
 */
export const linkGatewayTokens = async (
  sites: readonly ConnectedSite[],
  tokens: readonly NetworkToken[],
): Promise<readonly NetworkToken[]> => {
  const ids = new Map<string, Hex>()
  for (const plan of GATEWAY_PLANS) {
    const { denom, decimals } = plan.asset
    if (plan.lockedWhole === undefined) continue
    const sides = sites.flatMap((site): readonly Side[] => {
      const token = tokens.find(
        ({ chainId, gateway }) => chainId === site.plan.chainId && gateway?.denom === denom,
      )
      return token === undefined ? [] : [{ site, token }]
    })
    ids.set(denom, await linkAsset(plan, plan.lockedWhole * 10n ** BigInt(decimals), sides, sites))
  }
  return tokens.map((token) => {
    const tokenId = ids.get(token.gateway?.denom ?? '')
    return tokenId === undefined ? token : { ...token, its: { tokenId } }
  })
}
