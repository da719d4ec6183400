import {
  concat,
  encodeAbiParameters,
  type Hex,
  hashStruct,
  hashTypedData,
  keccak256,
  numberToHex,
  pad,
  stringToHex,
} from 'viem'

/** An order as settlers/Order.sol declares it; amounts in base units, times in seconds since 1970. */
export type Order = {
  readonly salt: Hex
  readonly originChainId: bigint
  readonly originSettler: Hex
  readonly depositor: Hex
  readonly inputToken: Hex
  readonly inputAmount: bigint
  readonly destinationChainId: bigint
  readonly destinationName: Hex
  readonly destinationSettler: Hex
  readonly outputToken: Hex
  readonly outputAmount: bigint
  readonly recipient: Hex
  readonly recipientTag: bigint
  readonly solver: Hex
  readonly filler: Hex
  readonly accountKinds: Hex
  readonly openDeadline: number
  readonly exclusiveUntil: number
  readonly fillDeadline: number
  readonly refundAfter: number
  readonly attesters: Hex
  readonly integrator: Hex
  readonly integratorFee: bigint
}

/** The EIP-712 fields of an order, in the order of its words. */
export const ORDER_FIELDS = [
  { name: 'salt', type: 'bytes32' },
  { name: 'originChainId', type: 'uint256' },
  { name: 'originSettler', type: 'bytes32' },
  { name: 'depositor', type: 'bytes32' },
  { name: 'inputToken', type: 'bytes32' },
  { name: 'inputAmount', type: 'uint256' },
  { name: 'destinationChainId', type: 'uint256' },
  { name: 'destinationName', type: 'bytes32' },
  { name: 'destinationSettler', type: 'bytes32' },
  { name: 'outputToken', type: 'bytes32' },
  { name: 'outputAmount', type: 'uint256' },
  { name: 'recipient', type: 'bytes32' },
  { name: 'recipientTag', type: 'uint64' },
  { name: 'solver', type: 'bytes32' },
  { name: 'filler', type: 'bytes32' },
  { name: 'accountKinds', type: 'bytes5' },
  { name: 'openDeadline', type: 'uint32' },
  { name: 'exclusiveUntil', type: 'uint32' },
  { name: 'fillDeadline', type: 'uint32' },
  { name: 'refundAfter', type: 'uint32' },
  { name: 'attesters', type: 'bytes32' },
  { name: 'integrator', type: 'bytes32' },
  { name: 'integratorFee', type: 'uint256' },
] as const

/** The EIP-712 type of an order, as text. */
export const ORDER_TYPE = `Order(${ORDER_FIELDS.map(({ type, name }) => `${type} ${name}`).join(',')})`

/** What an account's 32 bytes are, as a byte of `accountKinds`. */
export const KIND = { none: 0, evm: 1, solana: 2, stellarAccount: 3, stellarContract: 4, stellarMuxed: 5 }

/** The kinds of depositor, recipient, solver, filler and integrator as an order holds them. */
export const kindsOf = (...kinds: readonly number[]): Hex =>
  concat(kinds.map((kind) => numberToHex(kind, { size: 1 })))

/** The id of an order: EIP-712's hash of the struct, by viem. */
export const orderIdOf = (data: Order): Hex =>
  hashStruct({ data, types: { Order: ORDER_FIELDS }, primaryType: 'Order' })

/** The 23 words of an order. */
export const encodeOrder = (order: Order): Hex =>
  encodeAbiParameters([{ type: 'tuple', components: ORDER_FIELDS }], [order])

/** The word of an order that commits to attesters: the threshold, and 31 bytes of the hash of the members' words. */
export const attestersWord = (threshold: number, members: readonly Hex[]): Hex => {
  const hash = keccak256(concat(members.map((member) => pad(member))))
  return `0x${threshold.toString(16).padStart(2, '0')}${hash.slice(2, 64)}`
}

/** What attesters say of an order; the time in seconds since 1970. */
export type Fill = {
  readonly orderId: Hex
  readonly repayTo: Hex
  readonly repayToKind: number
  readonly filledAt: number
}

/** The typed data of an attestation, the same in every family. */
export const fillTypedData = (message: Fill) =>
  ({
    domain: { name: 'OpenRFQ', version: '3' },
    types: {
      Fill: [
        { name: 'orderId', type: 'bytes32' },
        { name: 'repayTo', type: 'bytes32' },
        { name: 'repayToKind', type: 'uint8' },
        { name: 'filledAt', type: 'uint32' },
      ],
    },
    primaryType: 'Fill',
    message,
  }) as const

/** The digest that attesters sign, by viem. */
export const fillDigestOf = (fill: Fill): Hex => hashTypedData(fillTypedData(fill))

/** A ledger's id as orders hold it: the Keccak-256 hash of its CAIP-2 identifier. */
export const ledgerId = (chainId: string): bigint => BigInt(keccak256(stringToHex(chainId)))

/** An Axelar chain name as orders hold it. */
export const chainWord = (name: string): Hex => stringToHex(name.toLowerCase(), { size: 32 })
