/** A chain's endpoints, as the operator configured them. */
type Endpoints = {
  readonly rpcUrls: readonly string[]
  /** The operator's word that the chain's only endpoint needs no second one. */
  readonly trustSingleEndpoint?: boolean | undefined
}

/** The endpoints of a chain, each once. */
export const endpointsOf = ({ rpcUrls }: Pick<Endpoints, 'rpcUrls'>): readonly string[] => [
  ...new Set(rpcUrls),
]

/** How many endpoints must say the same: the majority, at least two; the only one where there is one. */
export const quorumOf = (chain: Pick<Endpoints, 'rpcUrls'>): number => {
  const count = endpointsOf(chain).length
  return count === 1 ? 1 : Math.floor(count / 2) + 1
}

/** Whether money may move by what the chain's endpoints say: several, or one that the operator trusts. */
export const canMoveMoney = (chain: Endpoints): boolean =>
  chain.trustSingleEndpoint === true || endpointsOf(chain).length > 1
