import type { NetworkToken } from 'openrfq/network'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import type { Hex } from '../deployment-types.ts'
import { EXPRESS_EXECUTOR } from '../keys.ts'
import { createAccount } from './account.ts'
import { sharesOf, transferCall } from './fund.ts'
import type { ConnectedSite } from './gateway-commands.ts'
import { EXECUTOR_SHARE } from './plan.ts'

/** Gives the express executor its share of every bridge token and approves the router for them. */
export const fundExecutor = async (
  { plan, rpcUrl, deployer }: ConnectedSite,
  router: Hex,
  tokens: readonly NetworkToken[],
): Promise<void> => {
  const executor = createAccount(plan.chainNumber, rpcUrl, EXPRESS_EXECUTOR.privateKey, 0)
  const calldata = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [router, maxUint256],
  })
  for (const token of tokens.filter(({ gateway }) => gateway !== undefined)) {
    // CAST: an EVM address that the deployment itself returned.
    const address = token.address as Hex
    const amount = (sharesOf(token).stockWhole * 10n ** BigInt(token.decimals)) / EXECUTOR_SHARE
    await deployer.send(address, transferCall(executor.address, amount))
    await executor.send(address, calldata)
  }
}
