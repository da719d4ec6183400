import { TOKEN_2022, TOKENS } from '@openrfq/sandbox/test/escrow-tokens.ts'
import {
  ATTACKER,
  altered,
  DEPOSITOR,
  type EscrowWorld,
  named,
  SOLVER,
  SPONSOR,
  START,
  STRANGER,
} from '@openrfq/sandbox/test/escrow-world.ts'
import { address, type Instruction } from '@solana/kit'
import { toHex } from 'viem'
import { findAssociatedAddress } from '../src/solana/escrow-address.ts'
import { accepts, type Cheat, cheat, opened, refuses } from './escrow-cheat.ts'
import { type Escrow, escrowOf, type Kind } from './escrow-order.ts'

const SYSTEM_PROGRAM = address('11111111111111111111111111111111')

/** Accounts that an attacker could pass: everybody's, another order's, programs, and nothing at all. */
const candidates = async (kind: Kind, other: Escrow) => {
  const holders = [DEPOSITOR, SOLVER, ATTACKER]
  const tokens = await Promise.all(
    Object.values(TOKENS).flatMap((token) => holders.map((owner) => findAssociatedAddress(owner, token))),
  )
  return [
    ...[...holders, SPONSOR, STRANGER, named('nobody'), SYSTEM_PROGRAM, TOKEN_2022, TOKENS.SPL.program],
    ...Object.values(TOKENS).map(({ mint }) => mint),
    ...[other.account, other.vault],
    ...(kind === 'SOL' ? [] : tokens),
  ]
}

/**
 * Places that may hold any account: in an opening, any payer that signs, and in a refund the caller and the system program,
 * which matter only when the destination has to be opened.
 */
const FREE: Readonly<Record<string, readonly number[]>> = { open: [1], refund: [7, 9], decline: [7, 9] }

const trySwaps = async (
  world: EscrowWorld,
  name: string,
  instruction: Instruction,
  others: readonly Escrow['account'][],
): Promise<void> => {
  const accounts = instruction.accounts ?? []
  const own = accounts.map((account) => account.address)
  for (const [index, { address: right }] of accounts.entries())
    for (const wrong of new Set([...others, ...own]))
      if (wrong !== right && !FREE[name]?.includes(index))
        refuses(
          world,
          altered(instruction, index, { address: wrong }),
          undefined,
          `${name}: ${wrong} at ${index}`,
        )
}

export const SWAP_CHEATS: readonly Cheat[] = cheat(
  'no account of any instruction can be swapped for another, or for another account of the same instruction',
  async (world, kind) => {
    const other = await opened(world, kind, { salt: toHex(2, { size: 32 }), solver: ATTACKER })
    const others = await candidates(kind, other)
    const escrow = await escrowOf(kind)
    await trySwaps(world, 'open', escrow.open, others)
    accepts(world, escrow.open)
    await trySwaps(world, 'release', escrow.release, others)
    await trySwaps(world, 'decline', escrow.decline, others)
    world.setTime(START + 3_601)
    await trySwaps(world, 'refund', escrow.refund, others)
    accepts(world, escrow.refund)
    await trySwaps(world, 'close', escrow.close, others)
    accepts(world, [escrow.close, other.release])
  },
)
