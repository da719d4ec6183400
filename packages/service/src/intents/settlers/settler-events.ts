import { type ChainId, evmChainIdOf, isChainIdOf } from '@openrfq/sdk'
import { addressAt, uintAt, wordAt } from '../../chains/evm/abi-words.ts'
import { EVM_NATIVE_TOKEN, evmAddressRules } from '../../chains/evm/address.ts'
import { type BaseUnits, baseUnits } from '../../core/amount.ts'
import { type IntentOrder, OrderId } from '../../core/intent-order.ts'
import { decodeAttestedOrder, type NamedChains } from './attested-order.ts'
import { encodeOrder, ORDER_WORDS, orderIdOfDigits, WORD_OF } from './order-abi.ts'

/** First topics of the settlers' events about an order; the second topic is the order's id. */
export const SETTLER_TOPICS = {
  open: '0x3448bbc2203c608599ad448eeb1007cea04b788ac631f9f558e8dd01a3c27b3d',
  filled: '0x13ee8807b538f0bd5cf755d83d1fe28c18ede68dbc69d4aa65827e2c6c73f837',
  proven: '0xd7572f771bf931b776612f964e9459610362374bc2f1a03b8c59b6e9c07cf40b',
  /** Of either settler, as is `refunded`. */
  released: '0xf841af1340fe1d6814e6ec7893c8cc8939c12ee8d084afe073c5b10dc8fc794c',
  refunded: '0xf552ca82e113ac3c539c3d617f29fcd19c172a0c75dad017555c9e109f7fe183',
  attestedOpen: '0x2738bc60e0409787553e8f843304fb9303e357a4df7bbb5dc58966305fe7b608',
  attestedFilled: '0x46e60b73154dfc8821eee18947ae5ab9113e313dc1b5c42a1b758d0b1fea533d',
} as const

/** Who was paid from the escrow, and base units. */
type Payout = { readonly payee: string; readonly amount: BaseUnits }

/**
 * An event of a settler about one order; addresses in EIP-55. A fill delivers the order's output, and names who is to be
 * repaid: an EVM address, or of an attested order 32 bytes of its origin chain as `0x` hex. Source:
 * contracts/settlers/interfaces.
 */
export type SettlerEvent = { readonly orderId: OrderId } & (
  | { readonly kind: 'open'; readonly order: IntentOrder }
  | { readonly kind: 'filled'; readonly filler: string; readonly repayTo: string }
  | { readonly kind: 'attestedFilled'; readonly filler: string; readonly repayTo: string }
  | { readonly kind: 'proven'; readonly payee: string }
  | ({ readonly kind: 'released' | 'refunded' } & Payout)
)

type Log = { readonly topics: readonly string[]; readonly data: string }

const MAX_SECONDS = 0xffff_ffffn
/** Positions of the settler and the order in the data of `Open`, whose arrays hold one element each, and its length. */
const OPEN_SETTLER_POSITION = 22
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

/** An Axelar name in 32 bytes, left-aligned, as text. */
const nameAt = (hex: string, position: number): string =>
  Buffer.from((wordAt(hex, position) ?? '').replace(/(00)+$/, ''), 'hex').toString('latin1')

/** Decodes an order from 18 words; a word that is not a valid value of its field yields an order with another id. */
const decodeOrder = (settler: string, words: string): IntentOrder => {
  const account = (position: number): string => accountAt(words, position) ?? EVM_NATIVE_TOKEN
  const amount = (position: number): BaseUnits => baseUnits(uintAt(words, position) ?? 0n)
  return {
    depositor: account(WORD_OF.depositor),
    salt: `0x${wordAt(words, WORD_OF.salt) ?? ''}`,
    originChain: chainAt(words, WORD_OF.originChain),
    originSettler: settler,
    destinationChain: chainAt(words, WORD_OF.destinationChain),
    destinationSettler: settler,
    openDeadline: secondsAt(words, WORD_OF.openDeadline),
    fillDeadline: secondsAt(words, WORD_OF.fillDeadline),
    refundAfter: secondsAt(words, WORD_OF.refundAfter),
    inputToken: account(WORD_OF.inputToken),
    inputAmount: amount(WORD_OF.inputAmount),
    outputToken: account(WORD_OF.outputToken),
    outputAmount: amount(WORD_OF.outputAmount),
    recipient: account(WORD_OF.recipient),
    solver: account(WORD_OF.solver),
    filler: account(WORD_OF.filler),
    proven: {
      destinationName: nameAt(words, WORD_OF.destinationName),
      exclusiveUntil: secondsAt(words, WORD_OF.exclusiveUntil),
      integrator: account(WORD_OF.integrator),
      integratorFee: amount(WORD_OF.integratorFee),
    },
  }
}

const hasWords = (order: IntentOrder, words: string): boolean => {
  try {
    return isChainIdOf('evm', order.originChain) && encodeOrder(order).digits === words
  } catch {
    // Some word is not a valid value of its field, such as a destination that no Axelar chain has.
    return false
  }
}

/** The order in an `Open` event, which must have the event's id. */
const openedOrder = (data: string, orderId: OrderId): IntentOrder | undefined => {
  const settler = accountAt(data, OPEN_SETTLER_POSITION)
  if (data.length !== OPEN_DIGITS || settler === undefined) return undefined
  const words = data.slice(2 + OPEN_ORDER_POSITION * 64)
  if (orderIdOfDigits(settler, words) !== orderId) return undefined
  const order = decodeOrder(settler, `0x${words}`)
  return hasWords(order, words) ? order : undefined
}

const payout =
  (kind: 'released' | 'refunded', amountAt: number): ReadEvent =>
  (orderId, { topics: [, , account = ''], data }) => {
    const payee = accountAt(account, 0)
    const amount = uintAt(data, amountAt)
    return payee === undefined || amount === undefined
      ? undefined
      : { kind, orderId, payee, amount: baseUnits(amount) }
  }

const filled: ReadEvent = (orderId, { topics }) => {
  const [filler, repayTo] = [accountAt(topics[2] ?? '', 0), accountAt(topics[3] ?? '', 0)]
  return filler === undefined || repayTo === undefined
    ? undefined
    : { kind: 'filled', orderId, filler, repayTo }
}

const attestedFilled: ReadEvent = (orderId, { topics }) => {
  const [filler, repayTo] = [accountAt(topics[2] ?? '', 0), wordAt(topics[3] ?? '', 0)]
  return filler === undefined || repayTo === undefined
    ? undefined
    : { kind: 'attestedFilled', orderId, filler, repayTo: `0x${repayTo}` }
}

const proven: ReadEvent = (orderId, { topics }) => {
  const payee = accountAt(topics[2] ?? '', 0)
  return payee === undefined ? undefined : { kind: 'proven', orderId, payee }
}

const opened: ReadEvent = (orderId, { data }) => {
  const order = openedOrder(data, orderId)
  return order === undefined ? undefined : { kind: 'open', orderId, order }
}

const attestedOpened: ReadEvent = (orderId, { data }, chains) => {
  const order = decodeAttestedOrder(data, orderId, chains)
  return order === undefined ? undefined : { kind: 'open', orderId, order }
}

type ReadEvent = (orderId: OrderId, log: Log, chains: NamedChains) => SettlerEvent | undefined

const EVENTS: Readonly<Record<string, ReadEvent>> = {
  [SETTLER_TOPICS.open]: opened,
  [SETTLER_TOPICS.filled]: filled,
  [SETTLER_TOPICS.proven]: proven,
  [SETTLER_TOPICS.released]: payout('released', 1),
  [SETTLER_TOPICS.refunded]: payout('refunded', 0),
  [SETTLER_TOPICS.attestedOpen]: attestedOpened,
  [SETTLER_TOPICS.attestedFilled]: attestedFilled,
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
