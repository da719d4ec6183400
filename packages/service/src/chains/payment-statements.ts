import type { Payment } from '../core/payment.ts'
import { paymentText } from './agreed-payments.ts'
import type { PaymentChain } from './payment-chain.ts'
import { rpcErrorCode } from './rpc/rpc-error.ts'
import type { RpcAsk, RpcWork } from './rpc/rpc-members.ts'
import type { RpcPool } from './rpc/rpc-pool.ts'

type Deps = {
  readonly pool: Pick<RpcPool, 'statements'>
  /** The final payments of the payment's transaction; throws for an endpoint that cannot know them. */
  readonly paymentsBeside: (payment: Payment) => RpcWork<readonly Payment[]>
  /** The number and the time of an endpoint's newest slot or ledger. */
  readonly newest: (ask: RpcAsk) => Promise<{ readonly number: bigint; readonly timestampSeconds: number }>
  readonly deadlineMs: number
}

/** Asks every endpoint about a payment that a decision rests on. */
export const createPaymentStatements = ({
  pool,
  paymentsBeside,
  newest,
  deadlineMs,
}: Deps): PaymentChain['paymentStatements'] => {
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

  return (payment) =>
    pool.statements({
      about: `made ${paymentText(payment)}`,
      confirms: async (ask, endpoint) => {
        const found = await besideOrExcluded(payment)(ask, endpoint)
        const same = found.find(({ position }) => position === payment.position)
        if (same !== undefined) ask.checkTime(same.timestampSeconds)
        return same !== undefined && paymentText(same) === paymentText(payment)
      },
      deadlineMs,
    })
}
