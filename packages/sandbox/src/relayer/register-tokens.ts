import { INTERCHAIN_PLANS } from '../deploy/plan.ts'
import type { Deployment } from '../deployment.ts'
import type { Hex, ReceivingChain, SandboxChain } from '../deployment-types.ts'
import type { HubState } from './hub-state.ts'

type Deployed = {
  readonly chains: readonly SandboxChain[]
  readonly receivers: readonly ReceivingChain[]
  readonly tokens: Deployment['tokens']
  /** The supply of a token by its contract, in base units. */
  readonly supplyOf: (chain: SandboxChain, contract: Hex) => Promise<bigint>
}

// CAST: the deployment holds EVM addresses as text.
const contractOf = (address: string): Hex => address as Hex

/**
 * Registers the deployed interchain tokens with the hub, as their deployments through it did: the supply of a token that ITS
 * deployed on a remote chain is tracked, that of an origin or of a linked token is not.
 */
export const registerTokens = async (
  hub: HubState,
  { chains, receivers, tokens, supplyOf }: Deployed,
): Promise<void> => {
  for (const chain of chains)
    for (const { its, symbol, address, decimals } of tokens.filter(
      ({ chainId }) => chainId === chain.chainId,
    )) {
      if (its === undefined) continue
      const home = INTERCHAIN_PLANS.find((plan) => plan.symbol === symbol)?.home
      const isTracked = home !== undefined && home !== chain.axelarName
      const supply = isTracked ? await supplyOf(chain, contractOf(address)) : 'untracked'
      hub.register(chain.axelarName, its.tokenId, { supply, decimals }, home)
    }
  for (const { axelarName, tokens: received } of receivers)
    for (const [tokenId, { decimals }] of received)
      hub.register(axelarName, tokenId, { supply: 'untracked', decimals })
}
