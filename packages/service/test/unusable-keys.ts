import { inspect } from 'node:util'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const keyText = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`

/** 32-byte texts that are not secp256k1 private keys: zero, the curve's order, and above it. */
export const UNUSABLE_KEYS: readonly string[] = [
  keyText(0n),
  keyText(ORDER),
  keyText(ORDER).toUpperCase().replace('0X', '0x'),
  keyText(ORDER + 1n),
  keyText(2n ** 256n - 1n),
]

const leaks = (text: string, key: string): boolean =>
  text.includes(key.slice(2, 8)) || (BigInt(key) > 0n && text.includes(BigInt(key).toString()))

/** Whether an error states the expected form and shows no part of the key, not even in its cause. */
export const refusal =
  (expected: RegExp, key: string) =>
  (error: unknown): boolean =>
    error instanceof Error && expected.test(error.message) && !leaks(inspect(error), key)
