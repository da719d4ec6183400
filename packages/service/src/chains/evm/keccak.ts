import { createKeccak } from 'hash-wasm'

/** WebAssembly: ten times faster than Keccak in JavaScript, which has no fast numbers of 64 bits. */
const hasher = await createKeccak(256)

/** Ethereum's Keccak-256 of bytes: 32 bytes. */
export const keccak = (bytes: Uint8Array): Uint8Array => hasher.init().update(bytes).digest('binary')
