import { encodeFunctionData, parseAbi } from 'viem'
import type { NetworkToken } from '../../core/network.ts'
import { USERS } from '../keys.ts'
import type { Hex } from '../world-types.ts'
import { GATEWAY_PLANS, INTERCHAIN_PLANS } from './plan.ts'
import type { Site } from './site.ts'

const ERC20_ABI = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])

/** Calldata of an ERC-20 transfer; the amount is in base units. */
export const transferCall = (to: Hex, amount: bigint): Hex =>
  encodeFunctionData({ abi: ERC20_ABI, functionName: 'transfer', args: [to, amount] })

const userWhole = (token: NetworkToken): bigint =>
  INTERCHAIN_PLANS.find((plan) => plan.symbol === token.symbol)?.userWhole ??
  GATEWAY_PLANS.find((plan) => plan.asset.denom === token.gateway?.denom)?.userWhole ??
  0n

/** Gives every user their share of every given token of the site's chain, out of the deployer's supply. */
export const fundUsers = async (site: Site, tokens: readonly NetworkToken[]): Promise<void> => {
  for (const token of tokens) {
    const amount = userWhole(token) * 10n ** BigInt(token.decimals)
    // CAST: an EVM address that the deployment itself returned.
    for (const user of USERS)
      await site.deployer.send(token.address as Hex, transferCall(user.address, amount))
  }
}
