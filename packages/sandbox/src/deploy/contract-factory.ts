import { encodeFunctionData, keccak256, parseAbi, toHex, zeroHash } from 'viem'
import type { Hex } from '../deployment-types.ts'
import type { Artifact, Artifacts } from './artifacts.ts'
import type { AxelarContracts } from './axelar-contracts.ts'
import type { Site } from './site.ts'

/** Minimum time between fill deadline and refund, in seconds; a proof or an attestation takes a few seconds here. */
const PROOF_WINDOW_SECONDS = 5

const FACTORY_ABI = parseAbi([
  'struct ChainFacts { address gateway; address gasService; bytes32 chainName; uint32 proofWindow; address swapFactory; address wrappedNative; }',
  'function deploy(bytes code, bytes32 salt, ChainFacts facts) returns (address)',
  'function addressOf(bytes32 codeHash, bytes32 salt) view returns (address)',
])

/** Contracts of a chain that the factory names to the contracts it deploys. */
type Surroundings = {
  readonly axelar: Pick<AxelarContracts, 'gateway' | 'gasService'>
  readonly exchange: { readonly factory: string; readonly wrappedNative: string }
}

type TwinSite = Pick<Site, 'plan' | 'client' | 'twinDeployer'>

/** Deploys the factory, owned by the twin deployer. The same key and nonce on every chain give it the same address. */
export const deployFactory = ({ twinDeployer }: Site, artifacts: Artifacts): Promise<Hex> =>
  twinDeployer.deploy(artifacts.contractFactory, [twinDeployer.address])

/**
 * Has the factory deploy a contract, which asks it for the facts of its chain. The address depends on the factory's address and
 * the code alone. Throws when the deployment reverts.
 */
export const deployTwin = async (
  { plan, client, twinDeployer }: TwinSite,
  factory: Hex,
  { bytecode }: Artifact,
  { axelar: { gateway, gasService }, exchange }: Surroundings,
): Promise<Hex> => {
  const facts = {
    gateway,
    gasService,
    chainName: toHex(plan.axelarName, { size: 32 }),
    proofWindow: PROOF_WINDOW_SECONDS,
    // CAST: EVM addresses that the deployment itself returned.
    swapFactory: exchange.factory as Hex,
    wrappedNative: exchange.wrappedNative as Hex,
  }
  await twinDeployer.send(
    factory,
    encodeFunctionData({ abi: FACTORY_ABI, functionName: 'deploy', args: [bytecode, zeroHash, facts] }),
  )
  return client.readContract({
    address: factory,
    abi: FACTORY_ABI,
    functionName: 'addressOf',
    args: [keccak256(bytecode), zeroHash],
  })
}
