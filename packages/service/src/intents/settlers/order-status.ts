import { bytes32Word, uintAt } from '../../chains/evm/abi-words.ts'
import type { EvmCall } from '../../chains/evm/evm-chain.ts'
import type { OrderId } from '../../core/intent-order.ts'

/**
 * An order's status in a settler of either kind. Source: contracts/intent/interfaces/IIntentSettler.sol `OrderStatus`.
 */
export type OrderStatus = 'none' | 'open' | 'released' | 'refunded' | 'filled'

const STATUS_OF = '0xc7df14e2'
const NAMES: readonly OrderStatus[] = ['none', 'open', 'released', 'refunded', 'filled']

/** The call that reads an order's status in a settler of either kind. */
export const statusCall = (settler: string, orderId: OrderId): EvmCall => ({
  to: settler,
  data: STATUS_OF + bytes32Word(orderId),
})

/** The status in a call's result; undefined for a revert or any other result. */
export const readStatus = (result: string | undefined): OrderStatus | undefined =>
  NAMES[Number(uintAt(result ?? '0x', 0) ?? -1n)]
