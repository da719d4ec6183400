import type { NetworkToken } from 'openrfq/network'
import { encodeFunctionData, parseAbi } from 'viem'
import type { Hex } from '../deployment-types.ts'
import { SOLVERS, USERS } from '../keys.ts'
import { GATEWAY_PLANS, INTERCHAIN_PLANS, type Shares, SOLVER_SHARE } from './plan.ts'
import type { Site } from './site.ts'

const ERC20_ABI = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])

/** Calldata of an ERC-20 transfer; the amount is in base units. */
export const transferCall = (to: Hex, amount: bigint): Hex =>
  encodeFunctionData({ abi: ERC20_ABI, functionName: 'transfer', args: [to, amount] })

/** Whole tokens of the deployer's stock and of each user's share. Throws for a token without a plan. */
export const sharesOf = (token: NetworkToken): Shares => {
  const plan =
    INTERCHAIN_PLANS.find(({ symbol }) => symbol === token.symbol) ??
    GATEWAY_PLANS.find(({ asset }) => asset.denom === token.gateway?.denom)
  if (plan === undefined) throw new Error(`no plan shares out ${token.symbol}`)
  return plan
}

/**
 * Pays every user's share of each token from the deployer's supply, and a tenth of the stock to every solver that
 * quotes the token.
 */
export const fundHolders = async (site: Site, tokens: readonly NetworkToken[]): Promise<void> => {
  for (const token of tokens) {
    const { userWhole, stockWhole } = sharesOf(token)
    const one = 10n ** BigInt(token.decimals)
    const give = (holder: { readonly address: Hex }, amount: bigint) =>
      // CAST: an EVM address that the deployment itself returned.
      site.deployer.send(token.address as Hex, transferCall(holder.address, amount))
    for (const user of USERS) await give(user, userWhole * one)
    if (token.intent) for (const solver of SOLVERS) await give(solver, (stockWhole * one) / SOLVER_SHARE)
  }
}
