/** A string or a vector of bytes in Borsh: its length in 32 bits, then itself. */
export const borshBytes = (bytes: string | Uint8Array): Buffer => {
  const value = Buffer.from(bytes)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(value.length)
  return Buffer.concat([length, value])
}

/** An unsigned integer of 64 bits in Borsh. */
export const borshU64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
