import { TOKEN_2022, TOKENS, type TokenKind } from '@openrfq/sandbox/test/escrow-tokens.ts'
import { DEPOSITOR, PROGRAM, SOLVER, START } from '@openrfq/sandbox/test/escrow-world.ts'
import { privateKeyToAccount } from 'viem/accounts'
import { SOLANA_NATIVE_TOKEN } from '../src/chains/solana/address.ts'
import type { SolanaMint } from '../src/chains/solana/programs.ts'
import { baseUnits } from '../src/core/amount.ts'
import { EvmPrivateKey } from '../src/core/evm-private-key.ts'
import type { IntentOrder } from '../src/core/intent-order.ts'

/** The key of the attester that the orders name. */
export const ATTESTER_KEY = EvmPrivateKey.parse(`0x${'a7'.repeat(32)}`)

/** What an order deposits: SOL, or a token. */
export type EscrowKind = 'SOL' | TokenKind
export const ESCROW_KINDS: readonly EscrowKind[] = ['SOL', 'SPL', 'Token-2022', 'wrapped SOL']

const mintOf = (kind: EscrowKind): SolanaMint => {
  if (kind === 'SOL') return { address: SOLANA_NATIVE_TOKEN, decimals: 9 }
  const { mint, program } = TOKENS[kind]
  return { address: mint, decimals: 6, splProgram: program === TOKEN_2022 ? 'token-2022' : 'token' }
}

/** An order from Solana in the world of the program's tests, and the mint of its input. */
export const escrowOrderOf = (
  kind: EscrowKind,
  part: Partial<IntentOrder> = {},
): { readonly order: IntentOrder; readonly mint: SolanaMint } => {
  const mint = mintOf(kind)
  const order = {
    depositor: DEPOSITOR,
    salt: `0x${'5a'.repeat(32)}`,
    originChain: 'solana:Bpu1Qr4aSCoq95PsfUXjxLBPQwLpWpqN',
    originSettler: PROGRAM,
    destinationChain: 'eip155:31337',
    destinationSettler: '0x00000000000000000000000000000000000000E1',
    openDeadline: START + 60,
    fillDeadline: START + 600,
    refundAfter: START + 3_600,
    inputToken: mint.address,
    inputAmount: baseUnits(250_000n),
    outputToken: '0x00000000000000000000000000000000000000c1',
    outputAmount: baseUnits(10n ** 24n),
    recipient: '0x00000000000000000000000000000000000000D1',
    solver: SOLVER,
    filler: '0x00000000000000000000000000000000000000F1',
    attester: privateKeyToAccount(ATTESTER_KEY).address,
    ...part,
  }
  return { order, mint }
}
