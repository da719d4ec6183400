import type { SolanaInstructions } from '@openrfq/sdk'
import { SOLANA_NATIVE_TOKEN } from './address.ts'
import { computeBudget, memoInstruction, systemTransfer, tokenTransfer } from './instructions.ts'
import { transactionFee, unitPriceOf } from './payment-fee.ts'
import type { SolanaMint } from './programs.ts'

/** A deposit into the operator's vault account. */
export type SolanaDeposit = {
  readonly sender: string
  readonly vault: string
  /** Native SOL by the all-zero address. */
  readonly token: SolanaMint
  /** Base units, at most 64 bits. */
  readonly amount: bigint
  readonly memo: string
  /** The head's, which decides what is bid for each compute unit. */
  readonly paymentFee: bigint
}

/** Compute units allowed: several times what the programs use now, as older memo programs used that much. */
const NATIVE_UNITS = 30_000
const TOKEN_UNITS = 40_000

/**
 * The instructions of a deposit, and what executing them costs the sender in lamports, rounded up: compute budget,
 * transfer of exactly the amount, memo. They make one transaction with the sender's signature alone. The vault's token
 * account must be open. Throws RangeError for an amount beyond 64 bits. Source: interface "solana_instructions".
 */
export const solanaDeposit = (
  deposit: SolanaDeposit,
): { readonly payload: SolanaInstructions; readonly gasFee: bigint } => {
  const { sender, vault, token, amount, memo } = deposit
  const isNative = token.address === SOLANA_NATIVE_TOKEN
  const units = isNative ? NATIVE_UNITS : TOKEN_UNITS
  const unitPrice = unitPriceOf(deposit.paymentFee)
  const transfer = isNative
    ? systemTransfer(sender, vault, amount)
    : tokenTransfer(sender, vault, token, amount)
  return {
    payload: {
      type: 'solana_instructions',
      instructions: [...computeBudget(units, unitPrice), transfer, memoInstruction(sender, memo)],
      addressLookupTableAddresses: [],
    },
    gasFee: transactionFee(units, unitPrice),
  }
}
