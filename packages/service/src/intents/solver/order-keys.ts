import type { OrderId } from '../../core/intent-order.ts'

/** The keys of what the solver signs or declines for an order. */
export const orderKeys = (orderId: OrderId) => ({
  fill: `fill:${orderId}`,
  decline: `decline:${orderId}`,
  late: `late:${orderId}`,
  short: `short:${orderId}`,
})
