import { keccak_256 } from '@noble/hashes/sha3.js'

/** Keccak-256 of a text in UTF-8, as 64 lower-case hex digits. Source: Ethereum Yellow Paper, appendix A. */
export const keccakOfText = (text: string): string =>
  Array.from(keccak_256(new TextEncoder().encode(text)), (byte) => byte.toString(16).padStart(2, '0')).join('')
