/** States of axelar-core that a control forces: of a chain, and of a gateway token on it. */
export type CoreTrouble = 'chain_deactivated' | 'amplifier' | 'token_unconfirmed'

/** A chain by its Axelar name in any case, and a gateway token's symbol there. */
export type CorePlace = { readonly chain: string; readonly symbol?: string }

/** The state of axelar-core: which chains carry messages, which are amplifier chains, and which tokens are confirmed. */
export type CoreState = {
  readonly has: (trouble: CoreTrouble, place: CorePlace) => boolean
  /** Forces a state until `end`. */
  readonly force: (trouble: CoreTrouble, place: CorePlace) => void
  readonly end: (trouble: CoreTrouble, place: CorePlace) => void
}

const keyOf = (trouble: CoreTrouble, { chain, symbol = '' }: CorePlace): string =>
  `${trouble} ${chain.toLowerCase()} ${symbol}`

/** Creates a core on which every chain is active, a consensus chain, and has its tokens confirmed. */
export const createCoreState = (): CoreState => {
  const forced = new Set<string>()
  return {
    has: (trouble, place) => forced.has(keyOf(trouble, place)),
    force: (trouble, place) => void forced.add(keyOf(trouble, place)),
    end: (trouble, place) => void forced.delete(keyOf(trouble, place)),
  }
}
