import { getContractAddress } from 'viem'
import type { Hex } from '../deployment-types.ts'
import type { Artifacts } from './artifacts.ts'
import type { AxelarContracts } from './axelar-contracts.ts'
import { CHAIN_PLANS } from './plan.ts'
import type { Site } from './site.ts'

/** Minimum time between fill deadline and refund, in seconds; a proof takes a few seconds here. */
const PROOF_WINDOW_SECONDS = 5

/** The twin deployer's nonce after Create3Deployer and the factory. */
const TWIN_NONCE = 2n

/**
 * Deploys the settler, which trusts the settlers of the other chains. The same key and nonce give it the same address
 * everywhere, so each settler can name the others before they exist. Throws when the address differs.
 */
export const deployIntentSettler = async (
  site: Site,
  artifacts: Artifacts,
  { gateway, gasService }: AxelarContracts,
): Promise<Hex> => {
  const settler = getContractAddress({ from: site.twinDeployer.address, nonce: TWIN_NONCE })
  const remotes = CHAIN_PLANS.filter(({ chainId }) => chainId !== site.plan.chainId).map(
    ({ chainNumber, axelarName }) => ({
      chainId: BigInt(chainNumber),
      axelarChain: axelarName,
      settler,
      proofWindowSeconds: PROOF_WINDOW_SECONDS,
    }),
  )
  const deployed = await site.twinDeployer.deploy(artifacts.intentSettler, [gateway, gasService, remotes])
  if (deployed !== settler) throw new Error(`the settler was deployed at ${deployed}, not at ${settler}`)
  return settler
}
