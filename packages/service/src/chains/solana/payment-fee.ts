import { mulDivDown, mulDivUp } from '../../core/amount.ts'

/** Fee per signature in lamports. Source: Agave, DEFAULT_TARGET_LAMPORTS_PER_SIGNATURE. */
const SIGNATURE_LAMPORTS = 5_000n
const MICROLAMPORTS_PER_LAMPORT = 1_000_000n

/** Compute unit limit of a payment: enough to open the recipient's token account and for a memo of 100 characters. */
export const PAYMENT_UNITS = 120_000

/** The fee in lamports of a transaction with one signature; `unitPrice` in micro-lamports per unit. Rounded up. */
export const transactionFee = (units: number, unitPrice: bigint): bigint =>
  SIGNATURE_LAMPORTS + mulDivUp(BigInt(units), unitPrice, MICROLAMPORTS_PER_LAMPORT)

/** The fee of a payment at a unit price, in lamports, rounded up. */
export const paymentFeeAt = (unitPrice: bigint): bigint => transactionFee(PAYMENT_UNITS, unitPrice)

/** The highest unit price in micro-lamports at which a payment costs at most the fee. */
export const unitPriceOf = (paymentFee: bigint): bigint =>
  paymentFee <= SIGNATURE_LAMPORTS
    ? 0n
    : mulDivDown(paymentFee - SIGNATURE_LAMPORTS, MICROLAMPORTS_PER_LAMPORT, BigInt(PAYMENT_UNITS))
