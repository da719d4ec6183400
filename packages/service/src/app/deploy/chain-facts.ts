import { evmChainNumberOf } from '@openrfq/sdk'
import { endpointsOf } from '../../chains/rpc/quorum.ts'
import { isEvmAddress } from '../../core/hex.ts'
import type { NetworkChain } from '../../core/network.ts'
import { foldedName } from '../../protocols/axelar/folded-name.ts'

/** An EVM address or hex data. */
export type Hex = `0x${string}`

/** What the factory tells contracts of a chain, as `factory/ChainFacts.sol` declares it. Names are folded. */
export type ChainFacts = {
  readonly gateway: Hex
  readonly gasService: Hex
  readonly chainName: Hex
  /** Seconds. */
  readonly proofWindow: number
  readonly swapFactory: Hex
  readonly wrappedNative: Hex
}

/** An address that the network file's schema has checked. */
const checked = (address: string): Hex => {
  if (!isEvmAddress(address)) throw new RangeError(`${address} is no EVM address`)
  return address
}

const NONE: Hex = '0x0000000000000000000000000000000000000000'
/** Axelar's vote and relay after the finality of a chain, in seconds. */
const VOTE_SECONDS = 120
const QUARTER_HOUR = 900
const LEAST_WINDOW = 1800

/**
 * How long an order that is filled on a chain leaves for its proof, in seconds: twice finality and vote, rounded up to a
 * quarter of an hour, at least half an hour.
 */
const proofWindowOf = (finalitySeconds: number): number =>
  Math.max(LEAST_WINDOW, Math.ceil((2 * (finalitySeconds + VOTE_SECONDS)) / QUARTER_HOUR) * QUARTER_HOUR)

/** A chain that contracts can be deployed on. */
export type DeployChain = {
  readonly chainId: string
  readonly chainNumber: number
  readonly axelarName: string
  readonly its: Hex | undefined
  /** The endpoints that tell what stands there: a majority must agree, and one alone is believed. */
  readonly endpoints: number
  readonly facts: ChainFacts
}

/** A chain of the network file as contracts will know it; undefined when it is no EVM chain with Axelar's contracts, or counts gas otherwise. */
export const deployChainOf = (chain: NetworkChain): DeployChain | undefined => {
  const { axelar, exchange, chainId, chainType, gasScale } = chain
  if (chainType !== 'evm' || axelar === undefined || gasScale !== undefined) return undefined
  return {
    chainId,
    chainNumber: Number(evmChainNumberOf(chainId)),
    axelarName: axelar.name,
    its: axelar.its === undefined ? undefined : checked(axelar.its),
    endpoints: endpointsOf(chain).length,
    facts: {
      gateway: checked(axelar.gateway),
      gasService: checked(axelar.gasService),
      chainName: foldedName(axelar.name),
      proofWindow: proofWindowOf(axelar.finalitySeconds),
      swapFactory: checked(exchange?.factory ?? NONE),
      wrappedNative: checked(exchange?.wrappedNative ?? NONE),
    },
  }
}
