import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { PositiveAmount, UnsignedAmount } from '../../core/amount.ts'
import { EvmAddress, Hash } from '../../core/hex.ts'
import { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { printableText } from '../../core/printable-text.ts'

/** The first protocol version; the challenge names it, because solvers of that version accept no other. */
const FIRST_VERSION = 1
/** The version that adds news of a solver's orders. */
export const NEWS_VERSION = 2
/** The versions that the service speaks. */
export const PROTOCOL_VERSIONS: readonly number[] = [FIRST_VERSION, NEWS_VERSION]

/** Limits of solver messages. Source: docs/solver-protocol.md "Limits". */
export const PROTOCOL_LIMITS = {
  maxFrameBytes: 16_384,
  /** Sustained message rate, and the burst. */
  messagesPerSecond: 10,
  messageBurst: 20,
  maxRungs: 32,
  maxPairsPerMessage: 64,
  maxAssetsPerMessage: 64,
  minValidForMs: 500,
  maxValidForMs: 60_000,
} as const

const Signature = z.string().regex(/^0x[0-9a-fA-F]{130}$/, 'expected a signature of 65 bytes as hex')

/** A service's name: printable ASCII, because solvers sign it. */
export const ServiceText = printableText(200)
const TokenText = z.string().regex(/^[0-9A-Za-z]{1,64}$/, 'expected a token address')

/** One promise of a ladder: for exactly `input` the solver pays exactly `output`, after deducting `fee`. */
export const Rung = z.strictObject({ input: PositiveAmount, output: PositiveAmount, fee: UnsignedAmount })
export type Rung = z.infer<typeof Rung>

const ascends = (ladder: readonly Rung[]): boolean =>
  ladder.every((rung, index) => {
    const before = ladder[index - 1]
    return before === undefined || (rung.input > before.input && rung.output > before.output)
  })

/**
 * Rungs strictly ascending in input and in output; an empty ladder withdraws the pair. Source: docs/solver-protocol.md
 * "Ladders".
 */
const Ladder = z
  .array(Rung)
  .max(PROTOCOL_LIMITS.maxRungs)
  .refine(ascends, 'expected rungs that strictly ascend in input and in output')

/** A standing firm quote for one direction between two assets. */
export const StandingQuote = z.strictObject({
  fromChain: ChainId,
  fromToken: TokenText,
  toChain: ChainId,
  toToken: TokenText,
  ladder: Ladder,
  validForMs: z.int().min(PROTOCOL_LIMITS.minValidForMs).max(PROTOCOL_LIMITS.maxValidForMs),
})
export type StandingQuote = z.infer<typeof StandingQuote>

/** The amount of one asset that a solver can pay; see `block` in docs/solver-protocol.md "Inventory". */
export const InventoryEntry = z.strictObject({
  chain: ChainId,
  token: TokenText,
  available: UnsignedAmount,
  block: z.int().min(0),
})
export type InventoryEntry = z.infer<typeof InventoryEntry>

const Login = z.strictObject({
  type: z.literal('login'),
  version: z.int(),
  address: EvmAddress,
  signature: Signature,
})

const Quotes = z.strictObject({
  type: z.literal('quotes'),
  sequence: z.int().min(0),
  pairs: z.array(StandingQuote).min(1).max(PROTOCOL_LIMITS.maxPairsPerMessage),
  signature: Signature,
})
export type Quotes = z.infer<typeof Quotes>

const Inventory = z.strictObject({
  type: z.literal('inventory'),
  assets: z.array(InventoryEntry).min(1).max(PROTOCOL_LIMITS.maxAssetsPerMessage),
})

const Decline = z.strictObject({ type: z.literal('decline'), orderId: OrderId, reason: ServiceText })

/** A payment on a payment chain that filled an order; from version 2 on. */
const Fill = z.strictObject({
  type: z.literal('fill'),
  order: IntentOrder,
  transaction: z.string().min(1).max(128),
})

/** Every message a solver may send. Source: docs/solver-protocol.md. */
export const SolverMessage = z.discriminatedUnion('type', [Login, Quotes, Inventory, Decline, Fill])
export type SolverMessage = z.infer<typeof SolverMessage>

const Challenge = z.object({
  type: z.literal('challenge'),
  version: z.literal(FIRST_VERSION),
  /** Every version that the service speaks; absent if it speaks the first only. */
  versions: z.array(z.int()).optional(),
  nonce: Hash,
  service: ServiceText,
})

const Seconds = z.int().min(1)

/** How long a quote and its order bind a solver. */
const Terms = z.object({
  quoteLifetimeSeconds: Seconds,
  fillWindowSeconds: Seconds,
  refundDelaySeconds: Seconds,
})

const Limits = z.object({
  maxFrameBytes: z.int(),
  messagesPerSecond: z.int(),
  messageBurst: z.int(),
  maxRungs: z.int(),
  maxPairsPerMessage: z.int(),
  maxAssetsPerMessage: z.int(),
  minValidForMs: z.int(),
  maxValidForMs: z.int(),
})

const Welcome = z.object({
  type: z.literal('welcome'),
  solver: z.object({ name: z.string(), address: EvmAddress }),
  terms: Terms,
  limits: Limits,
})

const OrderNotice = z.object({
  type: z.literal('order'),
  orderId: OrderId,
  order: IntentOrder,
  final: z.boolean(),
})

/** A direction between two assets. */
const Pair = z.object({ fromChain: ChainId, fromToken: z.string(), toChain: ChainId, toToken: z.string() })

/** How often a solver's offers were answered since the last such message. */
const Quoted = z.object({
  type: z.literal('quoted'),
  pairs: z.array(Pair.extend({ offers: z.int(), first: z.int() })),
})

/** Something happened to one of a solver's orders. */
const newsOf = <Type extends string>(type: Type) => z.object({ type: z.literal(type), orderId: OrderId })

const Won = newsOf('won')
const Lost = newsOf('lost')
const Filled = newsOf('filled')
const Proven = newsOf('proven')
const Repaid = newsOf('repaid')
const Refunded = newsOf('refunded')

/** An order that its own solver does not fill, for any other: the IntentSettler takes its fill after `exclusiveUntil`. */
const Reoffered = z.object({ type: z.literal('reoffered'), orderId: OrderId, order: IntentOrder })

/** The solver's offers for a pair are not shown until then. */
const Blocked = Pair.extend({ type: z.literal('blocked'), until: z.iso.datetime() })

/** The solver's quote of a pair was too good to be taken; those sent before `until` are not taken either. */
const Withdrawn = Pair.extend({ type: z.literal('withdrawn'), until: z.iso.datetime() })

const Rejected = z.object({
  type: z.literal('rejected'),
  reason: z.enum(['login_expected', 'unsupported_version', 'unknown_solver', 'bad_signature', 'timeout']),
})
export type RejectedReason = z.infer<typeof Rejected>['reason']

const Refused = z.object({
  type: z.literal('refused'),
  reason: z.enum([
    'malformed',
    'logged_in',
    'stale_sequence',
    'unknown_asset',
    'duplicate',
    'bad_signature',
    'rate_limited',
  ]),
  /** The problem, as text for people. */
  message: z.string(),
  /** The sequence or order id of the refused message, null if it could not be read. */
  reference: z.string().nullable(),
})
export type RefusedReason = z.infer<typeof Refused>['reason']

/** Every message the service may send; solvers must ignore unknown fields. Source: docs/solver-protocol.md. */
export const ServiceMessage = z.discriminatedUnion('type', [
  Challenge,
  Welcome,
  Rejected,
  OrderNotice,
  Refused,
  Quoted,
  Won,
  Lost,
  Filled,
  Proven,
  Repaid,
  Refunded,
  Reoffered,
  Blocked,
  Withdrawn,
])
export type ServiceMessage = z.infer<typeof ServiceMessage>

/** News of a solver's offers and orders, for sessions of version 2. */
export type SolverNews = z.infer<
  | typeof Quoted
  | typeof Won
  | typeof Lost
  | typeof Filled
  | typeof Proven
  | typeof Repaid
  | typeof Refunded
  | typeof Reoffered
  | typeof Blocked
  | typeof Withdrawn
>
/** News of one order. */
export type OrderNews = Exclude<Extract<SolverNews, { readonly orderId: OrderId }>['type'], 'reoffered'>
/** How often a solver's offers for a pair were answered. */
export type QuotedPair = z.infer<typeof Quoted>['pairs'][number]

/** Close codes of the connection; 1001, 1003, 1009 and 1011 as in RFC 6455. */
export const CLOSE_CODES = {
  goingAway: 1001,
  binaryFrame: 1003,
  frameTooLarge: 1009,
  /** The service failed; reconnecting is safe. */
  internal: 1011,
  /** The login failed or timed out; preceded by a `rejected` message. */
  loginFailed: 4401,
  /** The same solver logged in on another connection. */
  replaced: 4409,
  /** Too many messages, or too many refused ones. */
  tooMany: 4429,
} as const

/** Encodes a message as the text of one frame. Amounts become decimal strings. */
export const encodeServiceMessage = (message: ServiceMessage): string =>
  JSON.stringify(ServiceMessage.encode(message))

/** Encodes a message as the text of one frame. Amounts become decimal strings. */
export const encodeSolverMessage = (message: SolverMessage): string =>
  JSON.stringify(SolverMessage.encode(message))
