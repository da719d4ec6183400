import { type ChainId, evmChainIdOf, isChainIdOf } from '@openrfq/sdk'
import { addressAt, bytes32Word, bytesTail, uintAt, uintWord, wordAt } from '../../chains/evm/abi-words.ts'
import { EVM_NATIVE_TOKEN, evmAddressRules } from '../../chains/evm/address.ts'
import { type BaseUnits, baseUnits } from '../../core/amount.ts'
import { type IntentOrder, OrderId } from '../../core/intent-order.ts'
import { decodeAttestedOrder, encodeAttestedOrder, type NamedChains } from './attested-order.ts'
import { encodeOrder, ORDER_TYPE_HASH, ORDER_WORDS, orderIdOfDigits } from './order-abi.ts'

/** A call to the order's settler: calldata as `0x` hex and native value in wei. */
export type SettlerCall = { readonly data: string; readonly value: bigint }

const OPEN = '0xe917a962'
const FILL = '0x82e2c43f'
const PROVE = '0xc0530411'
const DECLINE = '0x753086c4'
const REFUND = '0x38a0760f'

/** Functions of AttestedSettler, for orders that name an attester. */
const ATTESTED = {
  open: '0xbae79ed9',
  fill: '0x6a86ce33',
  release: '0x9750b487',
  decline: '0xce8fc207',
  refund: '0x076c0bfa',
} as const

const ORDER_LENGTH = uintWord(BigInt(ORDER_WORDS * 32))
const OPEN_HEAD = OPEN + uintWord(32n)
const OPEN_OFFSET = uintWord(96n)

const isAttested = ({ attester }: IntentOrder): boolean => attester !== undefined

/** Calldata of a function whose only argument is an attested order. */
const attestedData = (selector: string, order: IntentOrder): string =>
  selector + encodeAttestedOrder(order).digits

/** Offset of the signature: after an order of 18 words, the transaction and the offset itself. */
const RELEASE_SIGNATURE_OFFSET = uintWord(20n * 32n)
/** The ABI-encoded order: 16 words without `0x`. */
const orderWords = (order: IntentOrder): string => encodeOrder(order).digits

/** The order as a `bytes` argument: its length and its words. */
const orderBytes = (order: IntentOrder): string => ORDER_LENGTH + orderWords(order)

/**
 * The order's EIP-712 hash, its id on both chains, for orders of either kind. Throws RangeError for an order that no
 * contract accepts.
 */
export const orderIdOf = (order: IntentOrder): OrderId =>
  (isAttested(order) ? encodeAttestedOrder(order) : encodeOrder(order)).orderId

const nativeValue = (token: string, amount: bigint): bigint => (token === EVM_NATIVE_TOKEN ? amount : 0n)

/** `open`: the depositor escrows the input; a token needs an approval of the settler first. Source: ERC-7683. */
export const openCall = (order: IntentOrder): SettlerCall => ({
  data: isAttested(order)
    ? attestedData(ATTESTED.open, order)
    : OPEN_HEAD + uintWord(BigInt(order.fillDeadline)) + ORDER_TYPE_HASH + OPEN_OFFSET + orderBytes(order),
  value: nativeValue(order.inputToken, order.inputAmount),
})

/** `fill`: the filler pays the recipient; a token needs an approval of the settler first. Source: ERC-7683. */
export const fillCall = (order: IntentOrder): SettlerCall => {
  const value = nativeValue(order.outputToken, order.outputAmount)
  if (isAttested(order)) return { data: attestedData(ATTESTED.fill, order), value }
  const originData = orderBytes(order)
  return {
    data:
      FILL +
      bytes32Word(orderIdOf(order)) +
      uintWord(96n) +
      uintWord(96n + BigInt(originData.length / 2)) +
      originData +
      bytesTail('0x'),
    value,
  }
}

/**
 * `prove`: sends proofs of at most 32 filled orders of one origin chain through Axelar; `relayFee` in wei pays for the
 * relay.
 */
export const proveCall = (orders: readonly IntentOrder[], relayFee = 0n): SettlerCall => ({
  data: PROVE + uintWord(32n) + uintWord(BigInt(orders.length)) + orders.map(orderWords).join(''),
  value: relayFee,
})

/**
 * `release`: anybody may have the solver of an attested order paid, with the attester's signature (65 bytes as `0x`
 * hex) of `fillDigest` for the filling transaction, 32 bytes as `0x` hex.
 */
export const releaseCall = (order: IntentOrder, transaction: string, signature: string): SettlerCall => ({
  data:
    attestedData(ATTESTED.release, order) +
    bytes32Word(transaction) +
    RELEASE_SIGNATURE_OFFSET +
    bytesTail(signature),
  value: 0n,
})

/** `decline`: the order's solver gives it up, which refunds the depositor immediately. */
export const declineCall = (order: IntentOrder): SettlerCall => ({
  data: isAttested(order) ? attestedData(ATTESTED.decline, order) : DECLINE + orderWords(order),
  value: 0n,
})

/** `refund`: anybody may have the depositor refunded once `refundAfter` has passed on the origin chain. */
export const refundCall = (order: IntentOrder): SettlerCall => ({
  data: isAttested(order) ? attestedData(ATTESTED.refund, order) : REFUND + orderWords(order),
  value: 0n,
})

/** First topics of the settlers' events about an order; the second topic is the order's id. */
export const SETTLER_TOPICS = {
  open: '0x3448bbc2203c608599ad448eeb1007cea04b788ac631f9f558e8dd01a3c27b3d',
  attestedOpen: '0x9915bd0660ccc69f2d6ef77ebe604d000d341af57ee65d69a753d196889e0cb3',
  filled: '0x55dc9dc169607aad00aae22e3a2a5aed5c0435a0784c890b8ed87e189dda1626',
  proved: '0x8519021ece5a265d92b01f43442120bc1ed873ec009580061b18739084a280cd',
  released: '0xf841af1340fe1d6814e6ec7893c8cc8939c12ee8d084afe073c5b10dc8fc794c',
  releaseCredited: '0x930a331c91d36866326a017ac29eb968683a2cf512270ee1e59bbcc56a0990fc',
  refunded: '0x2e0668a62a5f556368dca9c7113e20f2852c05155548243804bf714ce72b25a6',
  refundCredited: '0xbf0a00f0e6331f32ea9bd78d003436b0fdfb62e2935f136c9e7ba10068f174cd',
  declined: '0xa51b0b23fe078be06d640ff63f80ccca0a51dad73c9b000f9217f014e8574f3b',
} as const

/** The moved value: EIP-55 token address (zero: native) and base units. */
type Moved = { readonly token: string; readonly amount: BaseUnits }

/** An event of a settler about one order; addresses in EIP-55. Source: contracts/intent/interfaces, contracts/attested/interfaces. */
export type SettlerEvent = { readonly orderId: OrderId } & (
  | { readonly kind: 'open'; readonly order: IntentOrder }
  | ({ readonly kind: 'filled'; readonly filler: string; readonly recipient: string } & Moved)
  | { readonly kind: 'proved'; readonly originChain: ChainId; readonly prover: string }
  | ({ readonly kind: 'released' | 'releaseCredited'; readonly solver: string } & Moved)
  | ({ readonly kind: 'refunded' | 'refundCredited'; readonly depositor: string } & Moved)
  | { readonly kind: 'declined'; readonly solver: string }
)

type Log = { readonly topics: readonly string[]; readonly data: string }

const MAX_SECONDS = 0xffff_ffffn
/** Position of the order in the data of `Open`, whose arrays hold one element each, and the length of that data. */
const OPEN_ORDER_POSITION = 25
const OPEN_DIGITS = 2 + (OPEN_ORDER_POSITION + ORDER_WORDS) * 64

const accountAt = (hex: string, position: number): string | undefined => {
  const address = addressAt(hex, position)
  return address === undefined ? undefined : evmAddressRules.parseToken(address)
}

const secondsAt = (hex: string, position: number): number => {
  const seconds = uintAt(hex, position) ?? 0n
  return seconds > MAX_SECONDS ? 0 : Number(seconds)
}

const chainAt = (hex: string, position: number): ChainId => evmChainIdOf(uintAt(hex, position) ?? 0n)

/** Decodes an order from 16 words; a word that is not a valid value of its field yields an order with another id. */
const decodeOrder = (words: string): IntentOrder => ({
  depositor: accountAt(words, 0) ?? EVM_NATIVE_TOKEN,
  salt: `0x${wordAt(words, 1) ?? ''}`,
  originChain: chainAt(words, 2),
  originSettler: accountAt(words, 3) ?? EVM_NATIVE_TOKEN,
  destinationChain: chainAt(words, 4),
  destinationSettler: accountAt(words, 5) ?? EVM_NATIVE_TOKEN,
  openDeadline: secondsAt(words, 6),
  fillDeadline: secondsAt(words, 7),
  refundAfter: secondsAt(words, 8),
  inputToken: accountAt(words, 9) ?? EVM_NATIVE_TOKEN,
  inputAmount: baseUnits(uintAt(words, 10) ?? 0n),
  outputToken: accountAt(words, 11) ?? EVM_NATIVE_TOKEN,
  outputAmount: baseUnits(uintAt(words, 12) ?? 0n),
  recipient: accountAt(words, 13) ?? EVM_NATIVE_TOKEN,
  solver: accountAt(words, 14) ?? EVM_NATIVE_TOKEN,
  filler: accountAt(words, 15) ?? EVM_NATIVE_TOKEN,
})

/** The order in an `Open` event, which must have the event's id. */
const openedOrder = (data: string, orderId: OrderId): IntentOrder | undefined => {
  if (data.length !== OPEN_DIGITS) return undefined
  const words = data.slice(2 + OPEN_ORDER_POSITION * 64)
  if (orderIdOfDigits(words) !== orderId) return undefined
  const order = decodeOrder(`0x${words}`)
  return isChainIdOf('evm', order.originChain) && orderWords(order) === words ? order : undefined
}

const movedAt = (hex: string, position: number): Moved | undefined => {
  const token = accountAt(hex, position)
  const amount = uintAt(hex, position + 1)
  return token === undefined || amount === undefined ? undefined : { token, amount: baseUnits(amount) }
}

const payment = (
  kind: 'released' | 'releaseCredited' | 'refunded' | 'refundCredited',
  orderId: OrderId,
  { topics: [, , payee = ''], data }: Log,
): SettlerEvent | undefined => {
  const moved = movedAt(data, 0)
  const account = accountAt(payee, 0)
  if (moved === undefined || account === undefined) return undefined
  return kind === 'released' || kind === 'releaseCredited'
    ? { kind, orderId, solver: account, ...moved }
    : { kind, orderId, depositor: account, ...moved }
}

const filled = (orderId: OrderId, { topics, data }: Log): SettlerEvent | undefined => {
  const [filler, recipient] = [accountAt(topics[2] ?? '', 0), accountAt(topics[3] ?? '', 0)]
  const moved = movedAt(data, 0)
  if (filler === undefined || recipient === undefined || moved === undefined) return undefined
  return { kind: 'filled', orderId, filler, recipient, ...moved }
}

const proved = (orderId: OrderId, { topics }: Log): SettlerEvent | undefined => {
  const prover = accountAt(topics[3] ?? '', 0)
  const originChain = chainAt(topics[2] ?? '', 0)
  return prover === undefined ? undefined : { kind: 'proved', orderId, originChain, prover }
}

const declined = (orderId: OrderId, { topics }: Log): SettlerEvent | undefined => {
  const solver = accountAt(topics[2] ?? '', 0)
  return solver === undefined ? undefined : { kind: 'declined', orderId, solver }
}

const opened = (orderId: OrderId, { data }: Log): SettlerEvent | undefined => {
  const order = openedOrder(data, orderId)
  return order === undefined ? undefined : { kind: 'open', orderId, order }
}

const attestedOpened = (orderId: OrderId, { data }: Log, chains: NamedChains): SettlerEvent | undefined => {
  const order = decodeAttestedOrder(data, orderId, chains)
  return order === undefined ? undefined : { kind: 'open', orderId, order }
}

type ReadEvent = (orderId: OrderId, log: Log, chains: NamedChains) => SettlerEvent | undefined

const EVENTS: Readonly<Record<string, ReadEvent>> = {
  [SETTLER_TOPICS.open]: opened,
  [SETTLER_TOPICS.attestedOpen]: attestedOpened,
  [SETTLER_TOPICS.filled]: filled,
  [SETTLER_TOPICS.proved]: proved,
  [SETTLER_TOPICS.released]: (orderId, log) => payment('released', orderId, log),
  [SETTLER_TOPICS.releaseCredited]: (orderId, log) => payment('releaseCredited', orderId, log),
  [SETTLER_TOPICS.refunded]: (orderId, log) => payment('refunded', orderId, log),
  [SETTLER_TOPICS.refundCredited]: (orderId, log) => payment('refundCredited', orderId, log),
  [SETTLER_TOPICS.declined]: declined,
}

const NO_CHAINS: NamedChains = new Map()

/**
 * Parses a settler's log (topics and data as lower-case `0x` hex); undefined for any other log, and for an attested
 * order between other than the named chains. The caller has checked that a settler emitted it.
 */
export const readSettlerEvent = (log: Log, chains: NamedChains = NO_CHAINS): SettlerEvent | undefined => {
  const [topic = '', orderId = ''] = log.topics
  const read = EVENTS[topic]
  return read === undefined || !OrderId.safeParse(orderId).success ? undefined : read(orderId, log, chains)
}
