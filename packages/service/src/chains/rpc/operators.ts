import { isIP } from 'node:net'
import { endpointsOf, hostOf, quorumOf } from './quorum.ts'

/** Second levels under which countries register names, such as `co.uk`. */
const SHARED_SECOND_LEVEL = /^(ac|co|com|edu|gov|ne|net|or|org)$/

/**
 * Whom an endpoint belongs to, as far as its address tells: the domain that its host was registered under, or an IP
 * address itself. Two domains may still have one operator.
 */
export const operatorOf = (url: string): string => {
  const host = hostOf(url)
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return host
  const labels = host.split('.')
  const [second = '', first = ''] = labels.slice(-2)
  return labels.slice(first.length === 2 && SHARED_SECOND_LEVEL.test(second) ? -3 : -2).join('.')
}

/** The operator of so many endpoints that they agree without anybody else; undefined if there is none or one endpoint. */
export const operatorOfQuorum = (chain: { readonly rpcUrls: readonly string[] }): string | undefined => {
  const urls = endpointsOf(chain)
  if (urls.length < 2) return undefined
  const quorum = quorumOf(chain)
  return [...Map.groupBy(urls, operatorOf)].find(([, own]) => own.length >= quorum)?.[0]
}

/** The endpoints in an order in which operators alternate, each operator's own in the given order. */
export const alternateOperators = (urls: readonly string[]): readonly string[] => {
  const turns = new Map<string, number>()
  const placed = urls.map((url) => {
    const operator = operatorOf(url)
    const turn = turns.get(operator) ?? 0
    turns.set(operator, turn + 1)
    return { url, turn }
  })
  return placed.toSorted((one, other) => one.turn - other.turn).map(({ url }) => url)
}
