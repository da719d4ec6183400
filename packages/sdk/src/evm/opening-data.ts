import { getAddress, type Hex, hashTypedData, keccak256 } from 'viem'
import { ExecutionError } from '../execute/execution-error.ts'
import { isSameAddress, unsafe } from '../guard/guards.ts'
import { evmChainNumberOf } from '../wire/chain-id.ts'
import type { Opening, OpeningMethod } from '../wire/opening.ts'
import type { Quote } from '../wire/quote.ts'
import type { EvmAction } from './execute-evm-quote.ts'
import { readOrderCall } from './order-calls.ts'

type Field = { readonly name: string; readonly type: string }
type Fields = readonly Field[]
type Message = Readonly<Record<string, unknown>>

/** Typed data of EIP-712 as viem signs it. */
export type SignedData = {
  readonly domain: Readonly<{ name: string; version?: string; chainId?: bigint; verifyingContract: Hex }>
  readonly types: Readonly<Record<string, Fields>>
  readonly primaryType: string
  readonly message: Message
}

/** An order to be opened for its sender: the settler, the order's id, and its fields. */
export type OrderToOpen = {
  readonly settler: Hex
  readonly orderId: Hex
  readonly message: Message
  readonly sender: Hex
  readonly token: Hex
  readonly chainNumber: bigint
  readonly amount: bigint
  /** Seconds since 1970. */
  readonly openDeadline: bigint
}

/** Permit2, at the same address of every chain that has it. */
export const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

const fields = (text: string): Fields =>
  text.split(',').map((one) => {
    const [type = '', name = ''] = one.trim().split(' ')
    return { name, type }
  })

/** Source: contracts/settlers/IntentOrder.sol. */
const INTENT_ORDER = fields(
  `address depositor,bytes32 salt,uint256 originChainId,uint256 destinationChainId,bytes32 destinationChain,
  uint32 openDeadline,uint32 exclusiveUntil,uint32 fillDeadline,uint32 refundAfter,address inputToken,uint256 inputAmount,
  address outputToken,uint256 outputAmount,address recipient,address solver,address filler,address integrator,
  uint256 integratorFee`,
)
const ADDRESS_DIGITS = 40
const MAX_NAME_CHARACTERS = 100

const fieldValue = ({ type }: Field, word: string): unknown => {
  if (type === 'address') return getAddress(`0x${word.slice(-ADDRESS_DIGITS)}`)
  return type === 'bytes32' ? `0x${word}` : BigInt(`0x${word}`)
}

const orderData = (settler: Hex, message: Message): SignedData => ({
  domain: { name: 'OpenRFQ IntentSettler', version: '2', verifyingContract: settler },
  types: { IntentOrder: INTENT_ORDER },
  primaryType: 'IntentOrder',
  message,
})

/**
 * Reads the order that a quote's last action opens. Everything is the calldata's, which the guards have checked; nothing is the
 * service's word. Throws ExecutionError `unsupported` for an action that opens no order between EVM chains.
 */
export const orderToOpen = ({ input }: Quote, { id: actionId, payload }: EvmAction): OrderToOpen => {
  const call = readOrderCall(payload.data)
  if (call === undefined || call.names !== 'number')
    throw new ExecutionError('unsupported', `action "${actionId}" opens no order between EVM chains`, {
      actionId,
    })
  const { words, terms } = call
  const settler = getAddress(payload.to)
  const message = Object.fromEntries(
    INTENT_ORDER.map((field, index) => [field.name, fieldValue(field, words[index] ?? '')]),
  )
  const digest = hashTypedData(orderData(settler, message))
  return {
    settler,
    message,
    orderId: keccak256(`0x${terms.destinationName ?? ''}${digest.slice(2)}`),
    sender: getAddress(payload.from),
    token: getAddress(input.token),
    chainNumber: evmChainNumberOf(input.chain),
    amount: BigInt(input.amount),
    openDeadline: BigInt(`0x${terms.openDeadline}`),
  }
}

/**
 * The domain of a token. Only name and version come unchecked from the service: if they are wrong, the token refuses the
 * signature. Throws ExecutionError `unsafe` where it names another contract or chain.
 */
const tokenDomain = (
  { token, chainNumber }: OrderToOpen,
  { method, typedData }: Opening,
): SignedData['domain'] => {
  const { name, version, chainId, verifyingContract } = Object(typedData[0]?.domain)
  if (typeof verifyingContract !== 'string' || !isSameAddress(verifyingContract, token))
    throw unsafe(
      'unknown_contract',
      `the opening by ${method} is signed for ${verifyingContract}, not for ${token}`,
    )
  if (String(chainId) !== String(chainNumber))
    throw unsafe(
      'call_chain',
      `the opening by ${method} is signed for chain ${chainId}, not for ${chainNumber}`,
    )
  for (const text of [name, version])
    if (typeof text !== 'string' || text.length > MAX_NAME_CHARACTERS)
      throw unsafe('unknown_call', `the opening by ${method} names no token`)
  return { name, version, chainId: chainNumber, verifyingContract: token }
}

type DataOf = (order: OrderToOpen, opening: Opening, permitNonce: bigint) => readonly SignedData[]

const DATA_OF: Readonly<Record<OpeningMethod, DataOf>> = {
  allowance: ({ settler, message }) => [orderData(settler, message)],
  // Source: EIP-3009. The nonce is the order's id, so that the signature serves this order alone.
  erc3009: (order, opening) => [
    {
      domain: tokenDomain(order, opening),
      types: {
        ReceiveWithAuthorization: fields(
          'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
        ),
      },
      primaryType: 'ReceiveWithAuthorization',
      message: {
        from: order.sender,
        to: order.settler,
        value: order.amount,
        validAfter: 0n,
        validBefore: order.openDeadline,
        nonce: order.orderId,
      },
    },
  ],
  // Source: Permit2's `permitWitnessTransferFrom`.
  permit2: ({ settler, orderId, message, token, chainNumber, amount, openDeadline }) => [
    {
      domain: { name: 'Permit2', chainId: chainNumber, verifyingContract: PERMIT2 },
      types: {
        PermitWitnessTransferFrom: fields(
          'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,IntentOrder witness',
        ),
        TokenPermissions: fields('address token,uint256 amount'),
        IntentOrder: INTENT_ORDER,
      },
      primaryType: 'PermitWitnessTransferFrom',
      message: {
        permitted: { token, amount },
        spender: settler,
        nonce: BigInt(orderId),
        deadline: openDeadline,
        witness: message,
      },
    },
  ],
  // Source: EIP-2612.
  erc2612: (order, opening, nonce) => [
    {
      domain: tokenDomain(order, opening),
      types: {
        Permit: fields('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline'),
      },
      primaryType: 'Permit',
      message: {
        owner: order.sender,
        spender: order.settler,
        value: order.amount,
        nonce,
        deadline: order.openDeadline,
      },
    },
    orderData(order.settler, order.message),
  ],
}

/**
 * What the sender signs for a method, in order. It is made from the order alone; of the quote's typed data only the name and
 * version of a token's domain are taken. `permitNonce` is the token's `nonces(sender)`, of `erc2612` alone. Throws
 * ExecutionError `unsafe`.
 */
export const openingData = (
  method: OpeningMethod,
  order: OrderToOpen,
  opening: Opening,
  permitNonce: bigint,
): readonly SignedData[] => DATA_OF[method](order, opening, permitNonce)
