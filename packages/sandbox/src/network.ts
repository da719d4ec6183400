import type { Network } from 'openrfq/network'
import type { z } from 'zod'
import type { Deployment } from './deployment.ts'
import { AXELARNET_GATEWAY, HUB, ROUTER } from './deployment-types.ts'
import { ATTESTER, EXPRESS_EXECUTOR } from './keys.ts'
import type { SimulatedChain } from './simulated/simulated-chain.ts'
import { type IntentSeconds, SOLVER_PLANS } from './solvers/plan.ts'

/** Confirmations after which the sandbox considers a block final. */
export const FINALITY_BLOCKS = 2

const FINALITY_SECONDS = 2
/** Gas limit that the relayer charges for on every chain. */
const EXECUTE_GAS_LIMIT = 700_000

/** A hundredth of an ether, ten times the cost of a return leg. */
const RETURN_GAS_CAP = 10n ** 16n
/** How long a delivery fails before the keeper gives the transfer back. */
const PATIENCE_SECONDS = 3
/** How long the express executor alone delivers, from the quote on; it takes a second or two. */
const PRIORITY_SECONDS = 5

/** Ten times what an opening costs, and a thousand of them. */
const OPENING = {
  costCap: (10n ** 16n).toString(),
  dailyCostCap: (10n ** 19n).toString(),
  permit2: true,
}

type NetworkChain = z.input<typeof Network>['chains'][number]
/** How chains charge for data on a chain below them, by Axelar name. */
export type L1Fees = Readonly<Record<string, NonNullable<NetworkChain['l1Fee']>>>

/** How to reach the deployment: the chains' RPC URLs, the relayer's URL and the solvers' terms. */
type Reach = {
  readonly simulatedChains: readonly SimulatedChain[]
  readonly rpcUrlsOf: (chainId: string) => readonly string[]
  readonly relayerUrl: string
  readonly attesterUrl: string
  readonly clockUrl: string
  readonly seconds: IntentSeconds
  readonly slowFinality: Readonly<Record<string, number>>
  readonly l1Fees: L1Fees
}

const evmChain = (
  chain: Deployment['chains'][number],
  rpcUrls: readonly string[],
  finality: number = FINALITY_BLOCKS,
): NetworkChain => ({
  chainId: chain.chainId,
  chainLabel: chain.chainLabel,
  chainType: 'evm',
  nativeToken: { symbol: 'ETH', decimals: 18 },
  rpcUrls: [...rpcUrls],
  finality,
  axelar: {
    name: chain.axelarName,
    gateway: chain.gateway,
    gasService: chain.gasService,
    its: chain.its,
    itsFactory: chain.itsFactory,
    finalitySeconds: FINALITY_SECONDS,
    executeGasLimit: EXECUTE_GAS_LIMIT,
    maxUintBits: chain.maxUintBits,
    maxDecimalsWhenTruncating: chain.maxDecimalsWhenTruncating,
  },
  intent: { settler: chain.settler, opening: OPENING },
  attested: { settler: chain.attestedSettler, finalitySeconds: FINALITY_SECONDS },
  exchange: chain.exchange,
  express: {
    router: chain.expressRouter,
    returnGasCap: RETURN_GAS_CAP.toString(),
    executor: 'axelar',
    patienceSeconds: PATIENCE_SECONDS,
    priority: { executor: EXPRESS_EXECUTOR.address, seconds: PRIORITY_SECONDS },
  },
})

/** The id of the interchain token with the symbol. */
const interchainTokenOf = ({ tokens }: Deployment, symbol: string) => {
  const its = tokens.find((token) => token.symbol === symbol && token.its !== undefined)?.its
  return its === undefined ? {} : { its }
}

/** A solver's accounts by chain type. */
const accountsOf = (simulatedChains: readonly SimulatedChain[], index: number) =>
  Object.fromEntries(simulatedChains.map(({ chain, solvers }) => [chain.chainType, solvers[index]?.address]))

/** The sandbox's network in the form of an operator's configuration. */
export const describeNetwork = (
  deployment: Deployment,
  { simulatedChains, rpcUrlsOf, relayerUrl, attesterUrl, clockUrl, seconds, slowFinality, l1Fees }: Reach,
): z.input<typeof Network> => ({
  chains: [
    ...deployment.chains.map((chain) => {
      const l1Fee = l1Fees[chain.axelarName]
      const entry = evmChain(chain, rpcUrlsOf(chain.chainId), slowFinality[chain.axelarName])
      return l1Fee === undefined ? entry : { ...entry, l1Fee }
    }),
    ...simulatedChains.map(({ chain }) => ({
      ...chain,
      rpcUrls: [...rpcUrlsOf(chain.chainId)],
    })),
  ],
  tokens: [
    ...deployment.tokens,
    ...simulatedChains.flatMap(({ tokens, axelar }) =>
      tokens.map((token) =>
        token.symbol === axelar.symbol ? { ...token, ...interchainTokenOf(deployment, token.symbol) } : token,
      ),
    ),
  ],
  axelar: {
    scanUrl: relayerUrl,
    lcdUrl: relayerUrl,
    hubChain: HUB.chain,
    hubAddress: HUB.address,
    routerAddress: ROUTER,
    gatewayAddress: AXELARNET_GATEWAY,
  },
  intent: {
    solvers: SOLVER_PLANS.map(({ name, address }, index) => ({
      name,
      address,
      ...(simulatedChains.length === 0 ? {} : { accounts: accountsOf(simulatedChains, index) }),
    })),
    ...(simulatedChains.length === 0 ? {} : { attester: ATTESTER.address, attesterUrl }),
    maximumAdvantageBps: 300,
    ...seconds,
  },
  sandboxClock: clockUrl,
})
