/** The hash links of a block. */
export type BlockLink = { readonly number: bigint; readonly hash: string; readonly parentHash: string }

/** The relation of an endpoint's newest block to the newest known one. */
type HeadMove = 'same' | 'newer' | 'reorg' | 'lagging'

/** Hashes of recently seen blocks, to distinguish a lagging endpoint from a reorg. */
export type HeadHistory = {
  readonly judge: (block: BlockLink) => HeadMove
  /** Makes the block the newest; forgets everything known at and above its number. */
  readonly accept: (block: BlockLink) => void
}

const MAX_BLOCKS = 512n

/**
 * A lower block is a reorg only if a known hash contradicts it or its parent; otherwise its endpoint lags. A reorg that
 * contradicts no known hash shows with the next block.
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
