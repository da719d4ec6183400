import type { Instant } from '../../core/instant.ts'
import type { UnpayableReason } from '../../core/offer.ts'
import { createSharedReads } from '../../lib/shared-reads.ts'
import type { RpcAsk } from './rpc-members.ts'
import type { RpcPool } from './rpc-pool.ts'

/** A recipient, a token and an amount in base units. */
type Asked = readonly [recipient: string, token: string, amount: bigint]

type Deps = {
  readonly pool: Pick<RpcPool, 'agree'>
  readonly now: () => Instant
  readonly deadlineMs: number
  /** How long an agreed answer is cached, in milliseconds. */
  readonly maxAgeMs: number
}

const CACHED_ANSWERS = 10_000

/**
 * Creates the check of recipients by a quorum of endpoints, from what one endpoint says. They agree on the code of the
 * reason; endpoints that differ by their newest block do not contradict each other. Rejects without a quorum.
 */
export const createAgreedPayable = (
  { pool, now, deadlineMs, maxAgeMs }: Deps,
  whyNotBy: (ask: RpcAsk, ...asked: Asked) => Promise<UnpayableReason | undefined>,
): ((...asked: Asked) => Promise<UnpayableReason | undefined>) => {
  const share = createSharedReads<string, UnpayableReason | undefined>({
    now,
    maxAgeMs,
    limit: CACHED_ANSWERS,
  })
  return (...asked) =>
    share(asked.join(' '), () =>
      pool.agree({
        work: (ask) => whyNotBy(ask, ...asked),
        keyOf: (why) => why?.reasonCode ?? 'payable',
        blames: false,
        deadlineMs,
      }),
    )
}
