import type { Bridge, Guards } from '../guard/guards.ts'

/**
 * The guards about a network of Axelar that are the same for everybody: its names and contracts, and its interchain tokens.
 * @example
 * const nameOf = ({ bridge }: AxelarGuards, chain: string): string | undefined => bridge[chain]?.name
 */
export type AxelarGuards = { readonly bridge: Bridge; readonly tokenIds: NonNullable<Guards['tokenIds']> }

/** Token addresses by interchain token id and by chain. */
type Tokens = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The guards from the lists of a network. */
export const axelarGuards = (bridge: Bridge, tokens: Tokens): AxelarGuards => {
  const tokenIds: Record<string, Record<string, string>> = {}
  for (const [tokenId, addresses] of Object.entries(tokens))
    for (const [chain, address] of Object.entries(addresses))
      tokenIds[chain] = { ...tokenIds[chain], [address]: tokenId }
  return { bridge, tokenIds }
}
