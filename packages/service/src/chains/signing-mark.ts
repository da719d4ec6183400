import type { SigningMarks } from './payment-chain.ts'
import { reachedByQuorum } from './rpc/quorum.ts'
import type { RpcAsk } from './rpc/rpc-members.ts'
import type { RpcPool } from './rpc/rpc-pool.ts'

/** A ledger, and its time, which limits a payment's inclusion. */
type Standing = { readonly number: bigint; readonly measure: bigint }

/** How a chain family reads where one endpoint stands, and how long its payments can be included. */
type MarkOfOne = {
  readonly newest: (ask: RpcAsk) => Promise<Standing>
  readonly final: (ask: RpcAsk) => Promise<Standing>
  /** For how long a payment can be included after it was signed, in the measure. */
  readonly life: bigint
  /** How far sound endpoints may lag. */
  readonly lag: Standing
}

type Deps = MarkOfOne & { readonly pool: Pick<RpcPool, 'quorum' | 'workEach'>; readonly deadlineMs: number }

const ascending = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0)

/**
 * Creates the marks of one chain. Endpoints differ by some blocks and one of them may lie, so a mark takes the highest
 * values that a quorum reaches, and an end the lowest ones that a quorum has passed.
 */
export const createSigningMarks = ({ pool, newest, final, life, lag, deadlineMs }: Deps): SigningMarks => {
  const askAll = async (read: MarkOfOne['newest']): Promise<readonly Standing[]> => {
    const answers = await Promise.allSettled(pool.workEach(read, deadlineMs))
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  }
  return {
    readMark: async () => {
      const standings = await askAll(newest)
      return {
        head:
          reachedByQuorum(
            standings.map(({ number }) => number),
            pool.quorum,
          ) + lag.number,
        lastInclusion:
          reachedByQuorum(
            standings.map(({ measure }) => measure),
            pool.quorum,
          ) +
          life +
          lag.measure,
      }
    },
    endOf: async ({ lastInclusion }) => {
      const past = (await askAll(final)).filter(({ measure }) => measure > lastInclusion)
      return past.map(({ number }) => number).toSorted(ascending)[pool.quorum - 1]
    },
  }
}
