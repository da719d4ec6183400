import assert from 'node:assert/strict'
import { fundTokens } from '@openrfq/sandbox/test/escrow-tokens.ts'
import {
  ATTACKER,
  createEscrowWorld,
  DEPOSITOR,
  type EscrowWorld,
  SOLVER,
  SPONSOR,
  STRANGER,
} from '@openrfq/sandbox/test/escrow-world.ts'
import { AccountRole, type Address, type Instruction } from '@solana/kit'
import { amountAt, type Escrow, escrowOf, holdingOf, KINDS, type Kind } from './escrow-order.ts'

/** One attempt to cheat the program, or to keep it from paying. It throws when the program does not behave. */
export type Cheat = { readonly name: string; readonly run: (world: EscrowWorld) => Promise<void> }

/** A cheat that is tried with an order of every kind; `kinds` are those that it makes sense with. */
export const cheat = (
  name: string,
  run: (world: EscrowWorld, kind: Kind) => Promise<void>,
  kinds: readonly Kind[] = KINDS,
): readonly Cheat[] => kinds.map((kind) => ({ name: `${name} (${kind})`, run: (world) => run(world, kind) }))

/** Tries a cheat on a new machine with this program. */
export const tryCheat = async (program: Uint8Array, { run }: Cheat): Promise<void> => {
  const world = createEscrowWorld(program)
  await fundTokens(world)
  await run(world)
}

/** A transaction must fail with this error; undefined is any. */
export const refuses = (
  world: EscrowWorld,
  instructions: Instruction | readonly Instruction[],
  expected?: string,
  what = '',
): void => {
  const { error } = world.send([instructions].flat())
  if (expected === undefined) assert.notEqual(error, undefined, `accepted ${what}`)
  else assert.equal(error, expected, what)
}

/** A transaction must succeed. */
export const accepts = (
  world: EscrowWorld,
  instructions: Instruction | readonly Instruction[],
  what = '',
): void => assert.equal(world.send([instructions].flat()).error, undefined, what)

/** An order that is open. */
export const opened = async (
  world: EscrowWorld,
  kind: Kind,
  part: Parameters<typeof escrowOf>[1] = {},
): Promise<Escrow> => {
  const escrow = await escrowOf(kind, part)
  accepts(world, escrow.open)
  return escrow
}

/** The role of an account that has not signed. */
export const UNSIGNED = { role: AccountRole.WRITABLE }
/** The role of an account that has signed. */
export const SIGNED = { role: AccountRole.WRITABLE_SIGNER }

const OWNERS: readonly Address[] = [DEPOSITOR, SOLVER, SPONSOR, ATTACKER]

/** What the parties have, in the order's token and in lamports; fees are the stranger's. */
type Books = Readonly<Record<'depositor' | 'solver' | 'sponsor' | 'attacker' | 'stranger', bigint>> & {
  readonly vault: bigint
}

const booksOf = async (world: EscrowWorld, escrow: Escrow): Promise<Books> => {
  const [depositor = 0n, solver = 0n, , attacker = 0n] = await Promise.all(
    OWNERS.map((owner) => holdingOf(world, escrow, owner)),
  )
  const vault = escrow.token === undefined ? 0n : amountAt(world, escrow.vault)
  const [sponsor, stranger] = [world.lamportsOf(SPONSOR), world.lamportsOf(STRANGER)]
  return { depositor, solver, sponsor, attacker, stranger, vault }
}

/** Runs some steps, and compares by how much the parties' holdings changed; those not listed must not have changed. */
export const moves = async (
  world: EscrowWorld,
  escrow: Escrow,
  steps: () => void | Promise<void>,
  expected: Partial<Books>,
): Promise<void> => {
  const before = await booksOf(world, escrow)
  await steps()
  const after = await booksOf(world, escrow)
  const unlisted = { depositor: 0n, solver: 0n, sponsor: 0n, attacker: 0n, vault: 0n }
  for (const [name, amount] of Object.entries({ ...unlisted, ...expected })) {
    // CAST: the names are those of the books.
    const key = name as keyof Books
    assert.equal(after[key] - before[key], amount, name)
  }
}
