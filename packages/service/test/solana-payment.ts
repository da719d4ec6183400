import type { SolanaInstructions } from '@openrfq/sdk'
import { SOLANA_NATIVE_TOKEN } from '../src/chains/solana/address.ts'
import {
  computeBudget,
  memoInstruction,
  systemTransfer,
  tokenTransfer,
} from '../src/chains/solana/instructions.ts'
import type { SolanaMint } from '../src/chains/solana/programs.ts'

type SolanaPayment = {
  readonly from: string
  /** Its token account is open. */
  readonly to: string
  /** Native SOL is the all-zero address. */
  readonly token: SolanaMint
  readonly amount: bigint
  readonly memo: string
}

const UNITS = 40_000
const UNIT_PRICE = 10_000n

/** The instructions of a payment with a memo, as a quote's action shows instructions. */
export const solanaPayment = ({ from, to, token, amount, memo }: SolanaPayment): SolanaInstructions => ({
  type: 'solana_instructions',
  instructions: [
    ...computeBudget(UNITS, UNIT_PRICE),
    token.address === SOLANA_NATIVE_TOKEN
      ? systemTransfer(from, to, amount)
      : tokenTransfer(from, to, token, amount),
    memoInstruction(from, memo),
  ],
  addressLookupTableAddresses: [],
})
