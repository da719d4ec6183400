import type { Hex } from './escrow-order.ts'

/**
 * What an attester signs to release an order on Solana, as EIP-712 typed data: the order's id, and the transaction that
 * filled it (32 bytes each). The domain names no chain and no program, because the order's id covers both.
 */
export const fillTypedData = (orderId: Hex, transaction: Hex) =>
  ({
    domain: { name: 'OpenRFQ Escrow', version: '1' },
    types: {
      Fill: [
        { name: 'orderId', type: 'bytes32' },
        { name: 'transaction', type: 'bytes32' },
      ],
    },
    primaryType: 'Fill',
    message: { orderId, transaction },
  }) as const
