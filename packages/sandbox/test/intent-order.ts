import {
  concat,
  encodeAbiParameters,
  type Hex,
  hashStruct,
  hashTypedData,
  keccak256,
  stringToHex,
  type TypedDataDomain,
} from 'viem'

/** An order as settlers/IntentOrder.sol declares it; amounts in base units, times in seconds since 1970. */
export type IntentOrder = {
  readonly depositor: Hex
  readonly salt: Hex
  readonly originChainId: bigint
  readonly destinationChainId: bigint
  readonly destinationChain: Hex
  readonly openDeadline: number
  readonly exclusiveUntil: number
  readonly fillDeadline: number
  readonly refundAfter: number
  readonly inputToken: Hex
  readonly inputAmount: bigint
  readonly outputToken: Hex
  readonly outputAmount: bigint
  readonly recipient: Hex
  readonly solver: Hex
  readonly filler: Hex
  readonly integrator: Hex
  readonly integratorFee: bigint
}

/** The EIP-712 fields of an order. */
export const FIELDS = [
  { name: 'depositor', type: 'address' },
  { name: 'salt', type: 'bytes32' },
  { name: 'originChainId', type: 'uint256' },
  { name: 'destinationChainId', type: 'uint256' },
  { name: 'destinationChain', type: 'bytes32' },
  { name: 'openDeadline', type: 'uint32' },
  { name: 'exclusiveUntil', type: 'uint32' },
  { name: 'fillDeadline', type: 'uint32' },
  { name: 'refundAfter', type: 'uint32' },
  { name: 'inputToken', type: 'address' },
  { name: 'inputAmount', type: 'uint256' },
  { name: 'outputToken', type: 'address' },
  { name: 'outputAmount', type: 'uint256' },
  { name: 'recipient', type: 'address' },
  { name: 'solver', type: 'address' },
  { name: 'filler', type: 'address' },
  { name: 'integrator', type: 'address' },
  { name: 'integratorFee', type: 'uint256' },
] as const

const TYPES = { IntentOrder: FIELDS } as const

/** ERC-7683's order data type: the EIP-712 typehash of the type's text. */
export const ORDER_DATA_TYPE = keccak256(
  stringToHex(`IntentOrder(${FIELDS.map(({ type, name }) => `${type} ${name}`).join(',')})`),
)

/** An Axelar chain name as orders hold it. */
export const chainWord = (name: string): Hex => stringToHex(name.toLowerCase(), { size: 32 })

/** The EIP-712 domain of a settler's orders, equal on every chain. */
export const domainOf = (settler: Hex): TypedDataDomain => ({
  name: 'OpenRFQ IntentSettler',
  version: '2',
  verifyingContract: settler,
})

/** The digest that a depositor signs and a proof carries, by viem's EIP-712. */
export const digestOf = (settler: Hex, message: IntentOrder): Hex =>
  hashTypedData({ domain: domainOf(settler), types: TYPES, primaryType: 'IntentOrder', message })

/** The hash of the order's fields, by viem's EIP-712. */
export const structHashOf = (data: IntentOrder): Hex =>
  hashStruct({ data, types: TYPES, primaryType: 'IntentOrder' })

/** The order's id. */
export const orderIdOf = (settler: Hex, order: IntentOrder): Hex =>
  keccak256(concat([order.destinationChain, digestOf(settler, order)]))

/** The encoded order: `orderData` on the origin, `originData` on the destination. */
export const encodeOrder = (order: IntentOrder): Hex =>
  encodeAbiParameters([{ type: 'tuple', components: FIELDS }], [order])

/** The order in the struct that `open` takes. */
export const wrapOrder = (order: IntentOrder) => ({
  fillDeadline: order.fillDeadline,
  orderDataType: ORDER_DATA_TYPE,
  orderData: encodeOrder(order),
})

/** The order in the struct that `openFor` takes. */
export const wrapGasless = (settler: Hex, order: IntentOrder) => ({
  originSettler: settler,
  user: order.depositor,
  nonce: BigInt(order.salt),
  originChainId: order.originChainId,
  openDeadline: order.openDeadline,
  fillDeadline: order.fillDeadline,
  orderDataType: ORDER_DATA_TYPE,
  orderData: encodeOrder(order),
})
