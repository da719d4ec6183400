import { createKeccak } from 'hash-wasm'

/** WebAssembly: ten times faster than Keccak in JavaScript, which has no fast 64-bit integers. */
const hasher = await createKeccak(256)

/** Ethereum's Keccak-256 of bytes: 32 bytes. */
export const keccak = (bytes: Uint8Array): Uint8Array => hasher.init().update(bytes).digest('binary')

/** Ethereum's Keccak-256 of bytes, or of a text in UTF-8, as lower-case hex without `0x`. */
export const keccakHex = (content: Uint8Array | string): string => hasher.init().update(content).digest('hex')
