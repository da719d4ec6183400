import type { Payment } from '../core/payment.ts'
import { paymentText } from './agreed-payments.ts'
import type { NamedTransaction, PaymentChain } from './payment-chain.ts'
import type { RpcAsk, RpcWork } from './rpc/rpc-members.ts'
import type { RpcPool } from './rpc/rpc-pool.ts'

/** A transaction with its slot or ledger, and the payer and payee whose payments in it are sought. */
export type PlacedTransaction = NamedTransaction & Pick<Payment, 'blockNumber'>

type Deps = {
  readonly pool: Pick<RpcPool, 'agree'>
  /** The slot or ledger of a transaction; throws NODE_BEHIND for an endpoint that does not know it. */
  readonly numberOf: (ask: RpcAsk, txHash: string) => Promise<bigint>
  /** The final payments of a transaction; throws for an endpoint that cannot know them. */
  readonly paymentsBeside: (transaction: PlacedTransaction) => RpcWork<readonly Payment[]>
  readonly deadlineMs: number
}

/**
 * Reads the payments of one transaction by agreement. Each endpoint is asked about the transaction alone, so that no number
 * of others delays the answer.
 */
export const createNamedPayments =
  ({ pool, numberOf, paymentsBeside, deadlineMs }: Deps): PaymentChain['paymentsIn'] =>
  (named) =>
    pool.agree({
      work: async (ask, endpoint) => {
        const blockNumber = await numberOf(ask, named.txHash)
        const found = await paymentsBeside({ ...named, blockNumber })(ask, endpoint)
        for (const { timestampSeconds } of found) ask.checkTime(timestampSeconds)
        return found
      },
      keyOf: (payments) => payments.map(paymentText).join('\n'),
      deadlineMs,
    })
