import { getContractAddress } from 'viem'
import type { Hex } from '../deployment-types.ts'
import type { Artifacts } from './artifacts.ts'
import type { AxelarContracts } from './axelar-contracts.ts'
import { CHAIN_PLANS } from './plan.ts'
import type { Site } from './site.ts'

/** How long, at least, orders wait between their fill deadline and their refund: a proof takes a few seconds here. */
const PROOF_WINDOW_SECONDS = 5

/** What the twin deployer sent before: Create3Deployer. */
const TWIN_NONCE = 1n

/**
 * Deploys the settler, which trusts those of the other chains. Equal nonces of one key give it one address everywhere, so
 * that each can be told of the others before they exist. Throws when it stands elsewhere.
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
  if (deployed !== settler) throw new Error(`the settler stands at ${deployed}, not at ${settler}`)
  return settler
}
