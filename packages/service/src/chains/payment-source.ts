import type { Payment } from '../core/payment.ts'
import type { PaymentChain } from './payment-chain.ts'
import { RpcError } from './rpc/rpc-error.ts'

/** Somebody who tells the past payments of an account, and is believed less than the chain's endpoints. */
export type PaymentSource = {
  /**
   * The account's final payments in the blocks after `after` up to and including `upTo`, oldest first, as the chain's
   * reader tells them. Rejects if the source does not have all of these blocks.
   */
  readonly paymentsBetween: (account: string, after: bigint, upTo: bigint) => Promise<readonly Payment[]>
}

const MOST_READS = 10_000

/** Creates a source from a reader of endpoints that keep a longer history. */
export const createReaderSource = (readPayments: PaymentChain['readPayments']): PaymentSource => ({
  paymentsBetween: async (account, after, upTo) => {
    const payments: Payment[] = []
    let reached = after
    for (let reads = 0; reads < MOST_READS && reached < upTo; reads += 1) {
      const read = await readPayments([account], reached)
      payments.push(...read.final)
      if (read.upTo <= reached) break
      reached = read.upTo
    }
    if (reached < upTo)
      throw new RpcError('NODE_BEHIND', `the second source ends at ${reached}, wanted is ${upTo}`)
    return payments.filter(({ blockNumber }) => blockNumber <= upTo)
  },
})
