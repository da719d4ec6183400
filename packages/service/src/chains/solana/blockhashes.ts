/** A blockhash and the last block, by height, that may record a transaction which names it. */
export type Blockhash = { readonly blockhash: string; readonly lastValidBlockHeight: bigint }

/** The blockhashes seen lately, each of which gives a transaction another time to live. */
export type Blockhashes = {
  /** Remembers the newest, seen when the chain's clock showed so many seconds. */
  readonly add: (seen: Blockhash, timestampSeconds: number) => void
  /**
   * The youngest whose transactions cannot land after the second, as far as the chain's pace so far tells; undefined
   * stands for no limit. Throws when none of them would leave ten blocks of time.
   */
  readonly pick: (notAfterSeconds: number | undefined) => Blockhash
}

type Seen = Blockhash & { readonly height: bigint; readonly timestampSeconds: number }

/** For so many blocks after its own a blockhash is valid. Source: Agave, MAX_PROCESSING_AGE. */
export const BLOCKHASH_BLOCKS = 150n
const MIN_BLOCKS_LEFT = 10n
const MAX_KEPT = 400
/** Blocks after which the pace that was seen counts, instead of a slow usual one. */
const MIN_PACE_BLOCKS = 40n
const USUAL_SECONDS_PER_BLOCK = 0.5
/** The chain may slow down, and its clock may run ahead. */
const CAUTION = 1.5
const CLOCK_MARGIN_SECONDS = 2

const secondsPerBlock = (first: Seen, last: Seen): number => {
  const blocks = last.height - first.height
  return blocks < MIN_PACE_BLOCKS
    ? USUAL_SECONDS_PER_BLOCK
    : (last.timestampSeconds - first.timestampSeconds + 1) / Number(blocks)
}

/** Starts without any; at most 400 are kept, and none that has expired. */
export const createBlockhashes = (): Blockhashes => {
  let kept: readonly Seen[] = []
  return {
    add: (seen, timestampSeconds) => {
      const height = seen.lastValidBlockHeight - BLOCKHASH_BLOCKS
      const alive = kept.filter(
        ({ blockhash, lastValidBlockHeight }) =>
          blockhash !== seen.blockhash && lastValidBlockHeight > height,
      )
      kept = [...alive, { ...seen, height, timestampSeconds }].slice(-MAX_KEPT)
    },
    pick: (notAfterSeconds) => {
      const [oldest] = kept
      const newest = kept.at(-1)
      if (oldest === undefined || newest === undefined) throw new Error('no blockhash is known')
      if (notAfterSeconds === undefined) return newest
      const pace = secondsPerBlock(oldest, newest) * CAUTION
      const secondsLeft = notAfterSeconds - CLOCK_MARGIN_SECONDS - newest.timestampSeconds
      const found = kept.findLast(
        ({ lastValidBlockHeight }) => Number(lastValidBlockHeight - newest.height) * pace <= secondsLeft,
      )
      if (found === undefined || found.lastValidBlockHeight - newest.height < MIN_BLOCKS_LEFT)
        throw new Error(`too little time for a payment: ${secondsLeft} seconds are left`)
      return found
    },
  }
}
