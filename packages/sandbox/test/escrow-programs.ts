import { readFileSync } from 'node:fs'

/** The committed program. */
export const ESCROW_PROGRAM: Uint8Array = readFileSync(
  new URL(import.meta.resolve('@openrfq/contracts/solana/escrow.so')),
)

const ENTRY_OFFSET = 24
const CODE_SEGMENT_OFFSET = 128
/** Sets the result to 0, and returns. */
const RETURN_ZERO = [0xb7, 0, 0, 0, 0, 0, 0, 0, 0x95, 0, 0, 0, 0, 0, 0, 0]

/** A program that accepts every call and does nothing: the escrow program with another beginning. */
export const idleProgram = (): Uint8Array => {
  const bytes = Buffer.from(ESCROW_PROGRAM)
  const entry = Number(bytes.readBigUInt64LE(ENTRY_OFFSET) & 0xffff_ffffn)
  bytes.set(RETURN_ZERO, Number(bytes.readBigUInt64LE(CODE_SEGMENT_OFFSET)) + entry)
  return bytes
}
