import { createPublicClient, http, type PublicClient, parseAbi } from 'viem'
import { keccak256, stringToHex } from 'viem/utils'
import type { ChainFacts, DeployChain, Hex } from './chain-facts.ts'

/** What a deployment reads of a chain, from its first endpoint. */
export type DeployNode = {
  readonly client: PublicClient
  readonly hasCode: (address: Hex) => Promise<boolean>
  readonly chainNumber: () => Promise<number>
  /** Whether ITS knows its chain by Axelar's case-exact name; undefined for a chain without ITS. */
  readonly isNamed: () => Promise<boolean | undefined>
  /** What a deployed contract says of its chain; a fact that its kind does not keep is undefined. */
  readonly factsOf: (contract: Hex) => Promise<Partial<ChainFacts>>
}

const FACTS_ABI = parseAbi([
  'function gateway() view returns (address)',
  'function gasService() view returns (address)',
  'function chainName() view returns (bytes32)',
  'function proofWindow() view returns (uint32)',
  'function swapFactory() view returns (address)',
  'function wrappedNative() view returns (address)',
  'function chainNameHash() view returns (bytes32)',
])
const FACTS = ['gateway', 'gasService', 'chainName', 'proofWindow', 'swapFactory', 'wrappedNative'] as const
const TIMEOUT_MS = 20_000

/** Connects to a chain's first endpoint. */
export const connectDeployNode = (chain: DeployChain): DeployNode => {
  const transport = http(chain.rpcUrl, { timeout: TIMEOUT_MS, retryCount: 2 })
  const client = createPublicClient({ transport })
  const factOf = async (address: Hex, functionName: (typeof FACTS)[number]) => {
    try {
      return [functionName, await client.readContract({ address, abi: FACTS_ABI, functionName })] as const
    } catch (error) {
      // A contract without this fact reverts; whatever else fails must not look like a missing fact.
      if (
        error instanceof Error &&
        error.name === 'ContractFunctionExecutionError' &&
        /revert/.test(error.message)
      )
        return undefined
      throw error
    }
  }
  return {
    client,
    chainNumber: () => client.getChainId(),
    hasCode: async (address) => ((await client.getCode({ address })) ?? '0x') !== '0x',
    isNamed: async () => {
      if (chain.its === undefined) return undefined
      const hash = await client.readContract({
        address: chain.its,
        abi: FACTS_ABI,
        functionName: 'chainNameHash',
      })
      return hash === keccak256(stringToHex(chain.axelarName))
    },
    factsOf: async (contract) => {
      const found = await Promise.all(FACTS.map((fact) => factOf(contract, fact)))
      return Object.fromEntries(found.flatMap((entry) => (entry === undefined ? [] : [entry])))
    },
  }
}
