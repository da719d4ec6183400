import { domainOf, FIELDS, type IntentOrder, orderIdOf } from '@openrfq/sandbox/test/intent-order.ts'
import { concat, type Hex, numberToHex, parseSignature } from 'viem'
import { PERMIT2, SIGNER, type Side } from './world.ts'

const ORDER = { IntentOrder: FIELDS } as const

/** A depositor's permissions for an order, by their kinds; `amount` changes what a token is told. */
export type Permissions = {
  readonly order: Hex
  readonly authorization: Hex
  readonly witness: Hex
  readonly permit: Hex
}

const tokenDomain = (side: Side, token: Hex) => ({
  name: 'Permit Token',
  version: '1',
  chainId: side.number,
  verifyingContract: token,
})

/** The signature of an order. */
export const signOrder = (side: Side, message: IntentOrder): Promise<Hex> =>
  SIGNER.signTypedData({
    domain: domainOf(side.settler),
    types: ORDER,
    primaryType: 'IntentOrder',
    message,
  })

/** The signature of an ERC-3009 authorization for an order. */
export const signAuthorization = (
  side: Side,
  order: IntentOrder,
  token: Hex = order.inputToken,
): Promise<Hex> =>
  SIGNER.signTypedData({
    domain: tokenDomain(side, token),
    types: {
      ReceiveWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'ReceiveWithAuthorization',
    message: {
      from: order.depositor,
      to: side.settler,
      value: order.inputAmount,
      validAfter: 0n,
      validBefore: BigInt(order.openDeadline),
      nonce: orderIdOf(side.settler, order),
    },
  })

/** The signature of a Permit2 transfer whose witness is the order. */
export const signWitness = (side: Side, order: IntentOrder, nonce: bigint): Promise<Hex> =>
  SIGNER.signTypedData({
    domain: { name: 'Permit2', chainId: side.number, verifyingContract: PERMIT2 },
    types: {
      PermitWitnessTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
        { name: 'witness', type: 'IntentOrder' },
      ],
      TokenPermissions: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
      ...ORDER,
    },
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token: order.inputToken, amount: order.inputAmount },
      spender: side.settler,
      nonce,
      deadline: BigInt(order.openDeadline),
      witness: order,
    },
  })

const WORD = { size: 32 } as const

/** An ERC-2612 permit as a permission holds it. */
export const signPermit = async (
  side: Side,
  order: Pick<IntentOrder, 'depositor' | 'inputToken' | 'inputAmount' | 'openDeadline'>,
  nonce: bigint,
): Promise<Hex> => {
  const deadline = BigInt(order.openDeadline)
  const signature = await SIGNER.signTypedData({
    domain: tokenDomain(side, order.inputToken),
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner: order.depositor, spender: side.settler, value: order.inputAmount, nonce, deadline },
  })
  const { r, s, v } = parseSignature(signature)
  return concat([
    numberToHex(order.inputAmount, WORD),
    numberToHex(deadline, WORD),
    r,
    s,
    numberToHex(Number(v), { size: 1 }),
  ])
}

/** The permission of one kind. */
export const permission = (kind: number, ...content: readonly Hex[]): Hex =>
  concat([numberToHex(kind, { size: 1 }), ...content])

/** A word of a Permit2 nonce. */
export const nonceWord = (nonce: bigint): Hex => numberToHex(nonce, WORD)
