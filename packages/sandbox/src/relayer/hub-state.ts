/** What the hub keeps of a token on one chain. A tracked supply, in base units there, is the most that may leave the chain. */
export type TokenInstance = { readonly supply: bigint | 'untracked'; readonly decimals: number }

/** States of the hub and the router that a control forces, by what each is about. */
export const HUB_TROUBLES = {
  hub_disabled: 'network',
  router_disabled: 'network',
  hub_frozen: 'chain',
  router_frozen: 'chain',
  not_on_hub: 'token',
  supply_short: 'token',
  other_decimals: 'token',
} as const satisfies Record<string, 'network' | 'chain' | 'token'>
export type HubTrouble = keyof typeof HUB_TROUBLES

/** A chain by its Axelar name, and a token id on it; a trouble of the whole network has neither. */
export type HubPlace = { readonly chain?: string | undefined; readonly tokenId?: string | undefined }

/** A transfer as the hub counts it: base units of each side. */
type Moved = {
  readonly tokenId: string
  readonly source: string
  readonly destination: string
  readonly amount: bigint
  readonly amountReceived: bigint
}

/** The state of the ITS hub and of the router before it. Names of chains are case-sensitive. */
export type HubState = {
  readonly has: (trouble: HubTrouble, place?: HubPlace) => boolean
  /** Forces a trouble until `clear`. */
  readonly force: (trouble: HubTrouble, place: HubPlace) => void
  readonly clear: () => void
  readonly instanceOf: (chain: string, tokenId: string) => TokenInstance | undefined
  /** The chain that a token was first deployed from. */
  readonly originOf: (tokenId: string) => string | undefined
  /** Adds an instance that is not there yet; the first chain of a token is its origin unless one is named. */
  readonly register: (chain: string, tokenId: string, instance: TokenInstance, origin?: string) => void
  /** Counts a transfer in the supplies that are tracked. */
  readonly move: (moved: Moved) => void
}

const keyOf = (chain = '', tokenId = ''): string => `${chain} ${tokenId.toLowerCase()}`

/** Creates a hub without tokens and without troubles. */
export const createHubState = (): HubState => {
  const troubles = new Map<HubTrouble, Set<string>>()
  const instances = new Map<string, TokenInstance>()
  const origins = new Map<string, string>()
  const has: HubState['has'] = (trouble, { chain, tokenId } = {}) =>
    troubles.get(trouble)?.has(keyOf(chain, tokenId)) === true
  const count = (chain: string, tokenId: string, change: bigint): void => {
    const key = keyOf(chain, tokenId)
    const known = instances.get(key)
    if (known !== undefined && known.supply !== 'untracked')
      instances.set(key, { ...known, supply: known.supply + change })
  }
  return {
    has,
    force: (trouble, { chain, tokenId }) => {
      const places = troubles.get(trouble) ?? new Set()
      troubles.set(trouble, places.add(keyOf(chain, tokenId)))
    },
    clear: () => troubles.clear(),
    instanceOf: (chain, tokenId) => {
      const known = instances.get(keyOf(chain, tokenId))
      const place = { chain, tokenId }
      if (known === undefined || has('not_on_hub', place)) return undefined
      return {
        supply: has('supply_short', place) ? 0n : known.supply,
        decimals: known.decimals + (has('other_decimals', place) ? 1 : 0),
      }
    },
    originOf: (tokenId) => origins.get(tokenId.toLowerCase()),
    register: (chain, tokenId, instance, origin = chain) => {
      const key = keyOf(chain, tokenId)
      if (!instances.has(key)) instances.set(key, instance)
      const id = tokenId.toLowerCase()
      if (!origins.has(id)) origins.set(id, origin)
    },
    move: ({ tokenId, source, destination, amount, amountReceived }) => {
      count(source, tokenId, -amount)
      count(destination, tokenId, amountReceived)
    },
  }
}
