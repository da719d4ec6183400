import type { ChainId } from '@openrfq/sdk'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'

type Head = Pick<EvmHead, 'number' | 'timestampSeconds'>

/** How long the blocks of chains take, by the heads that were seen. */
export type BlockPace = {
  /** Notes a chain's head. */
  readonly see: (chainId: ChainId, head: Head | undefined) => void
  /** The usual seconds from a block of the chain to the next. */
  readonly secondsPerBlock: (chainId: ChainId) => number
}

/** Until two heads were seen; few chains are slower. */
const UNKNOWN_SECONDS = 12
const MOST_STEPS = 31

/** Creates the pace: the median of the last steps, so that neither a pause of the chain nor a burst of blocks counts. */
export const createBlockPace = (): BlockPace => {
  const last = new Map<ChainId, Head>()
  const steps = new Map<ChainId, readonly number[]>()
  return {
    see: (chainId, head) => {
      const before = last.get(chainId)
      if (head === undefined || head.number === before?.number) return
      last.set(chainId, head)
      if (before === undefined || head.number < before.number) return
      const step = (head.timestampSeconds - before.timestampSeconds) / Number(head.number - before.number)
      steps.set(chainId, [...(steps.get(chainId) ?? []), step].slice(-MOST_STEPS))
    },
    secondsPerBlock: (chainId) => {
      const sorted = (steps.get(chainId) ?? []).toSorted((one, other) => one - other)
      return sorted[Math.floor(sorted.length / 2)] ?? UNKNOWN_SECONDS
    },
  }
}
