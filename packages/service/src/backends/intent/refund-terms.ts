import type { IntentOrder } from '../../core/intent-order.ts'

const TERMS = {
  escrow:
    'The whole deposit goes back to the sender: at once when the solver declines, else after refundAfter if the order was not filled by fillDeadline.',
  vault:
    'The whole deposit goes back to the sender if the order was not filled by fillDeadline; so does what is paid too much, too late or in another asset.',
} as const

/** When and to whom an order's deposit goes back from what holds it; `keeper` says whether the service submits refunds on its chain. */
export const refundTermsOf = (order: IntentOrder, heldBy: keyof typeof TERMS, keeper: boolean) =>
  ({
    automatic: true,
    /** The service always refunds from a vault, because only the operator's keys can pay from it. */
    keeper: keeper || heldBy === 'vault',
    address: order.depositor,
    chain: order.originChain,
    token: order.inputToken,
    cost: '0',
    /** Counted from a deposit at the last moment. */
    expectedSeconds: (heldBy === 'vault' ? order.fillDeadline : order.refundAfter) - order.openDeadline,
    terms: TERMS[heldBy],
  }) as const
