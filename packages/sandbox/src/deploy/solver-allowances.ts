import type { NetworkToken } from 'openrfq/network'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import type { Hex } from '../deployment-types.ts'
import { SOLVERS } from '../keys.ts'
import { createAccount } from './account.ts'
import type { Site } from './site.ts'

/** Approves the settlers for every token each solver quotes; a solver would otherwise do so when it starts. */
export const allowSettlers = async (
  { plan, rpcUrl }: Site,
  settlers: readonly Hex[],
  tokens: readonly NetworkToken[],
): Promise<void> => {
  const approvals = settlers.map((settler) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [settler, maxUint256] }),
  )
  for (const { privateKey } of SOLVERS) {
    const solver = createAccount(plan.chainNumber, rpcUrl, privateKey, 0)
    // CAST: an EVM address that the deployment itself returned.
    for (const { address, intent } of tokens)
      if (intent) for (const calldata of approvals) await solver.send(address as Hex, calldata)
  }
}
