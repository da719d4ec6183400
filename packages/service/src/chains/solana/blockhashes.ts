import { PaymentError } from '../payment-error.ts'
import { RpcError } from '../rpc/rpc-error.ts'

/** A confirmed block. Its hash is a blockhash that a transaction can name. */
export type HashedBlock = {
  readonly slot: bigint
  readonly blockhash: string
  /** The number of blocks before it. */
  readonly height: bigint
  readonly timestampSeconds: number
}

type Deps = {
  readonly newest: HashedBlock
  /** The block of a slot; undefined for a skipped slot. */
  readonly blockAt: (slot: bigint) => Promise<HashedBlock | undefined>
}

/** Number of blocks for which a blockhash is valid. Source: Agave, MAX_PROCESSING_AGE. */
const BLOCKHASH_BLOCKS = 150n
const MIN_BLOCKS_LEFT = 10n
/** Slots over which the pace is measured, and the blocks in them from which it replaces a slow default. */
const PACE_SLOTS = 100n
const MIN_PACE_BLOCKS = 40n
const USUAL_SECONDS_PER_BLOCK = 0.5
/** Safety factor: the chain may slow down, and its clock may run ahead. */
const CAUTION = 1.5
const CLOCK_MARGIN_SECONDS = 2
const MAX_LOOKS = 24

/** The last block height that may include a transaction which names the block's hash. */
export const lastValidHeightOf = ({ height }: HashedBlock): bigint => height + BLOCKHASH_BLOCKS

/**
 * A block at or below the slot and at or below the height, close to them; undefined when the chain begins later. Throws
 * RpcError NO_ANSWER after 24 skipped slots.
 */
const blockUpTo = async (
  blockAt: Deps['blockAt'],
  from: bigint,
  height: bigint,
): Promise<HashedBlock | undefined> => {
  let slot = from
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    if (slot < 0n) return undefined
    const found = await blockAt(slot)
    if (found !== undefined && found.height <= height) return found
    slot -= found === undefined ? 1n : found.height - height
  }
  throw new RpcError('NO_ANSWER', `no block was found in ${MAX_LOOKS} slots below ${from}`)
}

const secondsPerBlock = async ({ newest, blockAt }: Deps): Promise<number> => {
  const earlier = await blockUpTo(blockAt, newest.slot - PACE_SLOTS, newest.height)
  const blocks = newest.height - (earlier?.height ?? newest.height)
  return earlier === undefined || blocks < MIN_PACE_BLOCKS
    ? USUAL_SECONDS_PER_BLOCK
    : (newest.timestampSeconds - earlier.timestampSeconds + 1) / Number(blocks)
}

/**
 * The newest block whose hash expires before the given second, so that a transaction with it cannot land later; estimated from
 * the chain's recent pace. The newest block of all if `notAfterSeconds` is undefined. Throws PaymentError TOO_LATE if none leaves at least ten blocks of time.
 */
export const chooseBlockhash = async (
  deps: Deps,
  notAfterSeconds: number | undefined,
): Promise<HashedBlock> => {
  const { newest, blockAt } = deps
  if (notAfterSeconds === undefined) return newest
  const secondsLeft = notAfterSeconds - CLOCK_MARGIN_SECONDS - newest.timestampSeconds
  const pace = (await secondsPerBlock(deps)) * CAUTION
  const blocksLeft = BigInt(Math.max(0, Math.floor(secondsLeft / pace)))
  if (blocksLeft >= BLOCKHASH_BLOCKS) return newest
  const age = BLOCKHASH_BLOCKS - blocksLeft
  // Every slot has at most one block, so the block of that age is in this slot or a lower one.
  const found = await blockUpTo(blockAt, newest.slot - age, newest.height - age)
  if (found === undefined || lastValidHeightOf(found) - newest.height < MIN_BLOCKS_LEFT)
    throw new PaymentError('TOO_LATE', `too little time for a payment: ${secondsLeft} seconds are left`)
  return found
}
