import type { OrderId } from '../../core/intent-order.ts'

/** The text that a solver signs (EIP-191) to hand the transaction that filled an order to the attester. */
export const claimText = (orderId: OrderId, transaction: string): string =>
  `OpenRFQ fill\norder: ${orderId}\ntransaction: ${transaction}`
