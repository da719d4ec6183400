import type { SolanaInstructions } from '@openrfq/sdk'
import { associatedTokenOf } from './associated-token.ts'
import { PROGRAMS, programOf, type SolanaMint } from './programs.ts'

/** One instruction in the form of the interface: keys in order, `data` in base64. */
export type SolanaInstruction = SolanaInstructions['instructions'][number]

type Key = SolanaInstruction['keys'][number]

const SET_UNIT_LIMIT = 2
const SET_UNIT_PRICE = 3
const SYSTEM_TRANSFER = 2
const CREATE_IDEMPOTENT = 1
const TRANSFER_CHECKED = 12
const MAX_U64 = (1n << 64n) - 1n

const writable = (pubkey: string): Key => ({ pubkey, isSigner: false, isWritable: true })
const readonly = (pubkey: string): Key => ({ pubkey, isSigner: false, isWritable: false })
const payer = (pubkey: string): Key => ({ pubkey, isSigner: true, isWritable: true })
const signer = (pubkey: string): Key => ({ pubkey, isSigner: true, isWritable: false })

const checkAmount = (amount: bigint): void => {
  if (amount <= 0n || amount > MAX_U64) throw new RangeError(`not an amount that Solana can move: ${amount}`)
}

/**
 * The compute unit limit of the transaction and its price per unit in micro-lamports. Source: Compute Budget program.
 */
export const computeBudget = (unitLimit: number, unitPrice: bigint): readonly SolanaInstruction[] => {
  const limit = Buffer.alloc(5)
  limit[0] = SET_UNIT_LIMIT
  limit.writeUInt32LE(unitLimit, 1)
  const price = Buffer.alloc(9)
  price[0] = SET_UNIT_PRICE
  price.writeBigUInt64LE(unitPrice, 1)
  return [limit, price].map((bytes) => ({
    programId: PROGRAMS.computeBudget,
    keys: [],
    data: bytes.toString('base64'),
  }))
}

/** Transfers lamports. Throws RangeError for an amount beyond 64 bits. Source: System program "Transfer". */
export const systemTransfer = (from: string, to: string, amount: bigint): SolanaInstruction => {
  checkAmount(amount)
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32LE(SYSTEM_TRANSFER, 0)
  bytes.writeBigUInt64LE(amount, 4)
  return { programId: PROGRAMS.system, keys: [payer(from), writable(to)], data: bytes.toString('base64') }
}

/**
 * Transfers tokens between the associated accounts of two owners; the program checks mint and decimals. Throws
 * RangeError for an amount beyond 64 bits. Source: SPL Token "TransferChecked".
 */
export const tokenTransfer = (
  from: string,
  to: string,
  mint: SolanaMint,
  amount: bigint,
): SolanaInstruction => {
  checkAmount(amount)
  const programId = programOf(mint)
  const bytes = Buffer.alloc(10)
  bytes[0] = TRANSFER_CHECKED
  bytes.writeBigUInt64LE(amount, 1)
  bytes[9] = mint.decimals
  return {
    programId,
    keys: [
      writable(associatedTokenOf(from, mint.address, programId)),
      readonly(mint.address),
      writable(associatedTokenOf(to, mint.address, programId)),
      signer(from),
    ],
    data: bytes.toString('base64'),
  }
}

/** Opens an owner's associated account unless it is open. Source: SPL Associated Token Account "CreateIdempotent". */
export const openTokenAccount = (feePayer: string, owner: string, mint: SolanaMint): SolanaInstruction => {
  const program = programOf(mint)
  return {
    programId: PROGRAMS.associatedToken,
    keys: [
      payer(feePayer),
      writable(associatedTokenOf(owner, mint.address, program)),
      readonly(owner),
      readonly(mint.address),
      readonly(PROGRAMS.system),
      readonly(program),
    ],
    data: Buffer.of(CREATE_IDEMPOTENT).toString('base64'),
  }
}

/** Attaches a text signed by its author. Source: SPL Memo v3. */
export const memoInstruction = (author: string, text: string): SolanaInstruction => ({
  programId: PROGRAMS.memo,
  keys: [signer(author)],
  data: Buffer.from(text, 'utf8').toString('base64'),
})
