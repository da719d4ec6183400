import { RpcError } from './rpc-error.ts'

/** A chain's endpoints, as the operator configured them. */
type Endpoints = {
  readonly rpcUrls: readonly string[]
  /** The operator allows the chain's only endpoint to decide alone. */
  readonly trustSingleEndpoint?: boolean | undefined
}

/** The host of a URL in lower case, without the dot that may end a full name. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '')

/**
 * The address behind a URL: how its host is written, the default port, a fragment and credentials make no other endpoint.
 */
const addressOf = (url: string): string => {
  const { protocol, port, pathname, search } = new URL(url)
  return `${protocol}//${hostOf(url)}:${port}${pathname}${search}`
}

/** The endpoints of a chain, each once, as the operator wrote them. */
export const endpointsOf = ({ rpcUrls }: Pick<Endpoints, 'rpcUrls'>): readonly string[] => {
  const addresses = rpcUrls.map(addressOf)
  return rpcUrls.filter((_, position) => addresses.indexOf(addresses[position] ?? '') === position)
}

/** The number of endpoints that must agree: the majority, at least two; one if there is only one. */
export const quorumOf = (chain: Pick<Endpoints, 'rpcUrls'>): number => {
  const count = endpointsOf(chain).length
  return count === 1 ? 1 : Math.floor(count / 2) + 1
}

/** Whether money may move by the chain's endpoints: there are several, or the operator trusts the only one. */
export const canMoveMoney = (chain: Endpoints): boolean =>
  chain.trustSingleEndpoint === true || endpointsOf(chain).length > 1

const descending = (one: bigint, other: bigint): number => (one > other ? -1 : one < other ? 1 : 0)

/** The highest value that a quorum of endpoints reach. Throws RpcError NO_AGREEMENT if fewer told one. */
export const reachedByQuorum = (values: readonly bigint[], quorum: number): bigint => {
  const value = values.toSorted(descending)[quorum - 1]
  if (value === undefined)
    throw new RpcError('NO_AGREEMENT', `${values.length} endpoints answered, ${quorum} are needed`)
  return value
}

/**
 * A number of events that a quorum of endpoints reach, and no single endpoint can lower: a quorum tell it exactly, or all
 * endpoints answered and are more than a quorum. Throws RpcError NO_AGREEMENT without one.
 */
export const countedByQuorum = (
  told: readonly bigint[],
  { quorum, endpoints }: { readonly quorum: number; readonly endpoints: number },
): bigint => {
  const highest = reachedByQuorum(told, quorum)
  if (told.length === endpoints && endpoints > quorum) return highest
  if (told.filter((count) => count === highest).length >= quorum) return highest
  throw new RpcError(
    'NO_AGREEMENT',
    `${told.length} of ${endpoints} endpoints answered, with different counts`,
  )
}
