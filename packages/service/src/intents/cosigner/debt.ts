import type { Payment } from '../../core/payment.ts'
import type { Fact } from '../../transactions/fact-check.ts'
import type { Obligation } from '../vault/obligations.ts'

/** What a vault owes as the co-signer has found it out, the deposits it is paid from, and the facts that it rests on. */
export type Debt = {
  readonly obligation: Obligation
  /** What is owed at most once; release and refund of an order share a name. */
  readonly name: string
  /** The part of each deposit, in base units; they add up to the amount. */
  readonly uses: readonly { readonly deposit: Payment; readonly amount: bigint }[]
  readonly facts: readonly Fact[]
  /**
   * Set where no order is known by the muxed id of the deposits: other orders with the same one may have been paid from them. The
   * amount of all deposits that the debt rests on, in base units.
   */
  readonly unnamed?: { readonly muxedId: bigint; readonly deposited: bigint }
}
