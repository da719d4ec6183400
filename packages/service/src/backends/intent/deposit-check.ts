import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { orderIdOfQuote, orderOfQuote } from '../../intents/settlers/quoted-order.ts'
import type { OrderFacts } from '../../intents/vault/order-facts.ts'
import type { PaymentIndex } from '../../intents/vault/payment-index.ts'
import type { FactCheck } from '../../transactions/fact-check.ts'

/** Keeps deposits on payment chains that an endpoint denies from counting as final for solvers. */
export type DepositCheck = {
  /** Whether no endpoint denies the credited deposits of a quote's order; one that is denied is asked about again. */
  readonly isClear: (quote: QuoteRecord) => Promise<boolean>
  /**
   * Asks about denied deposits again, and calls `onClear` with the quotes of those that no endpoint denies any more. Rejects
   * if the store fails.
   */
  readonly round: (onClear: (quote: QuoteRecord) => Promise<void>) => Promise<void>
}

export type DepositCheckDeps = {
  readonly paymentIndex: Pick<PaymentIndex, 'lastKnown'>
  readonly paidFact: OrderFacts['paid']
  readonly factCheck: Pick<FactCheck, 'allows'>
  readonly now: () => Instant
}

/** Limit of denied deposits; solvers are not told of more as final. */
const MOST_DENIED = 10_000

/** Creates the check; it knows no denied deposit. */
export const createDepositCheck = ({
  paymentIndex,
  paidFact,
  factCheck,
  now,
}: DepositCheckDeps): DepositCheck => {
  const denied = new Map<OrderId, QuoteRecord>()

  /** False also while no endpoint answers. */
  const isAllowed = async (orderId: OrderId, order: IntentOrder): Promise<boolean> => {
    const { deposits } = await paymentIndex.lastKnown(orderId, order)
    const credited = deposits?.final.creditedFrom ?? []
    return factCheck.allows(`deposit:${orderId}`, credited.map(paidFact)).catch(() => false)
  }

  return {
    isClear: async (quote) => {
      const orderId = orderIdOfQuote(quote)
      const isClear = await isAllowed(orderId, orderOfQuote(quote))
      if (isClear) denied.delete(orderId)
      else if (denied.size < MOST_DENIED) denied.set(orderId, quote)
      return isClear
    },
    round: async (onClear) => {
      for (const [orderId, quote] of denied) {
        const order = orderOfQuote(quote)
        const isOver = order.fillDeadline * 1000 < now()
        if (!isOver && !(await isAllowed(orderId, order))) continue
        denied.delete(orderId)
        if (!isOver) await onClear(quote)
      }
    },
  }
}
