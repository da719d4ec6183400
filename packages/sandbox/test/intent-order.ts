import { encodeAbiParameters, type Hex, hashTypedData, keccak256, stringToHex } from 'viem'

/** An order as contracts/intent/IntentOrder.sol declares it; amounts in base units, times in seconds since 1970. */
export type IntentOrder = {
  readonly depositor: Hex
  readonly salt: Hex
  readonly originChainId: bigint
  readonly originSettler: Hex
  readonly destinationChainId: bigint
  readonly destinationSettler: Hex
  readonly openDeadline: number
  readonly fillDeadline: number
  readonly refundAfter: number
  readonly inputToken: Hex
  readonly inputAmount: bigint
  readonly outputToken: Hex
  readonly outputAmount: bigint
  readonly recipient: Hex
  readonly solver: Hex
  readonly filler: Hex
}

const FIELDS = [
  { name: 'depositor', type: 'address' },
  { name: 'salt', type: 'bytes32' },
  { name: 'originChainId', type: 'uint256' },
  { name: 'originSettler', type: 'address' },
  { name: 'destinationChainId', type: 'uint256' },
  { name: 'destinationSettler', type: 'address' },
  { name: 'openDeadline', type: 'uint32' },
  { name: 'fillDeadline', type: 'uint32' },
  { name: 'refundAfter', type: 'uint32' },
  { name: 'inputToken', type: 'address' },
  { name: 'inputAmount', type: 'uint256' },
  { name: 'outputToken', type: 'address' },
  { name: 'outputAmount', type: 'uint256' },
  { name: 'recipient', type: 'address' },
  { name: 'solver', type: 'address' },
  { name: 'filler', type: 'address' },
] as const

/** ERC-7683's order data type: the EIP-712 typehash of the type's text. */
export const ORDER_DATA_TYPE = keccak256(
  stringToHex(`IntentOrder(${FIELDS.map(({ type, name }) => `${type} ${name}`).join(',')})`),
)

/** The order's id by viem's EIP-712, to compare with the contract's. */
export const orderIdOf = (message: IntentOrder): Hex =>
  hashTypedData({
    domain: { name: 'OpenRFQ IntentSettler', version: '1' },
    types: { IntentOrder: FIELDS },
    primaryType: 'IntentOrder',
    message,
  })

/** The encoded order: `orderData` on the origin settler, `originData` on the destination settler. */
export const encodeOrder = (order: IntentOrder): Hex =>
  encodeAbiParameters([{ type: 'tuple', components: FIELDS }], [order])

/** The encoded batch of orders that a proof carries. */
export const encodeOrders = (orders: readonly IntentOrder[]): Hex =>
  encodeAbiParameters([{ type: 'tuple[]', components: FIELDS }], [orders])

/** The order in the struct that `open` and `resolve` take. */
export const wrapOrder = (order: IntentOrder) => ({
  fillDeadline: order.fillDeadline,
  orderDataType: ORDER_DATA_TYPE,
  orderData: encodeOrder(order),
})
