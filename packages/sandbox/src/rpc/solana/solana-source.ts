import { z } from 'zod'
import { createHeadReader } from '../head-reader.ts'
import type { NodeClient } from '../node-client.ts'
import type { AnswerCall } from '../rpc-message.ts'

export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** The newest slot of each commitment, and the newest slots that have blocks. */
export type SolanaHead = Readonly<Record<Commitment, number>> & { readonly blocks: readonly number[] }

/** A cluster's node as all its endpoints see it. */
export type SolanaSource = {
  readonly ask: AnswerCall
  /** At most 25 ms old; listeners hear of each newest slot first. */
  readonly head: () => Promise<SolanaHead>
  /** Reads the newest block now. */
  readonly refresh: () => Promise<void>
  readonly onHead: (listener: (slot: number) => void) => void
}

const REUSE_MS = 25
/** How many slots below the newest final one are looked through for blocks. */
const SLOTS_BACK = 16

/** Reads a node for several endpoints. */
export const createSolanaSource = ({ ask }: NodeClient, now: () => number): SolanaSource => {
  const listeners: ((slot: number) => void)[] = []

  const slotAt = async (commitment: Commitment): Promise<number> => {
    const answer = await ask({ method: 'getSlot', params: [{ commitment }] })
    if ('error' in answer) throw new Error(answer.error.message)
    return z.number().parse(answer.result)
  }
  const read = async (): Promise<SolanaHead> => {
    const [processed, confirmed, finalized] = await Promise.all([
      slotAt('processed'),
      slotAt('confirmed'),
      slotAt('finalized'),
    ])
    const range = [Math.max(0, finalized - SLOTS_BACK), processed, { commitment: 'processed' }]
    const blocks = await ask({ method: 'getBlocks', params: range })
    const slots = 'result' in blocks ? z.array(z.number()).parse(blocks.result) : []
    for (const listener of listeners) listener(processed)
    return { processed, confirmed, finalized, blocks: slots }
  }
  return {
    ask,
    ...createHeadReader({ read, reuseMs: REUSE_MS, now }),
    onHead: (listener) => listeners.push(listener),
  }
}
