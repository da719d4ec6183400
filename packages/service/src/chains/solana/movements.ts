import { PROGRAMS } from './programs.ts'
import type { ExecutedInstruction, TransactionView } from './transaction-view.ts'

/** Value moved by one instruction; accounts are indexes into the transaction, `mint` is undefined for lamports. */
export type Movement = {
  /** Index of the instruction in the order of execution. */
  readonly position: number
  readonly from: number
  readonly to: number
  /** The account that authorised it. */
  readonly authority: number
  readonly mint: string | undefined
  /** As the instruction says, before the token's transfer fee. */
  readonly amount: bigint
  /** Whether it only funds the rent of a new account and is no payment. */
  readonly isOpening: boolean
  /** Whether the transaction itself orders it, rather than a program, and it names no accounts besides: that of an invoice, or a co-signer. */
  readonly isPlain: boolean
}

type Shape = Pick<Movement, 'from' | 'to' | 'authority' | 'amount' | 'isOpening' | 'isPlain'>

const SYSTEM = { create: 0, transfer: 2, createWithSeed: 3, transferWithSeed: 11 } as const
const TOKEN = { transfer: 3, transferChecked: 12, feeExtension: 26, transferCheckedWithFee: 1 } as const
const SEED_LENGTH_AT = 36
const SEED_TEXT_AT = 44

/** Account indexes within the instruction, and the offset of the amount in the data. */
const shape = (
  { accounts, bytes, isOwn }: ExecutedInstruction,
  places: readonly [number, number, number],
  amountAt: number,
): Shape | undefined => {
  const [from, to, authority] = places.map((place) => accounts[place])
  if (from === undefined || to === undefined || authority === undefined) return undefined
  if (bytes.length < amountAt + 8) return undefined
  const isPlain = isOwn && accounts.length === Math.max(...places) + 1
  return { from, to, authority, amount: bytes.readBigUInt64LE(amountAt), isOpening: false, isPlain }
}

const opening = (found: Shape | undefined): Shape | undefined => found && { ...found, isOpening: true }

/** The seed's text, with its length in front, precedes the amount. */
const afterSeed = ({ bytes }: ExecutedInstruction): number =>
  bytes.length < SEED_TEXT_AT ? bytes.length : SEED_TEXT_AT + bytes.readUInt32LE(SEED_LENGTH_AT)

const systemMovement = (instruction: ExecutedInstruction): Shape | undefined => {
  if (instruction.bytes.length < 4) return undefined
  switch (instruction.bytes.readUInt32LE(0)) {
    case SYSTEM.transfer:
      return shape(instruction, [0, 1, 0], 4)
    case SYSTEM.transferWithSeed:
      return shape(instruction, [0, 2, 1], 4)
    case SYSTEM.create:
      return opening(shape(instruction, [0, 1, 0], 4))
    case SYSTEM.createWithSeed:
      return opening(shape(instruction, [0, 1, 0], afterSeed(instruction)))
    default:
      return undefined
  }
}

const tokenMovement = (instruction: ExecutedInstruction): Shape | undefined => {
  const { bytes } = instruction
  switch (bytes[0]) {
    case TOKEN.transfer:
      return shape(instruction, [0, 1, 2], 1)
    case TOKEN.transferChecked:
      return shape(instruction, [0, 2, 3], 1)
    case TOKEN.feeExtension:
      return bytes[1] === TOKEN.transferCheckedWithFee ? shape(instruction, [0, 2, 3], 2) : undefined
    default:
      return undefined
  }
}

/**
 * The movements of a transaction's instructions, including those called by programs. Source: System program, SPL Token
 * and Token-2022 instructions.
 */
export const movementsOf = ({ instructions, holdings }: TransactionView): readonly Movement[] =>
  instructions.flatMap((instruction, position): readonly Movement[] => {
    if (instruction.program === PROGRAMS.system) {
      const found = systemMovement(instruction)
      return found === undefined ? [] : [{ position, mint: undefined, ...found }]
    }
    if (instruction.program !== PROGRAMS.token && instruction.program !== PROGRAMS.token2022) return []
    const found = tokenMovement(instruction)
    const mint = found && (holdings.get(found.to) ?? holdings.get(found.from))?.mint
    return found === undefined || mint === undefined ? [] : [{ position, mint, ...found }]
  })
