import { type Hex, hashTypedData } from 'viem'

/** An order as contracts/settlers/AttestedOrder.sol declares it; amounts in base units, times in seconds since 1970. */
export type AttestedOrder = {
  readonly salt: Hex
  readonly originChain: Hex
  readonly originSettler: Hex
  readonly depositor: Hex
  readonly inputToken: Hex
  readonly inputAmount: bigint
  readonly destinationChain: Hex
  readonly destinationSettler: Hex
  readonly outputToken: Hex
  readonly outputAmount: bigint
  readonly recipient: Hex
  readonly recipientTag: bigint
  readonly solver: Hex
  readonly filler: Hex
  readonly openDeadline: number
  readonly exclusiveUntil: number
  readonly fillDeadline: number
  readonly refundAfter: number
  readonly attester: Hex
  readonly integrator: Hex
  readonly integratorFee: bigint
}

const NAME = 'OpenRFQ AttestedSettler'

const FIELDS = [
  { name: 'salt', type: 'bytes32' },
  { name: 'originChain', type: 'bytes32' },
  { name: 'originSettler', type: 'bytes32' },
  { name: 'depositor', type: 'bytes32' },
  { name: 'inputToken', type: 'bytes32' },
  { name: 'inputAmount', type: 'uint256' },
  { name: 'destinationChain', type: 'bytes32' },
  { name: 'destinationSettler', type: 'bytes32' },
  { name: 'outputToken', type: 'bytes32' },
  { name: 'outputAmount', type: 'uint256' },
  { name: 'recipient', type: 'bytes32' },
  { name: 'recipientTag', type: 'uint256' },
  { name: 'solver', type: 'bytes32' },
  { name: 'filler', type: 'bytes32' },
  { name: 'openDeadline', type: 'uint32' },
  { name: 'exclusiveUntil', type: 'uint32' },
  { name: 'fillDeadline', type: 'uint32' },
  { name: 'refundAfter', type: 'uint32' },
  { name: 'attester', type: 'address' },
  { name: 'integrator', type: 'bytes32' },
  { name: 'integratorFee', type: 'uint256' },
] as const

/** What a depositor signs. */
export const orderTypedData = (message: AttestedOrder) =>
  ({
    domain: { name: NAME, version: '2' },
    types: { AttestedOrder: FIELDS },
    primaryType: 'AttestedOrder',
    message,
  }) as const

/** The order's id by viem's EIP-712, to compare with the contract's. */
export const attestedIdOf = (order: AttestedOrder): Hex => hashTypedData(orderTypedData(order))

/** A fill that an attester signs for: 32 bytes each. */
type Fill = { readonly orderId: Hex; readonly repayTo: Hex; readonly transaction: Hex }

/** What an attester signs for a settler. */
export const fillTypedData = (chainId: number, settler: Hex, message: Fill) =>
  ({
    domain: { name: NAME, version: '2', chainId, verifyingContract: settler },
    types: {
      Fill: [
        { name: 'orderId', type: 'bytes32' },
        { name: 'repayTo', type: 'bytes32' },
        { name: 'transaction', type: 'bytes32' },
      ],
    },
    primaryType: 'Fill',
    message,
  }) as const

/** The digest an attester signs, by viem's EIP-712, to compare with the contract's. */
export const fillDigestOf = (chainId: number, settler: Hex, fill: Fill): Hex =>
  hashTypedData(fillTypedData(chainId, settler, fill))
