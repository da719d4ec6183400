import type { Payment } from '../core/payment.ts'
import { createLru } from '../lib/lru.ts'
import type { PaymentsOfOne } from './agreed-payments.ts'
import { paymentText } from './agreed-payments.ts'
import type { PaymentAbsence, PaymentChain } from './payment-chain.ts'
import { RpcError, rpcErrorCode } from './rpc/rpc-error.ts'
import type { RpcAsk, RpcWork } from './rpc/rpc-members.ts'
import type { RpcPool } from './rpc/rpc-pool.ts'

type Deps = PaymentsOfOne & {
  readonly pool: Pick<RpcPool, 'statements'>
  /** The oldest slot or ledger whose payments an endpoint knows. */
  readonly oldestNumber: (ask: RpcAsk) => Promise<bigint>
  /** The time of that slot or ledger, in seconds. */
  readonly oldestSeconds: (ask: RpcAsk, number: bigint) => Promise<number>
  /** The final payments of the payment's transaction; throws for an endpoint that cannot know them. */
  readonly paymentsBeside: (payment: Payment) => RpcWork<readonly Payment[]>
  /** The number and the time of an endpoint's newest slot or ledger. */
  readonly newest: (ask: RpcAsk) => Promise<{ readonly number: bigint; readonly timestampSeconds: number }>
  /** Slots or ledgers are never closer than this. */
  readonly fastestBlockMs: number
  readonly deadlineMs: number
}

/** Clocks of users, chains and the service may differ by this much. */
const CLOCK_MARGIN_SECONDS = 60
/** Each hands over a thousand transactions at least, or all there are. */
const MAX_READS = 16
const REMEMBERED_SEARCHES = 10_000

type Search = Pick<PaymentAbsence, 'about' | 'accounts' | 'untilSeconds' | 'isSought'> & {
  /** The slot or ledger after which the search starts. */
  readonly start: () => Promise<bigint>
  /** The endpoint's newest final slot or ledger. */
  readonly upTo: bigint
}

/**
 * Reads on from one endpoint until it reports a sought payment, or the time is past. Throws TOO_MUCH after half of the
 * deadline, and the next search for the same goes on there: others can send any number of payments to an account, which
 * must delay a refund only.
 */
const createSearch = ({ read, deadlineMs }: Pick<Deps, 'read' | 'deadlineMs'>) => {
  const searched = createLru<string, bigint>(REMEMBERED_SEARCHES)
  return ({ about, accounts, start, upTo, untilSeconds, isSought }: Search): RpcWork<boolean> =>
    async (ask, endpoint) => {
      const started = performance.now()
      const key = `${endpoint} ${about}`
      let after = searched.get(key) ?? (await start())
      searched.delete(key)
      for (let reads = 0; reads < MAX_READS; reads += 1) {
        const found = await read({ accounts, after, upTo })(ask, endpoint)
        if (found.final.some(isSought)) return false
        if (found.upToTimestampSeconds > untilSeconds) return true
        if (found.upTo >= upTo)
          throw new RpcError('NODE_BEHIND', `payments until ${untilSeconds} are wanted, the node is behind`)
        after = found.upTo
        if (performance.now() - started >= deadlineMs / 2) break
      }
      searched.set(key, after)
      throw new RpcError('TOO_MUCH', `too many payments until ${untilSeconds} to read them all at once`)
    }
}

/** Asks every endpoint about the payments that a decision rests on. */
export const createPaymentStatements = ({
  pool,
  read,
  finalNumber,
  oldestNumber,
  oldestSeconds,
  paymentsBeside,
  newest,
  fastestBlockMs,
  deadlineMs,
}: Deps): Pick<PaymentChain, 'paymentStatements' | 'absenceStatements'> => {
  const isAbsent = createSearch({ read, deadlineMs })

  /** The earliest number, or else the endpoint's oldest. Throws NODE_PRUNED if that is later than the time. */
  const startOf = async (ask: RpcAsk, earliest: bigint, sinceSeconds: number): Promise<bigint> => {
    const oldest = await oldestNumber(ask)
    if (oldest <= earliest) return earliest
    if ((await oldestSeconds(ask, oldest)) > sinceSeconds)
      throw new RpcError(
        'NODE_PRUNED',
        `payments since ${sinceSeconds} are wanted, the node knows later ones`,
      )
    return oldest
  }

  /** None if the endpoint is past the payment's time before the payment's slot or ledger, which it then never includes. */
  const besideOrExcluded =
    (payment: Payment): RpcWork<readonly Payment[]> =>
    async (ask, endpoint) => {
      try {
        return await paymentsBeside(payment)(ask, endpoint)
      } catch (error) {
        if (rpcErrorCode(error) !== 'NODE_BEHIND') throw error
        const { number, timestampSeconds } = await newest(ask)
        if (number < payment.blockNumber && timestampSeconds > payment.timestampSeconds) return []
        throw error
      }
    }

  return {
    paymentStatements: (payment) =>
      pool.statements({
        about: `made ${paymentText(payment)}`,
        confirms: async (ask, endpoint) => {
          const found = await besideOrExcluded(payment)(ask, endpoint)
          const same = found.find(({ position }) => position === payment.position)
          if (same !== undefined) ask.checkTime(same.timestampSeconds)
          return same !== undefined && paymentText(same) === paymentText(payment)
        },
        deadlineMs,
      }),
    absenceStatements: ({ about, accounts, sinceSeconds, untilSeconds, nowSeconds, isSought }) =>
      pool.statements({
        about,
        confirms: async (ask, endpoint) => {
          const upTo = await finalNumber(ask)
          const spanMs = (nowSeconds - sinceSeconds + CLOCK_MARGIN_SECONDS) * 1000
          const earliest = upTo - BigInt(Math.ceil(spanMs / fastestBlockMs))
          const start = () => startOf(ask, earliest, sinceSeconds)
          return isAbsent({ about, accounts, start, upTo, untilSeconds, isSought })(ask, endpoint)
        },
        deadlineMs,
      }),
  }
}
