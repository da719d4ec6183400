import { mulDivDown, mulDivUp } from '../../core/amount.ts'

/** What a signature costs, in lamports. Source: Agave, DEFAULT_TARGET_LAMPORTS_PER_SIGNATURE. */
const SIGNATURE_LAMPORTS = 5_000n
const MICROLAMPORTS_PER_LAMPORT = 1_000_000n

/** What a payment may compute: room for opening the recipient's token account and for a memo of 100 characters. */
export const PAYMENT_UNITS = 120_000

/** The fee in lamports of a transaction with one signature; the price is in micro-lamports a unit. Rounded up. */
export const transactionFee = (units: number, unitPrice: bigint): bigint =>
  SIGNATURE_LAMPORTS + mulDivUp(BigInt(units), unitPrice, MICROLAMPORTS_PER_LAMPORT)

/** What a payment costs at a price, in lamports, rounded up. */
export const paymentFeeAt = (unitPrice: bigint): bigint => transactionFee(PAYMENT_UNITS, unitPrice)

/** The highest price in micro-lamports at which a payment costs no more than the fee. */
export const unitPriceOf = (paymentFee: bigint): bigint =>
  paymentFee <= SIGNATURE_LAMPORTS
    ? 0n
    : mulDivDown(paymentFee - SIGNATURE_LAMPORTS, MICROLAMPORTS_PER_LAMPORT, BigInt(PAYMENT_UNITS))
