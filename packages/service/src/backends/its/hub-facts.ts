import type { Instant } from '../../core/instant.ts'
import type { Decline } from '../../core/offer.ts'
import { createKeptWarm } from '../../lib/kept-warm.ts'
import { type Lifecycle, together } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { eachRead } from '../../protocols/axelar/each-read.ts'
import type { Hub, HubChain, HubToken } from '../../protocols/axelar/hub.ts'
import { unpriced } from '../decline.ts'
import type { ItsReceiver, ItsSide } from './routes.ts'

const MAX_AGE_MS = 60_000
const REFRESH_MS = 35_000
/** How long after the last order for a route its facts are kept fresh. */
const WANTED_MS = 600_000
/** Axelar's nodes are public: what is kept fresh costs them six requests a second at most; the least wanted is read when it is asked for. */
const MOST_KEPT = 200
const TOGETHER = 50

/** A side of a route, as far as the hub knows it. */
type Side = Pick<ItsSide | ItsReceiver, 'axelarName' | 'tokenId' | 'token'>
type Route = { readonly from: Side; readonly to: Side }

/** What the hub says of a route; `null` stands for a chain or token that it does not have. */
export type HubFacts = {
  readonly isEnabled: boolean
  readonly chains: readonly [from: HubChain | null, to: HubChain | null]
  readonly tokens: readonly [from: HubToken | null, to: HubToken | null]
}

/** What the hub says of routes: read when one is asked for, at most a minute old, and kept fresh for ten minutes after. */
export type HubReader = Lifecycle & {
  /** Undefined if the hub cannot be read. */
  readonly read: (route: Route) => Promise<HubFacts | undefined>
  /** The facts, if all are fresh. No network. */
  readonly known: (route: Route) => HubFacts | undefined
}

const factsOf = (
  isEnabled: boolean | undefined,
  [fromChain, toChain, fromToken, toToken]: readonly [
    HubChain | null | undefined,
    HubChain | null | undefined,
    HubToken | null | undefined,
    HubToken | null | undefined,
  ],
): HubFacts | undefined =>
  isEnabled === undefined ||
  fromChain === undefined ||
  toChain === undefined ||
  fromToken === undefined ||
  toToken === undefined
    ? undefined
    : { isEnabled, chains: [fromChain, toChain], tokens: [fromToken, toToken] }

const keyOf = ({ axelarName, tokenId }: Side): string => `${axelarName} ${tokenId}`

/** Reads the hub by need. */
export const createHubReader = (
  hub: Hub,
  deps: { readonly now: () => Instant; readonly log: Log },
): HubReader => {
  const kept = <Value>(read: (key: string) => Promise<Value>) =>
    createKeptWarm<string, Value>({
      name: 'axelar_hub_read',
      read: eachRead(read),
      maxAgeMs: MAX_AGE_MS,
      refreshMs: REFRESH_MS,
      wantedMs: WANTED_MS,
      limit: MOST_KEPT,
      together: TOGETHER,
      ...deps,
    })
  const enabled = kept(() => hub.isEnabled())
  const chains = kept(async (name) => (await hub.chain(name)) ?? null)
  const tokens = kept(async (key) => {
    const [name = '', tokenId = ''] = key.split(' ')
    return (await hub.token(name, tokenId)) ?? null
  })
  return {
    ...together([enabled, chains, tokens]),
    known: ({ from, to }) =>
      factsOf(enabled.peek(''), [
        chains.peek(from.axelarName),
        chains.peek(to.axelarName),
        tokens.peek(keyOf(from)),
        tokens.peek(keyOf(to)),
      ]),
    read: async ({ from, to }) => {
      const [isEnabled, ...sides] = await Promise.all([
        enabled.get(''),
        chains.get(from.axelarName),
        chains.get(to.axelarName),
        tokens.get(keyOf(from)),
        tokens.get(keyOf(to)),
      ])
      return factsOf(isEnabled, sides)
    },
  }
}

/** Why the hub has no way for a token on a side; undefined if it has one. */
const whyNot = (
  { axelarName, token }: Side,
  chain: HubChain | null,
  instance: HubToken | null,
): string | undefined => {
  if (chain === null) return `Axelar's hub does not know the chain ${axelarName}`
  if (chain.isFrozen) return `Axelar's hub has frozen the chain ${axelarName}`
  if (instance === null) return `Axelar's hub has no ${token.symbol} on ${axelarName}`
  return instance.decimals === token.decimals
    ? undefined
    : `Axelar's hub counts ${token.symbol} on ${axelarName} with ${instance.decimals} decimals, the chain with ${token.decimals}`
}

/** Why a transfer on the route would not go on at the hub now; undefined if it would, up to the source's supply. */
export const whyHeldAtHub = (
  { from, to }: Route,
  { isEnabled, chains, tokens }: HubFacts,
): Decline | undefined => {
  if (!isEnabled) return unpriced("Axelar's hub carries nothing now")
  if (chains[0]?.isSourceFrozen === true)
    return unpriced(`Axelar's router has frozen the chain ${from.axelarName}`)
  if (chains[1]?.isDestinationFrozen === true)
    return unpriced(`Axelar's router has frozen the chain ${to.axelarName}`)
  const reason = whyNot(from, chains[0], tokens[0]) ?? whyNot(to, chains[1], tokens[1])
  return reason === undefined ? undefined : unpriced(reason)
}
