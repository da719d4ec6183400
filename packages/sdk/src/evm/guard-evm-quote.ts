import { type Address, decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { type ActionOf, actionsOf } from '../execute/checked-quote.ts'
import { recipientBytes } from '../guard/address-words.ts'
import { checkAsset, checkAxelarChain } from '../guard/bridge.ts'
import type { GuardCode } from '../guard/guard-code.ts'
import { checkContract, type Guarded, isSameAddress, unsafe } from '../guard/guards.ts'
import { keccakOfText } from '../guard/keccak.ts'
import { isTooFar, MOST_LOCKED } from '../guard/locked-time.ts'
import { checkSameTarget } from '../guard/no-worse-quote.ts'
import { checkOrder } from '../guard/order-terms.ts'
import { evmChainNumberOf, isChainIdOf } from '../wire/chain-id.ts'
import type { Quote } from '../wire/quote.ts'
import { valueScaleOf } from '../wire/value-scale.ts'
import { EVM_NATIVE, isTakenAsErc20 } from './native-input.ts'
import { readOrderCall } from './order-calls.ts'

type EvmAction = ActionOf<'evm_transaction'>
type Refuse = (guard: GuardCode, what: string) => never

const ERC20 = parseAbi(['function approve(address spender, uint256 amount)'])
const CALLS = parseAbi([
  'struct ExpressOrder { bytes32 salt; uint32 deadline; address inputToken; uint256 inputAmount; bytes inputPath; string symbol; uint256 minimumBridgeAmount; address refundAddress; uint256 destinationChainId; string destinationChain; address outputToken; bytes outputPath; uint256 minimumAmount; address recipient; address keeper; address executor; uint32 priorityUntil; uint32 returnAfter; address integrator; uint16 integratorFeeBps; }',
  'function interchainTransfer(bytes32 tokenId, string destinationChain, bytes destinationAddress, uint256 amount, bytes metadata, uint256 gasValue)',
  'function send(ExpressOrder order)',
])

const MAX_UINT = (1n << 256n) - 1n
/** An approval, one that resets to zero before it, and the transfer. */
const MOST_ACTIONS = 3
const TAG_DIGITS = 32
/** How long a transaction that was sent in time may take to be included. */
const MOST_INCLUSION_MS = 600_000

/** What stands after the calldata of a quote, where no contract reads. Source: docs/executing-quotes.md. */
const tagOf = ({ quoteId }: Quote): string => keccakOfText(quoteId).slice(0, TAG_DIGITS)

/**
 * Refuses a quote whose approvals and call do anything but what the quote says, for the request: which contract is called and
 * approved, by how much, and what its arguments say. Throws ExecutionError `unsafe`.
 */
export const guardEvmQuote = (guarded: Guarded): void => {
  const actions = actionsOf(guarded.quote, 'evm_transaction')
  const transfer = actions.at(-1)
  const approvals = actions.slice(0, -1)
  const isOrdered =
    transfer?.type === 'transaction' &&
    actions.length <= MOST_ACTIONS &&
    approvals.every(({ type }) => type === 'approval')
  if (transfer === undefined || !isOrdered)
    throw unsafe('action_order', `quote ${guarded.quote.quoteId} is not approvals and one transfer`)
  checkSameTarget(guarded, paidBy)
  const isKnown = checkTarget(guarded, transfer)
  for (const approval of approvals)
    checkApproval(guarded, approval, { spender: transfer.payload.to, isKnown })
  checkValue(guarded, transfer, isKnown)
  checkCall(guarded, transfer)
}

const refusalOf =
  ({ id }: EvmAction): Refuse =>
  (guard, what) => {
    throw unsafe(guard, `action "${id}" ${what}`, id)
  }

/** Decodes calldata that encodes one call, and nothing else but perhaps a tag; undefined for any other. */
const decoded = <const Abi extends typeof ERC20 | typeof CALLS>(abi: Abi, data: string, tag = '') => {
  // CAST: the schema of the payload lets only 0x-hex pass, which its text type forgets.
  const hex = data as Hex
  for (const length of [data.length, ...(data.endsWith(tag) ? [data.length - tag.length] : [])]) {
    try {
      // CAST: a part of a text that begins with 0x does so, too.
      const whole = hex.slice(0, length) as Hex
      const call = decodeFunctionData({ abi, data: whole })
      // CAST: the arguments are those of the function that they were decoded of.
      if (encodeFunctionData({ abi, ...call } as never) === whole.toLowerCase()) return call
    } catch {
      // It is no call of these functions.
    }
  }
  return undefined
}

const checkApproval = (
  { quote, request }: Guarded,
  approval: EvmAction,
  { spender, isKnown }: { readonly spender: string; readonly isKnown: boolean },
): void => {
  const refuse: Refuse = refusalOf(approval)
  const { to, data, value } = approval.payload
  if (!isSameAddress(to, quote.input.token) || quote.input.token === EVM_NATIVE || value !== '0')
    refuse('approval_call', `is no approval of ${quote.input.token}`)
  const call = decoded(ERC20, data)
  if (call === undefined) refuse('approval_call', `is no approval of ${quote.input.token}`)
  const [approved, amount] = call.args
  if (!isSameAddress(approved, spender))
    refuse('approval_spender', `lets ${approved} spend, the transfer calls ${spender}`)
  const isMaximal = request.options?.approvalMode === 'MAX' && amount === MAX_UINT
  if (amount !== 0n && amount !== BigInt(quote.input.amount) && !isMaximal)
    refuse('approval_amount', `lets ${approved} spend ${amount} base units of ${quote.input.amount}`)
  if (isMaximal && !isKnown)
    refuse('approval_amount', `lets ${approved} spend everything; name it in \`guards.contracts\``)
}

const checkTarget = (guarded: Guarded, transfer: EvmAction): boolean => {
  const { to } = transfer.payload
  const { input } = guarded.quote
  const isHarmful = [input.token, EVM_NATIVE, guarded.request.sender].some((other) =>
    isSameAddress(other, to),
  )
  if (isHarmful) refusalOf(transfer)('unknown_contract', `calls ${to}, which is no bridge or settler`)
  const called = { chain: transfer.chain, contract: to, actionId: transfer.id }
  return checkContract(guarded, called, guarded.quote.backend.type)
}

/** The native value that a call sends, in base units; undefined for a value that is none, so that no quote can show it. */
const sentBy = ({ chain, payload }: EvmAction): bigint | undefined => {
  const [value, scale] = [BigInt(payload.value), valueScaleOf(chain)]
  return value % scale === 0n ? value / scale : undefined
}

/** What a quote sends of its input as native value. */
const inputSentBy = (quote: Quote): bigint =>
  quote.input.token === EVM_NATIVE && !isTakenAsErc20(quote) ? BigInt(quote.input.amount) : 0n

/** The native value that a quote sends beside its input, in base units; a part of one counts as one. */
const feeOf = (quote: Quote, transfer: EvmAction): bigint => {
  const sent = sentBy(transfer) ?? BigInt(transfer.payload.value) / valueScaleOf(transfer.chain) + 1n
  return sent - inputSentBy(quote)
}

const paidBy = (quote: Quote) => {
  const transfer = actionsOf(quote, 'evm_transaction').at(-1)
  return {
    target: transfer?.payload.to,
    fee: transfer === undefined ? 0n : feeOf(quote, transfer),
  }
}

/** The value is the native input and the fees that the quote shows as such. */
const checkValue = ({ quote, guards, lacks }: Guarded, transfer: EvmAction, isKnown: boolean): void => {
  const refuse: Refuse = refusalOf(transfer)
  const value = BigInt(transfer.payload.value)
  const fee = feeOf(quote, transfer)
  const shown = quote.fees.user.paymentMethod === 'tx_value' ? BigInt(quote.fees.user.amount) : 0n
  if (sentBy(transfer) === undefined || (fee !== 0n && fee !== shown)) {
    const scale = valueScaleOf(transfer.chain)
    const expected = (inputSentBy(quote) + shown) * scale
    refuse('call_value', `sends ${value} wei, the quote's input and fees are ${expected}`)
  }
  if (guards.maximumNativeFee !== undefined && fee > guards.maximumNativeFee)
    refuse('native_fee', `pays ${fee} wei for the way, more than ${guards.maximumNativeFee}`)
  if (guards.maximumNativeFee !== undefined || fee === 0n) return
  if (!isKnown)
    refuse('native_fee', `pays ${fee} wei to an unknown contract; name \`guards.maximumNativeFee\``)
  lacks('native_fee')
}

const checkCall = (guarded: Guarded, transfer: EvmAction): void => {
  const { quote } = guarded
  const { data, to } = transfer.payload
  const refuse: Refuse = refusalOf(transfer)
  if (quote.backend.type === 'intent') {
    const order = readOrderCall(data)
    if (order === undefined) refuse('unknown_call', 'does not open an order')
    checkOrder(guarded, transfer.id, order.terms, { settler: to, names: order.names })
    const rest = data.slice(order.digits)
    if (rest !== '' && rest !== tagOf(quote)) refuse('call_extra', 'carries more than the order')
    return
  }
  const call = decoded(CALLS, data, tagOf(quote))
  const { type } = quote.backend
  if (call?.functionName === 'interchainTransfer' && type === 'its')
    checkInterchainTransfer(guarded, call.args, transfer, refuse)
  else if (call?.functionName === 'send' && (type === 'gateway' || type === 'gateway-express'))
    checkSend(guarded, call.args[0], refuse)
  else refuse('unknown_call', `is no call of the backend ${type}`)
}

const checkInterchainTransfer = (
  guarded: Guarded,
  [tokenId, chain, recipient, amount, metadata, gas]: readonly [Hex, string, Hex, bigint, Hex, bigint],
  transfer: EvmAction,
  refuse: Refuse,
): void => {
  const { quote, request } = guarded
  const { backend, input } = quote
  if (amount !== BigInt(input.amount)) refuse('call_input', `sends ${amount} base units of ${input.amount}`)
  if (recipient !== recipientBytes(request.toChain, request.recipient))
    refuse('call_recipient', `pays ${recipient}`)
  if (metadata !== '0x') refuse('call_extra', 'makes a call on the destination chain')
  // Contracts count the native asset in base units, the transaction may count it otherwise.
  if (gas !== sentBy(transfer))
    refuse('call_value', `pays ${gas} base units of ${transfer.payload.value} wei for the way`)
  if (backend.type !== 'its') return
  if (chain !== backend.metadata.destinationAxelarChain && chain !== backend.tracking.destinationAxelarChain)
    refuse('call_chain', `ends on ${chain}`)
  if (tokenId !== backend.tracking.tokenId?.toLowerCase()) refuse('call_input', `sends the token ${tokenId}`)
  checkAxelarChain(guarded, chain, refuse)
  checkAsset(guarded, tokenId, refuse)
}

type SentOrder = {
  readonly deadline: number
  readonly priorityUntil: number
  readonly returnAfter: number
  readonly inputPath: Hex
  readonly outputPath: Hex
  readonly minimumBridgeAmount: bigint
  readonly inputToken: Address
  readonly inputAmount: bigint
  readonly refundAddress: Address
  readonly destinationChainId: bigint
  readonly destinationChain: string
  readonly outputToken: Address
  readonly minimumAmount: bigint
  readonly recipient: Address
  readonly executor: Address
  readonly integrator: Address
  readonly integratorFeeBps: number
}

const checkSend = (guarded: Guarded, order: SentOrder, refuse: Refuse): void => {
  const { quote, request } = guarded
  const { backend, fees, input, output, validity } = quote
  if (backend.type === 'gateway' && (order.inputPath !== '0x' || order.outputPath !== '0x'))
    refuse('unknown_call', 'swaps, which no call of the backend gateway does')
  if (!isSameAddress(order.inputToken, input.token) || order.inputAmount !== BigInt(input.amount))
    refuse('call_input', `sends ${order.inputAmount} of ${order.inputToken}`)
  if (!isSameAddress(order.outputToken, output.token) || order.minimumAmount < BigInt(output.minimumAmount))
    refuse('call_output', `guarantees ${order.minimumAmount} of ${order.outputToken}`)
  if (!isSameAddress(order.recipient, request.recipient)) refuse('call_recipient', `pays ${order.recipient}`)
  if (!isSameAddress(order.refundAddress, request.sender))
    refuse('call_sender', `refunds ${order.refundAddress}`)
  const isThere =
    isChainIdOf('evm', request.toChain) && order.destinationChainId === evmChainNumberOf(request.toChain)
  if (!isThere) refuse('call_chain', `ends on eip155:${order.destinationChainId}`)
  const isRouted = backend.type === 'gateway' || backend.type === 'gateway-express'
  if (isRouted && order.destinationChain !== backend.metadata.destinationAxelarChain)
    refuse('call_chain', `ends on ${order.destinationChain}`)
  checkAxelarChain(guarded, order.destinationChain, refuse)
  if (fees.integrator === null && order.integratorFeeBps !== 0)
    refuse('call_output', `pays ${order.integratorFeeBps} bps of the output to ${order.integrator}`)
  if (order.deadline * 1000 > Date.parse(validity.quoteExpiresAt) + MOST_INCLUSION_MS)
    refuse('call_deadline', `may be sent long after the quote expires at ${validity.quoteExpiresAt}`)
  if (isTooFar(order.priorityUntil, guarded.now))
    refuse('call_deadline', `reserves the delivery for ${order.executor} for more than ${MOST_LOCKED}`)
  if (isTooFar(order.returnAfter, guarded.now))
    refuse('call_deadline', `lets only its sender and recipient give it back for more than ${MOST_LOCKED}`)
  checkBridged(guarded, order, refuse)
}

const ADDRESS_DIGITS = 42

/**
 * A swap on the source chain begins with the input, and yields what the person asks for at least, of the token that they name;
 * without one all of it crosses. The router holds the path's end, or the input, against the symbol.
 */
const checkBridged = (
  { quote: { input }, guards, lacks }: Guarded,
  { inputPath, minimumBridgeAmount }: SentOrder,
  refuse: Refuse,
): void => {
  const tooLittle = `lets ${minimumBridgeAmount} base units cross at least`
  if (inputPath === '0x') {
    if (minimumBridgeAmount !== BigInt(input.amount)) refuse('call_output', tooLittle)
    return
  }
  const first = inputPath.slice(0, ADDRESS_DIGITS)
  if (input.token !== EVM_NATIVE && !isSameAddress(first, input.token))
    refuse('call_input', `swaps ${first}, expected ${input.token}`)
  const last = `0x${inputPath.slice(2 - ADDRESS_DIGITS)}`
  if (guards.bridgeToken !== undefined && !isSameAddress(last, guards.bridgeToken))
    refuse('call_input', `swaps into ${last}, expected ${guards.bridgeToken}`)
  if (minimumBridgeAmount < (guards.minimumBridgeAmount ?? 0n)) refuse('call_output', tooLittle)
  if (guards.bridgeToken === undefined || guards.minimumBridgeAmount === undefined) lacks('bridge_amount')
}
