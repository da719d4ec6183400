import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** Keccak-256 of a text in UTF-8, as 64 lower-case hex digits. Source: Ethereum Yellow Paper, appendix A. */
export const keccakOfText = (text: string): string => bytesToHex(keccak_256(new TextEncoder().encode(text)))
