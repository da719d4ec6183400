import type { SolanaInstructions } from '@openrfq/sdk'
import { SOLANA_NATIVE_TOKEN } from './address.ts'
import { computeBudget, memoInstruction, systemTransfer, tokenTransfer } from './instructions.ts'
import { transactionFee, unitPriceOf } from './payment-fee.ts'
import type { SolanaMint } from './programs.ts'

/** A deposit into the operator's vault account. */
export type SolanaDeposit = {
  readonly sender: string
  readonly vault: string
  /** Native SOL is the all-zero address. */
  readonly token: SolanaMint
  /** Base units, at most 64 bits. */
  readonly amount: bigint
  readonly memo: string
  /** The head's payment fee, which determines the bid per compute unit. */
  readonly paymentFee: bigint
}

/** Compute unit limits: several times what the programs use now, because older memo programs used that much. */
const NATIVE_UNITS = 30_000
const TOKEN_UNITS = 40_000

/**
 * The instructions of a deposit and their cost to the sender in lamports, rounded up: compute budget, transfer of
 * exactly the amount, memo. They form one transaction signed by the sender only. The vault's token account must be
 * open. Throws RangeError for an amount beyond 64 bits. Source: interface "solana_instructions".
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
