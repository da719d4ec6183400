import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import type { NetworkToken } from '../../core/network.ts'
import { SOLVERS } from '../keys.ts'
import type { Hex } from '../world-types.ts'
import { createAccount } from './account.ts'
import type { ConnectedSite } from './gateway-commands.ts'

/** Has every solver allow the settler all of the given tokens it may quote, which a solver would else do when it starts. */
export const allowSettler = async (
  { plan, rpcUrl, chain }: ConnectedSite,
  tokens: readonly NetworkToken[],
): Promise<void> => {
  const calldata = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [chain.settler, maxUint256],
  })
  for (const { privateKey } of SOLVERS) {
    const solver = createAccount(plan.chainNumber, rpcUrl, privateKey, 0)
    // CAST: an EVM address that the deployment itself returned.
    for (const { address, intent } of tokens) if (intent) await solver.send(address as Hex, calldata)
  }
}
