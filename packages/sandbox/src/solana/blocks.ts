import { createHash } from 'node:crypto'
import { encodeBase58 } from 'openrfq/base58'
import type { Block, Commitment } from './block.ts'

/** The kept blocks from the oldest to the tip, and the block each commitment has reached. */
export type Blocks = {
  readonly at: (commitment: Commitment) => Block
  readonly commitmentOf: (block: Block) => Commitment
  /** The oldest block that is still kept. */
  readonly oldest: () => Block
  readonly withSlot: (slot: number) => Block | undefined
  readonly withHash: (hash: string) => Block | undefined
  /** The newest blocks, newest first. */
  readonly recent: (count: number) => Block[]
  /** The blocks above one, newest first, whose changes a reader at that block must not see. */
  readonly above: (block: Block) => readonly Block[]
  /** Prepares the block of the next slot on top of the tip; `append` adds it. */
  readonly next: (timeMs: number) => Block
  /** Appends a block. Returns the blocks that reached each commitment by it, oldest first. */
  readonly append: (block: Block) => Readonly<Record<Commitment, readonly Block[]>>
  /** Removes the newest blocks, newest first; their slots stay skipped. Throws for finalized blocks. */
  readonly drop: (depth: number) => readonly Block[]
}

/** Blocks for which a blockhash is valid after its own. Source: Agave, MAX_PROCESSING_AGE. */
export const MAX_BLOCKHASH_AGE = 150

const MAX_KEPT_BLOCKS = 20_000
/** The slot of the first block. Slot and height differ from the start, so that code that confuses them fails. */
export const FIRST_SLOT = 1_000
const FIRST_HEIGHT = 900
/** Blocks before the start: a payment with a deadline names an old one, and the chain's pace is read from them. */
const BLOCKS_AT_START = 3 * MAX_BLOCKHASH_AGE

const hashOf = (parentHash: string, slot: number, timeMs: number): string =>
  encodeBase58(createHash('sha256').update(`${parentHash} ${slot} ${timeMs}`).digest())

type BlocksOptions = {
  readonly genesisHash: string
  readonly timeMs: number
  /** The pace of the blocks before the start. */
  readonly slotMs: number
  readonly confirmedAfterSlots: number
  readonly finalizedAfterSlots: number
}

const blockOn = (parent: Pick<Block, 'slot' | 'height' | 'hash'>, slot: number, timeMs: number): Block => ({
  slot,
  height: parent.height + 1,
  hash: hashOf(parent.hash, slot, timeMs),
  parentSlot: parent.slot,
  parentHash: parent.hash,
  timeSeconds: Math.floor(timeMs / 1000),
  transactions: [],
  before: new Map(),
})

/** Empty blocks that end now, oldest first. */
const blocksAtStart = ({ genesisHash, timeMs, slotMs }: BlocksOptions): readonly [Block, ...Block[]] => {
  const firstMs = timeMs - (BLOCKS_AT_START - 1) * slotMs
  const genesis = { slot: FIRST_SLOT - 1, height: FIRST_HEIGHT - 1, hash: genesisHash }
  const blocks: [Block, ...Block[]] = [blockOn(genesis, FIRST_SLOT, firstMs)]
  let [tip] = blocks
  while (blocks.length < BLOCKS_AT_START) {
    tip = blockOn(tip, tip.slot + 1, firstMs + blocks.length * slotMs)
    blocks.push(tip)
  }
  return blocks
}

/**
 * Starts the chain with finalized blocks, as many as three lives of a blockhash. Block hashes depend on the time, so an
 * earlier run's hashes are unknown.
 */
export const createBlocks = (options: BlocksOptions): Blocks => {
  const atStart = blocksAtStart(options)
  const [first] = atStart
  const tip = atStart.at(-1) ?? first
  const kept: Block[] = [...atStart]
  const bySlot = new Map(kept.map((block) => [block.slot, block]))
  const byHash = new Map(kept.map((block) => [block.hash, block]))
  const reached = { processed: tip.height, confirmed: tip.height, finalized: tip.height }
  let lastSlot = tip.slot

  const withHeight = (height: number): Block => {
    const block = kept[height - (kept[0]?.height ?? height)]
    if (block === undefined) throw new Error(`no block of height ${height} is kept`)
    return block
  }
  const advance = (commitment: Commitment, height: number): readonly Block[] => {
    const blocks: Block[] = []
    for (let next = reached[commitment] + 1; next <= height; next += 1) blocks.push(withHeight(next))
    reached[commitment] = Math.max(reached[commitment], height)
    return blocks
  }
  const forgetOldest = (): void => {
    const oldest = kept.shift()
    if (oldest === undefined) return
    bySlot.delete(oldest.slot)
    byHash.delete(oldest.hash)
  }

  return {
    at: (commitment) => withHeight(reached[commitment]),
    commitmentOf: ({ height }) =>
      height <= reached.finalized ? 'finalized' : height <= reached.confirmed ? 'confirmed' : 'processed',
    oldest: () => kept[0] ?? first,
    withSlot: (slot) => bySlot.get(slot),
    withHash: (hash) => byHash.get(hash),
    recent: (count) => kept.slice(-count).reverse(),
    above: ({ height }) => kept.slice(height + 1 - (kept[0]?.height ?? 0)).reverse(),
    next: (timeMs) => blockOn(withHeight(reached.processed), lastSlot + 1, timeMs),
    append: (block) => {
      kept.push(block)
      bySlot.set(block.slot, block)
      byHash.set(block.hash, block)
      lastSlot = block.slot
      const grown = {
        processed: advance('processed', block.height),
        confirmed: advance('confirmed', block.height - options.confirmedAfterSlots),
        finalized: advance('finalized', block.height - options.finalizedAfterSlots),
      }
      for (const final of grown.finalized) final.before.clear()
      if (kept.length > MAX_KEPT_BLOCKS) forgetOldest()
      return grown
    },
    drop: (depth) => {
      const possible = reached.processed - reached.finalized
      if (depth > possible)
        throw new RangeError(`${depth} blocks cannot be dropped: ${possible} are not finalized yet`)
      const dropped = kept.splice(kept.length - depth).reverse()
      for (const block of dropped) {
        bySlot.delete(block.slot)
        byHash.delete(block.hash)
      }
      reached.processed -= depth
      reached.confirmed = Math.min(reached.confirmed, reached.processed)
      return dropped
    },
  }
}
