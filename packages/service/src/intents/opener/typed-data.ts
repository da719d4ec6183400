import { evmChainNumberOf, type Opening, type OpeningMethod, type TypedData } from '@openrfq/sdk'
import type { IntentOrder, OrderId, ProvenTerms } from '../../core/intent-order.ts'
import type { NetworkToken } from '../../core/network.ts'
import type { Closed } from '../../core/written.ts'
import { foldedName } from '../../protocols/axelar/folded-name.ts'

/** Typed data as an answer holds it. */
export type WrittenData = {
  readonly domain: Readonly<Record<string, string | number>>
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

/** An order between EVM chains whose input is a token, and the token's own signatures if it has any. */
export type OpenableOrder = {
  readonly order: IntentOrder & { readonly proven: ProvenTerms }
  readonly orderId: OrderId
  readonly token: Pick<NetworkToken, 'signatures'>
}

/** Permit2, at the same address of every chain that has it. Source: contracts/settlers/Permissions.sol. */
export const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

const field = (text: string): { readonly name: string; readonly type: string } => {
  const [type = '', name = ''] = text.split(' ')
  return { name, type }
}
const fields = (text: string) => text.split(',').map((one) => field(one.trim()))

/** Source: contracts/settlers/IntentOrder.sol. */
const INTENT_ORDER = fields(
  `address depositor,bytes32 salt,uint256 originChainId,uint256 destinationChainId,bytes32 destinationChain,
  uint32 openDeadline,uint32 exclusiveUntil,uint32 fillDeadline,uint32 refundAfter,address inputToken,uint256 inputAmount,
  address outputToken,uint256 outputAmount,address recipient,address solver,address filler,address integrator,
  uint256 integratorFee`,
)
const SETTLER_DOMAIN = fields('string name,string version,address verifyingContract')
const TOKEN_DOMAIN = fields('string name,string version,uint256 chainId,address verifyingContract')
const PERMIT2_DOMAIN = fields('string name,uint256 chainId,address verifyingContract')

const messageOf = ({ order }: OpenableOrder) => ({
  depositor: order.depositor,
  salt: order.salt,
  originChainId: evmChainNumberOf(order.originChain).toString(),
  destinationChainId: evmChainNumberOf(order.destinationChain).toString(),
  destinationChain: foldedName(order.proven.destinationName),
  openDeadline: order.openDeadline,
  exclusiveUntil: order.proven.exclusiveUntil,
  fillDeadline: order.fillDeadline,
  refundAfter: order.refundAfter,
  inputToken: order.inputToken,
  inputAmount: order.inputAmount.toString(),
  outputToken: order.outputToken,
  outputAmount: order.outputAmount.toString(),
  recipient: order.recipient,
  solver: order.solver,
  filler: order.filler,
  integrator: order.proven.integrator,
  integratorFee: order.proven.integratorFee.toString(),
})

/** The order itself; its domain is the same on every chain. */
const orderData = (openable: OpenableOrder): WrittenData => ({
  domain: {
    name: 'OpenRFQ IntentSettler',
    version: '2',
    verifyingContract: openable.order.originSettler,
  },
  types: { EIP712Domain: SETTLER_DOMAIN, IntentOrder: INTENT_ORDER },
  primaryType: 'IntentOrder',
  message: messageOf(openable),
})

/** The chain's number as libraries expect it in a domain: a JSON number, or text where that is not exact. */
const domainChain = ({ order }: OpenableOrder): number | string => {
  const number = evmChainNumberOf(order.originChain)
  return number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : number.toString()
}

const tokenDomain = (openable: OpenableOrder) => ({
  name: openable.token.signatures?.name ?? '',
  version: openable.token.signatures?.version ?? '',
  chainId: domainChain(openable),
  verifyingContract: openable.order.inputToken,
})

/** Source: EIP-3009. The nonce is the order's id, so that the signature serves this order alone. */
const authorizationData = (openable: OpenableOrder): WrittenData => ({
  domain: tokenDomain(openable),
  types: {
    EIP712Domain: TOKEN_DOMAIN,
    ReceiveWithAuthorization: fields(
      'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
    ),
  },
  primaryType: 'ReceiveWithAuthorization',
  message: {
    from: openable.order.depositor,
    to: openable.order.originSettler,
    value: openable.order.inputAmount.toString(),
    validAfter: '0',
    validBefore: openable.order.openDeadline.toString(),
    nonce: openable.orderId,
  },
})

/** Source: Permit2's `permitWitnessTransferFrom`. The nonce is the order's id as a number. */
const witnessData = (openable: OpenableOrder): WrittenData => ({
  domain: {
    name: 'Permit2',
    chainId: domainChain(openable),
    verifyingContract: PERMIT2,
  },
  types: {
    EIP712Domain: PERMIT2_DOMAIN,
    PermitWitnessTransferFrom: fields(
      'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,IntentOrder witness',
    ),
    TokenPermissions: fields('address token,uint256 amount'),
    IntentOrder: INTENT_ORDER,
  },
  primaryType: 'PermitWitnessTransferFrom',
  message: {
    permitted: { token: openable.order.inputToken, amount: openable.order.inputAmount.toString() },
    spender: openable.order.originSettler,
    nonce: BigInt(openable.orderId).toString(),
    deadline: openable.order.openDeadline.toString(),
    witness: messageOf(openable),
  },
})

/** Source: EIP-2612. Its `nonce` is the token's `nonces(owner)`, which the signer adds to the message. */
const permitData = (openable: OpenableOrder): WrittenData => ({
  domain: tokenDomain(openable),
  types: {
    EIP712Domain: TOKEN_DOMAIN,
    Permit: fields('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline'),
  },
  primaryType: 'Permit',
  message: {
    owner: openable.order.depositor,
    spender: openable.order.originSettler,
    value: openable.order.inputAmount.toString(),
    deadline: openable.order.openDeadline.toString(),
  },
})

const DATA_OF = {
  allowance: (openable) => [orderData(openable)],
  erc3009: (openable) => [authorizationData(openable)],
  permit2: (openable) => [witnessData(openable)],
  erc2612: (openable) => [permitData(openable), orderData(openable)],
} as const satisfies Record<OpeningMethod, (openable: OpenableOrder) => readonly WrittenData[]>

/** What the depositor signs for a method, in order: the last of it binds the whole order. */
export const typedDataOf = (method: OpeningMethod, openable: OpenableOrder): readonly WrittenData[] =>
  DATA_OF[method](openable)

/** A method with what is signed for it, as a quote shows it. */
export const openingBy = (method: OpeningMethod, openable: OpenableOrder): Closed<Opening> => ({
  method,
  // CAST: the message of an answer is what the SDK parses as unknown values.
  typedData: typedDataOf(method, openable) as Closed<TypedData>[],
})
