import type { Hex } from './escrow-order.ts'

/**
 * What an attester signs to release an order on Solana, as EIP-712 typed data: the order's id, its solver, who is repaid,
 * and the transaction that filled it (32 bytes each). The domain names no chain and no program, because the order's id
 * covers both.
 */
export const fillTypedData = (orderId: Hex, repayTo: Hex, transaction: Hex) =>
  ({
    domain: { name: 'OpenRFQ Escrow', version: '2' },
    types: {
      Fill: [
        { name: 'orderId', type: 'bytes32' },
        { name: 'repayTo', type: 'bytes32' },
        { name: 'transaction', type: 'bytes32' },
      ],
    },
    primaryType: 'Fill',
    message: { orderId, repayTo, transaction },
  }) as const
