import type { Instant } from '../core/instant.ts'
import type { Payment } from '../core/payment.ts'
import { createLru } from '../lib/lru.ts'
import type { PaymentChain, PaymentsRead } from './payment-chain.ts'
import { RpcError, rpcErrorCode } from './rpc/rpc-error.ts'
import type { RpcAsk, RpcWork } from './rpc/rpc-members.ts'
import type { RpcPool } from './rpc/rpc-pool.ts'

type PaymentRange = {
  readonly accounts: readonly string[]
  readonly after: bigint
  /** The last slot or ledger to read, which the endpoint must have finalized; undefined for its newest final one. */
  readonly upTo?: bigint
}

/** How a chain family reads payments from a single endpoint. */
export type PaymentsOfOne = {
  /** Throws NODE_BEHIND for an endpoint that has not finalized `upTo`, or `after`. */
  readonly read: (range: PaymentRange) => RpcWork<PaymentsRead>
  /** The endpoint's newest final slot or ledger. */
  readonly finalNumber: (ask: RpcAsk) => Promise<bigint>
}

type Deps = PaymentsOfOne & {
  readonly pool: RpcPool
  readonly deadlineMs: number
  readonly now: () => Instant
}

/** How long a chain without payments is read from one endpoint before a quorum is asked again. */
const IDLE_MS = 5_000
const HEADS_MS = 2_000
const REMEMBERED = 32

/** The text of everything about a payment, for comparison. */
export const paymentText = (payment: Payment): string =>
  JSON.stringify(
    [
      payment.chainId,
      payment.txHash,
      payment.position,
      payment.blockNumber,
      payment.timestampSeconds,
      payment.from,
      payment.to,
      payment.muxedId,
      payment.token,
      payment.amount,
      payment.memo,
    ].map(String),
  )

const keyOf = ({ upTo, upToTimestampSeconds, final }: PaymentsRead): string =>
  [upTo, upToTimestampSeconds, ...final.map(paymentText)].join('\n')

type AgreedRead = Pick<PaymentsRead, 'upTo' | 'upToTimestampSeconds' | 'final'>

/**
 * Reads payments so that a quorum of endpoints confirms each final one and the absence of others. It reads one endpoint
 * for progress, and a quorum when that endpoint reports final payments and every five seconds. A payment that only one
 * endpoint reports is tentative.
 */
export const createAgreedPayments = (deps: Deps): PaymentChain['readPayments'] => {
  const { pool, finalNumber, deadlineMs, now } = deps
  const reads = createLru<string, AgreedRead & { readonly readAt: Instant }>(REMEMBERED)

  const read: PaymentsOfOne['read'] = (range) => async (ask, endpoint) => {
    const found = await deps.read(range)(ask, endpoint)
    ask.checkTime(found.upToTimestampSeconds)
    for (const { timestampSeconds } of found.final) ask.checkTime(timestampSeconds)
    return found
  }

  /**
   * Candidate blocks up to which a quorum may agree: the newest that enough endpoints have, then the newest that all
   * have.
   */
  const commonHeads = async (): Promise<readonly bigint[]> => {
    const answers = await Promise.allSettled(pool.workEach(finalNumber, HEADS_MS))
    const heads = answers
      .flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
      .sort((one, other) => (one > other ? -1 : one < other ? 1 : 0))
    return [heads[pool.quorum - 1], heads.at(-1)].filter((head) => head !== undefined)
  }

  const agreeUpTo = async (
    range: PaymentRange & { readonly upTo: bigint },
  ): Promise<AgreedRead | undefined> => {
    try {
      return await pool.agree({ work: read(range), keyOf, deadlineMs })
    } catch (error) {
      if (rpcErrorCode(error) === 'NODE_BEHIND') return undefined
      throw error
    }
  }

  const readAgreed = async (
    range: PaymentRange,
    from: bigint,
    head: bigint,
  ): Promise<AgreedRead | undefined> => {
    const agreed = head < from ? undefined : await agreeUpTo({ ...range, upTo: head })
    if (agreed !== undefined) return agreed
    for (const upTo of new Set(await commonHeads())) {
      const other = upTo < from || upTo === head ? undefined : await agreeUpTo({ ...range, upTo })
      if (other !== undefined) return other
    }
    return undefined
  }

  return async (accounts, after) => {
    const seen = await pool.work(read({ accounts, after }), deadlineMs)
    if (pool.quorum === 1) return seen
    const key = accounts.join(' ')
    const last = reads.get(key)
    const known = last?.upTo === after ? last : undefined
    const isIdle = known !== undefined && seen.final.length === 0 && now() - known.readAt < IDLE_MS
    const fresh = isIdle
      ? undefined
      : await readAgreed({ accounts, after }, known === undefined ? after : after + 1n, seen.upTo)
    if (fresh !== undefined) reads.set(key, { ...fresh, readAt: now() })
    const agreed = fresh ?? (known && { ...known, final: [] })
    if (agreed === undefined) throw new RpcError('NODE_BEHIND', `too few endpoints know block ${after}`)
    const keys = new Set(agreed.final.map(paymentText))
    return {
      ...agreed,
      tentative: [...seen.final, ...seen.tentative].filter((payment) => !keys.has(paymentText(payment))),
    }
  }
}
