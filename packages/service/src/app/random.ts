import { randomBytes } from 'node:crypto'

const RANDOM_POOL_BYTES = 2_560

/** Draws bytes from a buffer: one call to the system's random source costs more than a whole quote. */
const createRandomBytes = (): ((length: number) => Buffer) => {
  let pool = Buffer.alloc(0)
  let used = 0
  return (length) => {
    if (used + length > pool.length) {
      pool = randomBytes(RANDOM_POOL_BYTES)
      used = 0
    }
    used += length
    return pool.subarray(used - length, used)
  }
}

const drawBytes = createRandomBytes()
/** 80 bits from a secure source. */
export const randomBits = (): bigint => {
  const bytes = drawBytes(10)
  return (bytes.readBigUInt64BE(0) << 16n) | BigInt(bytes.readUInt16BE(8))
}
/** The given number of bytes from a secure source, as lower-case hex without `0x`. */
export const randomHex = (byteLength: number): string => drawBytes(byteLength).toString('hex')
