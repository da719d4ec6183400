import { agreedOutcome, type OutcomeVote } from './agreed-outcome.ts'
import type { PayoutOutcome } from './payment-chain.ts'
import { RpcError, rpcErrorCode } from './rpc/rpc-error.ts'
import type { RpcWork } from './rpc/rpc-members.ts'
import type { RpcPool } from './rpc/rpc-pool.ts'

type Deps = { readonly pool: Pick<RpcPool, 'quorum' | 'statements'>; readonly deadlineMs: number }

/** Determines the outcome of a payout from the vote that each endpoint gives. */
type OutcomeReader = (txHash: string, voteOf: RpcWork<OutcomeVote>) => Promise<PayoutOutcome>

/**
 * Creates a reader of outcomes. A payout stays `pending` while an endpoint has said nothing for less than 20 seconds,
 * and while one that has seen it on its chain says nothing since. Throws RpcError NO_ANSWER if no endpoint can tell.
 */
export const createOutcomeReader =
  ({ pool, deadlineMs }: Deps): OutcomeReader =>
  async (txHash, voteOf) => {
    const votes = new Map<number, OutcomeVote>()
    const noAnswer = (cause?: unknown): RpcError =>
      new RpcError('NO_ANSWER', `no endpoint can determine the outcome of ${txHash}`, { cause })
    const statements = await pool
      .statements({
        about: `absence of the payout ${txHash}`,
        confirms: async (ask, endpoint) => {
          const vote = await voteOf(ask, endpoint)
          votes.set(endpoint, vote)
          return vote !== 'pending' && vote !== 'succeeded'
        },
        deadlineMs,
      })
      .catch((error: unknown) => {
        if (rpcErrorCode(error) === 'NODE_BEHIND' && votes.size > 0) return undefined
        throw noAnswer(error)
      })
    if (statements === undefined) return 'pending'
    if (statements.length === 0) throw noAnswer()
    return agreedOutcome(
      statements.map(({ endpoint }) => votes.get(endpoint) ?? 'pending'),
      pool.quorum,
    )
  }
