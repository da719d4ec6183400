import type { ChainId } from '@openrfq/sdk'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'

/** Watches how much of the endpoints' history lies between what was read of a chain and its head. */
export type HistoryWatch = {
  /** Looks once a minute, given the last block that was read; never rejects. */
  readonly look: (cursor: bigint) => Promise<void>
  /** The used part of the history: 0 at the head, 1 when what follows the cursor gets lost; undefined if not known. */
  readonly used: () => number | undefined
}

/** The part of the history of a chain's endpoints that reading is behind. */
export type HistoryUsed = { readonly chainId: ChainId; readonly used: number }

type Deps = {
  readonly chain: Pick<PaymentChain, 'chainId' | 'head' | 'oldestRetained'>
  readonly now: () => Instant
  readonly log: Log
}

const LOOK_MS = 60_000
/** Of a week, an operator has five days left; of a day, eighteen hours. */
const MOST_USED = 0.25

/** Creates the watch, which alarms while reading is further behind than a quarter of the history of a quorum of endpoints. */
export const createHistoryWatch = ({ chain, now, log }: Deps): HistoryWatch => {
  const { chainId } = chain
  let lookedAt = Number.NEGATIVE_INFINITY
  let isShort = false
  let used: number | undefined

  const judge = (cursor: bigint, oldest: bigint, newest: bigint): void => {
    used = newest <= cursor ? 0 : Number(newest - cursor) / Number(newest > oldest ? newest - oldest : 1n)
    if (used > MOST_USED === isShort) return
    isShort = !isShort
    const fields = { chainId, cursor: `${cursor}`, oldest: `${oldest}`, newest: `${newest}` }
    if (isShort) log('error', 'payment_history_running_out', fields)
    else log('info', 'payment_history_caught_up', fields)
  }

  return {
    look: async (cursor) => {
      const head = chain.head()
      if (chain.oldestRetained === undefined || head === undefined || now() - lookedAt < LOOK_MS) return
      lookedAt = now()
      // Endpoints that do not answer are reported by the pool; the last value stays.
      const oldest = await chain.oldestRetained().catch(() => undefined)
      if (oldest !== undefined) judge(cursor, oldest, head.finalNumber)
    },
    used: () => used,
  }
}
