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

/** What the same answer of an endpoint decides: the payments of two accounts in a transaction, with or without their memos. */
const readingOf = ({ txHash, blockNumber, from, to, memo }: Payment): string =>
  [txHash, blockNumber, from, to, memo === undefined].join(' ')

/** Asks every endpoint about payments that decisions rest on. */
export const createPaymentStatements = ({
  pool,
  paymentsBeside,
  newest,
  deadlineMs,
}: Deps): Pick<PaymentChain, 'paymentStatements' | 'statementsOfEach'> => {
  /**
   * The payments beside a payment; empty if the endpoint has passed the payment's time but not its slot or ledger, because its
   * chain then cannot contain the payment.
   */
  const besideOrExcluded =
    (payment: Payment, beside: RpcWork<readonly Payment[]>): RpcWork<readonly Payment[]> =>
    async (ask, endpoint) => {
      try {
        return await beside(ask, endpoint)
      } catch (error) {
        if (rpcErrorCode(error) !== 'NODE_BEHIND') throw error
        const { number, timestampSeconds } = await newest(ask)
        if (number < payment.blockNumber && timestampSeconds > payment.timestampSeconds) return []
        throw error
      }
    }

  const statementsBy = (payment: Payment, beside: RpcWork<readonly Payment[]>) =>
    pool.statements({
      about: `made ${paymentText(payment)}`,
      confirms: async (ask, endpoint) => {
        const found = await besideOrExcluded(payment, beside)(ask, endpoint)
        const same = found.find(({ position }) => position === payment.position)
        if (same !== undefined) ask.checkTime(same.timestampSeconds)
        return same !== undefined && paymentText(same) === paymentText(payment)
      },
      deadlineMs,
    })

  /** Reads of an endpoint, each made once for all payments that it decides. */
  const readOnce = () => {
    const reads = new Map<string, Promise<readonly Payment[]>>()
    return (payment: Payment): RpcWork<readonly Payment[]> =>
      (ask, endpoint) => {
        const key = `${endpoint} ${readingOf(payment)}`
        const read = reads.get(key) ?? paymentsBeside(payment)(ask, endpoint)
        reads.set(key, read)
        return read
      }
  }

  return {
    paymentStatements: (payment) => statementsBy(payment, paymentsBeside(payment)),
    statementsOfEach: (payments) => {
      const beside = readOnce()
      return payments.map((payment) => statementsBy(payment, beside(payment)))
    },
  }
}
