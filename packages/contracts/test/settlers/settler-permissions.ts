import type { Hex } from 'viem'
import { ORDER_FIELDS, type Order, orderIdOf } from '../../order-hashes.ts'
import { nonceWord, permission, signPermit } from './permissions.ts'
import { addressOf } from './settler-world.ts'
import { PERMIT2, SIGNER, type Side } from './world.ts'

/** The depositor's signature of an order. */
export const signOrder = ({ number, settler }: Side, message: Order): Promise<Hex> =>
  SIGNER.signTypedData({
    domain: { name: 'OpenRFQ', version: '3', chainId: number, verifyingContract: settler },
    types: { Order: ORDER_FIELDS },
    primaryType: 'Order',
    message,
  })

/** An ERC-3009 authorization whose nonce is the order's id. */
export const authorize = async (side: Side, order: Order): Promise<Hex> => {
  const message = {
    from: addressOf(order.depositor),
    to: side.settler,
    value: order.inputAmount,
    validAfter: 0n,
    validBefore: BigInt(order.openDeadline),
    nonce: orderIdOf(order),
  }
  const types = {
    ReceiveWithAuthorization: [
      { name: 'from', type: 'address' },
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'validAfter', type: 'uint256' },
      { name: 'validBefore', type: 'uint256' },
      { name: 'nonce', type: 'bytes32' },
    ],
  } as const
  const verifyingContract = addressOf(order.inputToken)
  const domain = { name: 'Permit Token', version: '1', chainId: side.number, verifyingContract }
  const primaryType = 'ReceiveWithAuthorization'
  return permission(1, await SIGNER.signTypedData({ domain, types, primaryType, message }))
}

/** A signature of Permit2 whose witness is the order. */
export const witness = async (side: Side, order: Order, nonce: bigint): Promise<Hex> => {
  const types = {
    PermitWitnessTransferFrom: [
      { name: 'permitted', type: 'TokenPermissions' },
      { name: 'spender', type: 'address' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
      { name: 'witness', type: 'Order' },
    ],
    TokenPermissions: [
      { name: 'token', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
    Order: ORDER_FIELDS,
  } as const
  const message = {
    permitted: { token: addressOf(order.inputToken), amount: order.inputAmount },
    spender: side.settler,
    nonce,
    deadline: BigInt(order.openDeadline),
    witness: order,
  }
  const domain = { name: 'Permit2', chainId: side.number, verifyingContract: PERMIT2 }
  const primaryType = 'PermitWitnessTransferFrom'
  return permission(2, nonceWord(nonce), await SIGNER.signTypedData({ domain, types, primaryType, message }))
}

/** An ERC-2612 permit alone, as a permission begins with it. */
export const permit = async (side: Side, order: Order): Promise<Hex> => {
  const token = { depositor: addressOf(order.depositor), inputToken: addressOf(order.inputToken) }
  // CAST: a uint256.
  const nonce = (await side.read(token.inputToken, 'nonces', [token.depositor])) as bigint
  return permission(3, await signPermit(side, { ...order, ...token }, nonce))
}
