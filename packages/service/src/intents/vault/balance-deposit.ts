import type { BalanceTerms, ClaimableBalances, MadeBalance } from '../../chains/payment-chain.ts'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { createLru } from '../../lib/lru.ts'
import { depositMuxedId } from '../settlers/deposit-reference.ts'
import { orderIdOfQuote, orderOfQuote } from '../settlers/quoted-order.ts'

/** What a claimable balance must be to count as the deposit of an order that was quoted at a moment. */
export const balanceTermsOf = (order: IntentOrder, orderId: OrderId, quotedAt: Instant): BalanceTerms => ({
  depositor: order.depositor,
  vault: order.originSettler,
  muxedId: depositMuxedId(quotedAt, orderId),
  token: order.inputToken,
  amount: order.inputAmount,
  openDeadline: order.openDeadline,
  refundAfter: order.refundAfter,
})

/**
 * Whether a balance is the whole deposit of an order: made by its depositor, of its exact input, for the vault at any time,
 * for the depositor not before `refundAfter`, and for no other claimant.
 */
const isDepositOf = (order: IntentOrder, { payment, claimants }: MadeBalance): boolean => {
  const { depositor, originSettler, inputToken, inputAmount, refundAfter } = order
  const rightOf = (account: string) => claimants.find((claimant) => claimant.account === account)?.right
  const own = rightOf(depositor)
  return (
    payment.from === depositor &&
    payment.token === inputToken &&
    payment.amount === inputAmount &&
    claimants.length === 2 &&
    rightOf(originSettler) === 'always' &&
    typeof own === 'object' &&
    own.notBefore === refundAfter
  )
}

/** The payments into those of some balances that are the whole deposit of an order. */
export const balancesOfOrder = (order: IntentOrder, made: readonly MadeBalance[]): readonly Payment[] =>
  made.filter((one) => isDepositOf(order, one)).map(({ payment }) => payment)

const REMEMBERED_ORDERS = 20_000
/** Lookups wait for others of the same depositor: false announcements delay only that depositor. */
const MOST_LOOKS = 3

type Looks = ReadonlyMap<string, readonly Payment[]>

/**
 * Finds the balances that announcing payments of depositors name; of each order at most three transactions are looked at.
 * Rejects if the chain cannot be read.
 */
export const createBalanceFinder = (balances: ClaimableBalances | undefined) => {
  const looksOf = createLru<OrderId, Looks>(REMEMBERED_ORDERS)
  return async (payment: Payment, quote: QuoteRecord): Promise<readonly Payment[]> => {
    if (balances?.isAnnouncement(payment) !== true || payment.from !== quote.sender) return []
    const orderId = orderIdOfQuote(quote)
    const looks = looksOf.get(orderId) ?? new Map<string, readonly Payment[]>()
    const known = looks.get(payment.txHash)
    if (known !== undefined || looks.size >= MOST_LOOKS) return known ?? []
    const made = await balances.madeIn(payment.txHash)
    const found = balancesOfOrder(orderOfQuote(quote), made)
    looksOf.set(orderId, new Map([...looks, [payment.txHash, found]]))
    return found
  }
}
