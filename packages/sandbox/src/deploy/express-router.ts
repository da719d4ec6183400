import type { NetworkToken } from 'openrfq/network'
import { encodeFunctionData, erc20Abi, getContractAddress, maxUint256 } from 'viem'
import type { Hex } from '../deployment-types.ts'
import { EXPRESS_EXECUTOR } from '../keys.ts'
import { createAccount } from './account.ts'
import type { Artifacts } from './artifacts.ts'
import { sharesOf, transferCall } from './fund.ts'
import type { ConnectedSite } from './gateway-commands.ts'
import { CHAIN_PLANS, EXECUTOR_SHARE } from './plan.ts'

/** The twin deployer's nonce after Create3Deployer and the factory. */
const TWIN_NONCE = 2n

/**
 * Deploys the express router, which trusts the routers of the other chains. The same key and nonce give it the same
 * address everywhere, so each router can name the others before they exist. Throws when the address differs.
 */
export const deployExpressRouter = async (
  { chain, plan, twinDeployer }: ConnectedSite,
  artifacts: Artifacts,
  swapRouter: string,
): Promise<Hex> => {
  const router = getContractAddress({ from: twinDeployer.address, nonce: TWIN_NONCE })
  const remotes = CHAIN_PLANS.filter(({ chainId }) => chainId !== plan.chainId).map(
    ({ chainNumber, axelarName }) => ({ chainId: BigInt(chainNumber), axelarChain: axelarName, router }),
  )
  const { gateway, gasService } = chain
  const deployed = await twinDeployer.deploy(artifacts.expressRouter, [
    gateway,
    gasService,
    swapRouter,
    remotes,
  ])
  if (deployed !== router) throw new Error(`the express router was deployed at ${deployed}, not at ${router}`)
  return router
}

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
