import type { Payment } from '../core/payment.ts'
import type { PaymentsOfOne } from './agreed-payments.ts'
import { paymentText } from './agreed-payments.ts'
import type { PaymentAbsence, PaymentChain } from './payment-chain.ts'
import { RpcError } from './rpc/rpc-error.ts'
import type { RpcAsk, RpcWork } from './rpc/rpc-members.ts'
import type { RpcPool } from './rpc/rpc-pool.ts'

type Deps = PaymentsOfOne & {
  readonly pool: Pick<RpcPool, 'statements'>
  /** The oldest slot or ledger whose payments an endpoint knows. */
  readonly oldestNumber: (ask: RpcAsk) => Promise<bigint>
  /** The final payments of the payment's transaction; throws for an endpoint that cannot know them. */
  readonly paymentsBeside: (payment: Payment) => RpcWork<readonly Payment[]>
  /** Slots or ledgers are never closer than this. */
  readonly fastestBlockMs: number
  readonly deadlineMs: number
}

/** Clocks of users, chains and the service may differ by this much. */
const CLOCK_MARGIN_SECONDS = 60
/** Each hands over a thousand transactions at least, or all there are. */
const MAX_READS = 16

type Search = Pick<PaymentAbsence, 'accounts' | 'untilSeconds' | 'isSought'> & {
  readonly after: bigint
  /** The endpoint's newest final slot or ledger. */
  readonly upTo: bigint
}

/**
 * Reads on from one endpoint until it reports a sought payment, or the time is past. Throws TOO_MUCH after half of the
 * deadline: others can send any number of payments to an account, which must not stop a refund.
 */
const createSearch =
  ({ read, deadlineMs }: Pick<Deps, 'read' | 'deadlineMs'>) =>
  ({ accounts, after: start, upTo, untilSeconds, isSought }: Search): RpcWork<boolean> =>
  async (ask, endpoint) => {
    const started = performance.now()
    let after = start
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const found = await read({ accounts, after, upTo })(ask, endpoint)
      if (found.final.some(isSought)) return false
      if (found.upToTimestampSeconds > untilSeconds) return true
      if (found.upTo >= upTo)
        throw new RpcError('NODE_BEHIND', `payments until ${untilSeconds} are wanted, the node is behind`)
      if (performance.now() - started >= deadlineMs / 2) break
      after = found.upTo
    }
    throw new RpcError('TOO_MUCH', `too many payments until ${untilSeconds} to read them all`)
  }

/** Asks every endpoint about the payments that a decision rests on. */
export const createPaymentStatements = ({
  pool,
  read,
  finalNumber,
  oldestNumber,
  paymentsBeside,
  fastestBlockMs,
  deadlineMs,
}: Deps): Pick<PaymentChain, 'paymentStatements' | 'absenceStatements'> => {
  const isAbsent = createSearch({ read, deadlineMs })
  return {
    paymentStatements: (payment) =>
      pool.statements(async (ask, endpoint) => {
        const found = await paymentsBeside(payment)(ask, endpoint)
        const same = found.find(({ position }) => position === payment.position)
        if (same !== undefined) ask.checkTime(same.timestampSeconds)
        return same !== undefined && paymentText(same) === paymentText(payment)
      }, deadlineMs),
    absenceStatements: ({ accounts, sinceSeconds, untilSeconds, nowSeconds, isSought }) =>
      pool.statements(async (ask, endpoint) => {
        const [upTo, oldest] = [await finalNumber(ask), await oldestNumber(ask)]
        const spanMs = (nowSeconds - sinceSeconds + CLOCK_MARGIN_SECONDS) * 1000
        const start = upTo - BigInt(Math.ceil(spanMs / fastestBlockMs))
        const after = start < oldest ? oldest : start
        return isAbsent({ accounts, after, upTo, untilSeconds, isSought })(ask, endpoint)
      }, deadlineMs),
  }
}
