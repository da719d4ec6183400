import { PaymentError } from '../payment-error.ts'
import { RpcError } from '../rpc/rpc-error.ts'
/** A blockhash and the height of the last block that may include a transaction naming it. */
export type Blockhash = { readonly blockhash: string; readonly lastValidBlockHeight: bigint }

/** Recent blockhashes; each gives a transaction a different lifetime. */
export type Blockhashes = {
  /** Adds the newest blockhash, seen at this time of the chain's clock. */
  readonly add: (seen: Blockhash, timestampSeconds: number) => void
  /**
   * The youngest blockhash whose transactions cannot land after the given second, estimated from the chain's recent
   * pace; undefined means no limit. Throws if none leaves at least ten blocks of time.
   */
  readonly pick: (notAfterSeconds: number | undefined) => Blockhash
}

type Seen = Blockhash & { readonly height: bigint; readonly timestampSeconds: number }

/** Number of blocks for which a blockhash is valid. Source: Agave, MAX_PROCESSING_AGE. */
export const BLOCKHASH_BLOCKS = 150n
const MIN_BLOCKS_LEFT = 10n
const MAX_KEPT = 400
/** Observed blocks from which the measured pace replaces a slow default. */
const MIN_PACE_BLOCKS = 40n
const USUAL_SECONDS_PER_BLOCK = 0.5
/** Safety factor: the chain may slow down, and its clock may run ahead. */
const CAUTION = 1.5
const CLOCK_MARGIN_SECONDS = 2

const secondsPerBlock = (first: Seen, last: Seen): number => {
  const blocks = last.height - first.height
  return blocks < MIN_PACE_BLOCKS
    ? USUAL_SECONDS_PER_BLOCK
    : (last.timestampSeconds - first.timestampSeconds + 1) / Number(blocks)
}

/** Creates an empty history of at most 400 unexpired blockhashes. */
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
      if (oldest === undefined || newest === undefined) throw new RpcError('NO_HEAD', 'no blockhash is known')
      if (notAfterSeconds === undefined) return newest
      const pace = secondsPerBlock(oldest, newest) * CAUTION
      const secondsLeft = notAfterSeconds - CLOCK_MARGIN_SECONDS - newest.timestampSeconds
      const found = kept.findLast(
        ({ lastValidBlockHeight }) => Number(lastValidBlockHeight - newest.height) * pace <= secondsLeft,
      )
      if (found === undefined || found.lastValidBlockHeight - newest.height < MIN_BLOCKS_LEFT)
        throw new PaymentError('TOO_LATE', `too little time for a payment: ${secondsLeft} seconds are left`)
      return found
    },
  }
}
