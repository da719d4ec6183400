/** A chain's endpoints, as the operator configured them. */
type Endpoints = {
  readonly rpcUrls: readonly string[]
  /** The operator's word that the chain's only endpoint needs no second one. */
  readonly trustSingleEndpoint?: boolean | undefined
}

/** The endpoints of a chain, each once. */
export const endpointsOf = ({ rpcUrls }: Endpoints): readonly string[] => [...new Set(rpcUrls)]

/** How many endpoints must say the same before money moves: the majority, at least two; one where the only one is trusted. */
export const quorumOf = (chain: Endpoints): number => {
  const count = endpointsOf(chain).length
  return count === 1 && chain.trustSingleEndpoint === true ? 1 : Math.max(2, Math.floor(count / 2) + 1)
}

/** Whether the chain has enough endpoints to agree on anything. */
export const canAgree = (chain: Endpoints): boolean => quorumOf(chain) <= endpointsOf(chain).length
