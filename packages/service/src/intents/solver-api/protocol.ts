import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { PositiveAmount, UnsignedAmount } from '../../core/amount.ts'
import { EvmAddress, Hash } from '../../core/hex.ts'
import { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { printableText } from '../../core/printable-text.ts'

/** The protocol version; it increases with a change that an old solver would misunderstand. */
export const PROTOCOL_VERSION = 1

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

/** Every message a solver may send. Source: docs/solver-protocol.md. */
export const SolverMessage = z.discriminatedUnion('type', [Login, Quotes, Inventory, Decline])
export type SolverMessage = z.infer<typeof SolverMessage>

const Challenge = z.object({
  type: z.literal('challenge'),
  version: z.literal(PROTOCOL_VERSION),
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
])
export type ServiceMessage = z.infer<typeof ServiceMessage>

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
