import { z } from 'zod'
import { EvmAddress, Hash } from './hex.ts'

/** How Axelar's Interchain Token Service knows a token. */
export const InterchainIdentity = z.object({
  tokenId: Hash,
  /** Further ids that the same address is registered under, each with a token manager of its own. */
  otherTokenIds: z.array(Hash).min(1).max(7).optional(),
  /** The ERC-20 as which an EVM chain offers its native asset, on that asset's token alone. */
  contract: EvmAddress.optional(),
})
type InterchainIdentity = z.infer<typeof InterchainIdentity>

type Known = { readonly address: string; readonly its?: InterchainIdentity | undefined }

/** The interchain token ids of a token, the first of the network file first; none if the token service does not move it. */
export const tokenIdsOf = ({ its }: Pick<Known, 'its'>): readonly string[] =>
  its === undefined ? [] : [its.tokenId, ...(its.otherTokenIds ?? [])]

/** The contract that the token service moves: the token's own, or the ERC-20 as which a chain offers its native asset. */
export const movedContract = ({ address, its }: Known): string => its?.contract ?? address
