import type { OrderId } from '../../core/intent-order.ts'
import type { ChainAccount } from '../payment-chain.ts'
import { encodeBase58 } from './base58.ts'

/** The state of an order's escrow. */
type EscrowStatus = 'open' | 'released' | 'refunded'

/** What the account of an order says; seconds since the Unix epoch, base units. */
export type EscrowAccount = {
  readonly status: EscrowStatus
  readonly openDeadline: number
  readonly refundAfter: number
  readonly orderId: OrderId
  /** Gets the rent back when the account is closed. */
  readonly payer: string
}

const ACCOUNT_BYTES = 200
const OPEN_DEADLINE_AT = 4
const REFUND_AFTER_AT = 8
const ORDER_ID_AT = 40
const PAYER_AT = 104
const KEY_BYTES = 32

const STATUSES: readonly (EscrowStatus | undefined)[] = [undefined, 'open', 'released', 'refunded']

/**
 * Parses an account of the escrow program; undefined if it does not exist, belongs to another program, or is no order. The
 * order id stands for all terms of the order: the program computed it from them. Source: contracts/solana/README.md.
 */
export const parseEscrowAccount = (account: ChainAccount, program: string): EscrowAccount | undefined => {
  if (account?.owner !== program || account.data.length !== ACCOUNT_BYTES) return undefined
  const { data } = account
  const status = STATUSES[data[0] ?? 0]
  if (status === undefined) return undefined
  return {
    status,
    openDeadline: data.readUInt32LE(OPEN_DEADLINE_AT),
    refundAfter: data.readUInt32LE(REFUND_AFTER_AT),
    orderId: `0x${data.toString('hex', ORDER_ID_AT, ORDER_ID_AT + KEY_BYTES)}`,
    payer: encodeBase58(data.subarray(PAYER_AT, PAYER_AT + KEY_BYTES)),
  }
}
