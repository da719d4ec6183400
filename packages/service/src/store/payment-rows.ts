import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { UnsignedAmount } from '../core/amount.ts'
import { digits } from '../core/decimal-text.ts'
import { OrderId } from '../core/intent-order.ts'
import { isQuoteId, type QuoteId } from '../core/quote-id.ts'
import { type ChainCursorRow, encodeCursor } from './chain-event-rows.ts'
import { parseOrBlame } from './rows.ts'
import type { Sql } from './sql.ts'
import type {
  HeldDeposit,
  PaymentKey,
  PaymentPlace,
  Store,
  StoredPayment,
  UnmatchedDeposit,
} from './store.ts'

/** A stored payment: chain, transaction, position, role, order, quote, block number, body, settled, by column. */
export type PaymentRow = readonly [string, string, number, string, string, string, number, string, number]

const NONE = ''
const MuxedId = digits(20).transform(BigInt)
/** Timestamp in seconds, payer, payee, muxed id, token, amount, memo; large numbers as text. */
const Body = z.tuple([
  z.int().min(0),
  z.string(),
  z.string(),
  MuxedId.nullable(),
  z.string(),
  UnsignedAmount,
  z.string().nullable(),
])
const Stored = z.object({
  chain_id: ChainId,
  tx_hash: z.string(),
  payment_position: z.coerce.number().int().min(0),
  role: z.enum(['deposit', 'fill', 'payout']),
  order_id: z.union([z.literal(NONE), OrderId]),
  quote_id: z.union([
    z.literal(NONE),
    z.custom<QuoteId>((value) => typeof value === 'string' && isQuoteId(value)),
  ]),
  block_number: z.coerce.bigint().refine((value) => value >= 0n),
  body: z.string().transform((text) => Body.parse(JSON.parse(text))),
  is_settled: z.int(),
  standing: z.enum(['stored', 'confirmed']),
})

const Tries = z.object({ failures: z.coerce.number().int(), unpayable: z.coerce.number().int() })
const Held = z.object({ held_at: z.coerce.number().int(), held_why: z.string() })
const HeldCount = z.object({ chain_id: ChainId, held: z.coerce.number().int() })

const encode = (payment: StoredPayment): PaymentRow => [
  payment.chainId,
  payment.txHash,
  payment.position,
  payment.role,
  payment.orderId ?? NONE,
  payment.quoteId ?? NONE,
  Number(payment.blockNumber),
  JSON.stringify([
    payment.timestampSeconds,
    payment.from,
    payment.to,
    payment.muxedId?.toString() ?? null,
    payment.token,
    payment.amount.toString(),
    payment.memo ?? null,
  ]),
  payment.settled ? 1 : 0,
]

const decode = (row: unknown): StoredPayment => {
  const stored = parseOrBlame('a ledger payment', () => Stored.parse(row))
  const [timestampSeconds, from, to, muxedId, token, amount, memo] = stored.body
  return {
    chainId: stored.chain_id,
    txHash: stored.tx_hash,
    position: stored.payment_position,
    blockNumber: stored.block_number,
    timestampSeconds,
    from,
    to,
    muxedId: muxedId ?? undefined,
    token,
    amount,
    memo: memo ?? undefined,
    role: stored.role,
    orderId: stored.order_id === NONE ? undefined : stored.order_id,
    quoteId: stored.quote_id === NONE ? undefined : stored.quote_id,
    settled: stored.is_settled === 1,
    confirmed: stored.standing === 'confirmed',
  }
}

const decodeUnmatched = (row: unknown): UnmatchedDeposit => ({
  ...decode(row),
  ...parseOrBlame('an unmatched deposit', () => Tries.parse(row)),
})

const decodeHeld = (row: unknown): HeldDeposit => {
  const { held_at: heldAt, held_why: why } = parseOrBlame('a held deposit', () => Held.parse(row))
  return { ...decode(row), heldAt, why }
}

/** Saves payments and the cursor after them atomically; durable against power loss when it resolves. */
export type SavePaymentRows = (cursor: ChainCursorRow, payments: readonly PaymentRow[]) => Promise<void>

type PaymentMethods = Pick<
  Store,
  | 'savePayments'
  | 'addPayment'
  | 'findPayment'
  | 'findPayments'
  | 'listPayments'
  | 'listUnconfirmedPayments'
  | 'newestConfirmedPayment'
  | 'confirmPayment'
  | 'voidPayment'
  | 'listUnsettledDeposits'
  | 'settleDeposits'
  | 'listUnmatchedDeposits'
  | 'postponeDeposit'
  | 'holdDeposit'
  | 'freeDeposit'
  | 'listHeldDeposits'
  | 'countHeldDeposits'
>

const keyValues = ({ chainId, txHash, position }: PaymentKey): readonly [string, string, number] => [
  chainId,
  txHash,
  position,
]

/** Where a list by chain, transaction and position starts. */
const placeAfter = (after: PaymentKey | undefined): readonly [string, string, number] =>
  after === undefined ? ['', '', 0] : keyValues(after)

/** Where a list by block, transaction and position starts. */
const blockAfter = (after: PaymentPlace | undefined): readonly [number, string, number] =>
  after === undefined ? [-1, '', 0] : [Number(after.blockNumber), after.txHash, after.position]

/** The payment methods over either database. */
export const paymentMethods = ({ read, change }: Sql, save: SavePaymentRows): PaymentMethods => ({
  savePayments: (chainId, cursor, payments) => save(encodeCursor(chainId, cursor), payments.map(encode)),
  addPayment: async (payment) => void (await change('savePayment', encode(payment))),
  findPayment: async (key) => (await read('findPayment', keyValues(key))).map(decode)[0],
  findPayments: async (orderId) => (await read('findPayments', [orderId])).map(decode),
  listPayments: async (chainId, limit, after) =>
    (await read('listPayments', [chainId, ...blockAfter(after), limit])).map(decode),
  listUnconfirmedPayments: async (chainId, limit, after) =>
    (await read('listUnconfirmedPayments', [chainId, ...blockAfter(after), limit])).map(decode),
  newestConfirmedPayment: async (chainId, upTo) =>
    (await read('newestConfirmedPayment', [chainId, Number(upTo)])).map(decode)[0],
  confirmPayment: async (key) => void (await change('confirmPayment', keyValues(key))),
  voidPayment: async (key) => {
    // Voided last, so that a void payment has changed all that it must.
    await change('reopenPayout', [key.chainId, key.txHash])
    await change('unsettlePaid', keyValues(key))
    await change('voidPayment', keyValues(key))
  },
  listUnsettledDeposits: async (limit, after) =>
    (await read('listUnsettledDeposits', [...placeAfter(after), limit])).map(decode),
  settleDeposits: async (keys) => {
    await Promise.all(keys.map((key) => change('settleDeposit', keyValues(key))))
  },
  listUnmatchedDeposits: async (after, until, limit) =>
    (await read('listUnmatchedDeposits', [after, until, limit])).map(decodeUnmatched),
  postponeDeposit: async (key, { failures, unpayable, tryAt }) => {
    await change('postponeDeposit', [...keyValues(key), failures, unpayable, tryAt])
  },
  holdDeposit: async (key, { heldAt, why }) =>
    (await change('holdDeposit', [...keyValues(key), heldAt, why])) === 1,
  freeDeposit: async (key) => (await change('freeDeposit', keyValues(key))) === 1,
  listHeldDeposits: async (limit, after) =>
    (await read('listHeldDeposits', [...placeAfter(after), limit])).map(decodeHeld),
  countHeldDeposits: async () =>
    new Map(
      (await read('countHeldDeposits', [])).map((row) => {
        const { chain_id: chainId, held } = parseOrBlame('a count', () => HeldCount.parse(row))
        return [chainId, held]
      }),
    ),
})
