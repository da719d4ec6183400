import { operatorOfQuorum } from '../../chains/rpc/operators.ts'
import { canMoveMoney, endpointsOf } from '../../chains/rpc/quorum.ts'
import { tokenIdsOf } from '../../core/interchain-token.ts'
import type { Network, NetworkChain, NetworkToken } from '../../core/network.ts'
import { doubtful, type Finding, fine, wrong } from './finding.ts'

/** With so many endpoints, one may lie or fail and payments go on. */
const ENOUGH_ENDPOINTS = 3

const endpointFinding = (chain: NetworkChain): Finding => {
  const subject = `chain ${chain.chainId}`
  const count = endpointsOf(chain).length
  if (!canMoveMoney(chain))
    return doubtful(subject, 'one endpoint: no intents and no keeper; add others, or set trustSingleEndpoint')
  const operator = operatorOfQuorum(chain)
  if (operator !== undefined && chain.trustSingleEndpoint !== true)
    return doubtful(
      subject,
      `${operator} has a majority of the ${count} endpoints and can decide alone: replace some by endpoints of others`,
    )
  if (count < ENOUGH_ENDPOINTS && chain.trustSingleEndpoint !== true)
    return doubtful(subject, `${count} endpoints: one that fails stops intents and refunds; add a third`)
  return fine(subject, `${count} ${count === 1 ? 'endpoint, trusted' : 'endpoints'}`)
}

const sidesOf = (
  tokens: readonly NetworkToken[],
  keysOf: (token: NetworkToken) => readonly string[],
): number => {
  const sides = tokens.flatMap((token) => keysOf(token).map((key) => ({ key, chainId: token.chainId })))
  return [...Map.groupBy(sides, ({ key }) => key).values()].filter(
    (own) => new Set(own.map(({ chainId }) => chainId)).size > 1,
  ).length
}

const servedFinding = (file: string, { tokens, intent }: Network): Finding => {
  const its = sidesOf(tokens, tokenIdsOf)
  const gateway = sidesOf(tokens, ({ gateway: asset }) => (asset === undefined ? [] : [asset.denom]))
  const quoted = tokens.filter((token) => token.intent).length
  if (its + gateway === 0 && (intent === undefined || quoted < 2))
    return wrong(file, 'serves nothing: no token has the same its.tokenId or gateway.denom on two chains')
  return fine(file, `${its} interchain tokens, ${gateway} gateway assets, ${quoted} tokens of intents`)
}

/** Whether a source that the file names may price a token. */
export const mayBePriced = (
  { usdPrice, priceFeeds, coinGeckoId, chainId }: NetworkToken,
  { prices }: Pick<Network, 'prices'>,
): boolean =>
  usdPrice !== undefined ||
  priceFeeds !== undefined ||
  (coinGeckoId !== undefined && (prices?.defiLlama ?? prices?.coinGecko) !== undefined) ||
  prices?.defiLlama?.chains[chainId] !== undefined

const priceFinding = (file: string, network: Network): Finding => {
  const { tokens } = network
  const without = tokens.filter((token) => !mayBePriced(token, network)).length
  return without === 0
    ? fine(file, 'every token has a source of its price; fixed ones never grow old')
    : doubtful(
        file,
        `${without} of ${tokens.length} tokens have no source of a price (usdPrice, priceFeeds, or prices with a coinGeckoId): quotes of them rank by bare amounts`,
      )
}

/** What a network's own text says, without asking anybody. */
export const checkFile = (file: string, network: Network): readonly Finding[] => [
  servedFinding(file, network),
  priceFinding(file, network),
  ...network.chains.map(endpointFinding),
]
