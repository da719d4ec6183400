/** What places a block in its chain. */
export type BlockLink = { readonly number: bigint; readonly hash: string; readonly parentHash: string }

/** How a block that an endpoint calls its newest relates to the newest one known. */
type HeadMove = 'same' | 'newer' | 'reorg' | 'lagging'

/** The hashes of the newest blocks seen, to tell an endpoint that lags from a chain that was reorganised. */
export type HeadHistory = {
  readonly judge: (block: BlockLink) => HeadMove
  /** Makes the block the newest; everything known at and above its number is forgotten. */
  readonly accept: (block: BlockLink) => void
}

const MAX_BLOCKS = 512n

/**
 * A lower block is a reorganisation only when a hash that was seen contradicts it or its parent; else its endpoint lags.
 * A reorganisation that left no trace among the hashes seen shows with the next block.
 */
export const createHeadHistory = (): HeadHistory => {
  const hashes = new Map<bigint, string>()
  let newest: BlockLink | undefined
  const contradicts = (number: bigint, hash: string): boolean => {
    const known = hashes.get(number)
    return known !== undefined && known !== hash
  }
  const judge = (block: BlockLink): HeadMove => {
    if (newest === undefined) return 'newer'
    if (block.hash === newest.hash) return 'same'
    const isContradicted =
      contradicts(block.number, block.hash) || contradicts(block.number - 1n, block.parentHash)
    if (isContradicted) return 'reorg'
    return block.number > newest.number ? 'newer' : 'lagging'
  }
  const accept = (block: BlockLink): void => {
    if (contradicts(block.number - 1n, block.parentHash)) hashes.clear()
    for (const number of hashes.keys())
      if (number >= block.number || number <= block.number - MAX_BLOCKS) hashes.delete(number)
    hashes.set(block.number - 1n, block.parentHash)
    hashes.set(block.number, block.hash)
    newest = block
  }
  return { judge, accept }
}
