import { privateKeyToAddress } from 'viem/accounts'
import { ConfigError } from '../../core/config-error.ts'
import type { Network, NetworkChain } from '../../core/network.ts'
import type { Clock } from '../../lib/clock.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import { networkPathsOf, readNetwork } from '../network-file.ts'
import { type DeployChain, deployChainOf, type Hex } from './chain-facts.ts'
import { type ContractFamily, contractFamily } from './contract-family.ts'
import { withDeployNode } from './deploy-node.ts'
import { type ChainPlan, planDeployment } from './plan-deployment.ts'
import { type SentStep, sendSteps } from './send-steps.ts'
import { writeOverlay } from './write-overlay.ts'

/** Chains that are asked at the same time. */
const AT_ONCE = 6

/** The network that an environment names. Throws ConfigError. */
export const readDeployNetwork = (environment: Readonly<Record<string, string | undefined>>): Network => {
  const paths = networkPathsOf(environment)
  if (paths === undefined)
    throw new ConfigError('RFQ_CONFIG is not set: expected the network file to deploy for')
  return readNetwork(paths)
}

type Place = { readonly chain: DeployChain; readonly entry: NetworkChain }

/** A family beside every chain of a network: what stands, and what is left. */
export type Deployment = {
  readonly family: ContractFamily
  readonly plans: readonly ChainPlan[]
  /** Sends what is left on the chains without problems. A transaction may cost at most `maximumCost` wei. */
  readonly send: (
    privateKey: Hex,
    maximumCost: bigint,
    tell: (chainId: string, sent: SentStep) => void,
  ) => Promise<void>
  /** Writes the addresses of the chains where everything stands and agrees. Returns whether the file changed. */
  readonly writeTo: (overlayPath: string) => Promise<boolean>
}

const placesOf = (network: Network, wanted: ReadonlySet<string>): readonly Place[] => {
  const places = network.chains.flatMap((entry) => {
    const chain = deployChainOf(entry)
    if (chain === undefined || (wanted.size > 0 && !wanted.has(chain.chainId))) return []
    return [{ chain, entry }]
  })
  const missing = [...wanted].find((chainId) => !places.some(({ chain }) => chain.chainId === chainId))
  if (missing !== undefined)
    throw new ConfigError(
      `--chains: the network has no EVM chain ${missing} with Axelar's contracts and without a gasScale`,
    )
  return places
}

const planOf = async ({ chain, entry }: Place, family: ContractFamily, clock: Clock): Promise<ChainPlan> => {
  try {
    return await withDeployNode(chain, entry, clock, (node) => planDeployment(chain, node, family))
  } catch (error) {
    const says = error instanceof Error ? error.message.split('\n')[0] : String(error)
    const problems = [`its endpoints do not answer alike: ${says}`]
    return { chain, done: [], steps: [], problems, isOwnerContract: false }
  }
}

/** Whether a chain has all contracts of a family, with the network file's facts. */
export const isComplete = ({ steps, problems }: ChainPlan): boolean =>
  steps.length === 0 && problems.length === 0

/**
 * What to know of an owner that is a contract; empty for an account with a key. On a new chain, a Safe belongs to the owners
 * that it was created with, who can create it there and deploy false contracts.
 */
export const ownerNotes = (owner: Hex, plans: readonly ChainPlan[]): readonly string[] => {
  const named = (some: readonly ChainPlan[]): string => some.map(({ chain }) => chain.chainId).join(', ')
  const contracts = plans.filter(({ isOwnerContract }) => isOwnerContract)
  if (contracts.length === 0) return []
  const absent = plans.filter(({ isOwnerContract, steps }) => !isOwnerContract && steps.length > 0)
  return [
    `the owner ${owner} is a contract on ${named(contracts)}: on a new chain a Safe belongs to its first owners, so use one whose owners never changed, or one hardware key`,
    ...(absent.length === 0
      ? []
      : [`the owner has no code on ${named(absent)}: create it there before it can deploy`]),
  ]
}

/** Plans the deployment of an owner's contracts on the named chains of a network, or on all. Throws ConfigError. */
export const planFamily = async (
  network: Network,
  wanted: ReadonlySet<string>,
  owner: Hex,
  saltText: string,
  clock: Clock,
): Promise<Deployment> => {
  const places = placesOf(network, wanted)
  const family = contractFamily(owner, saltText)
  const readPlans = () => mapAtMost(AT_ONCE, places, (place) => planOf(place, family, clock))
  const plans = await readPlans()
  return {
    family,
    plans,
    send: async (privateKey, maximumCost, tell) => {
      if (privateKeyToAddress(privateKey).toLowerCase() !== owner.toLowerCase())
        throw new ConfigError('the key is not the owner’s: the owner alone can deploy')
      for (const [index, plan] of plans.entries()) {
        const place = places[index]
        if (place === undefined) continue
        const { chain, entry } = place
        await withDeployNode(chain, entry, clock, (node) =>
          sendSteps(plan, { node, privateKey, maximumCost }, (sent) => tell(chain.chainId, sent)),
        )
      }
    },
    writeTo: async (overlayPath) => {
      const complete = new Set((await readPlans()).filter(isComplete).map(({ chain }) => chain.chainId))
      const chains = places
        .filter(({ chain }) => complete.has(chain.chainId))
        .map(({ chain: { chainId }, entry }) => ({
          chainId,
          finalitySeconds: entry.axelar?.finalitySeconds ?? 0,
        }))
      return chains.length === 0 ? false : writeOverlay(overlayPath, chains, family)
    },
  }
}
