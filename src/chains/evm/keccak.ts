import { createKeccak } from 'hash-wasm'

/** WebAssembly: ten times faster than Keccak in JavaScript, which has no fast numbers of 64 bits. */
const keccak = await createKeccak(256)

/** Ethereum's Keccak-256 of bytes written as hex digits, as 64 lower-case hex digits; neither has a `0x`. */
export const keccakDigits = (digits: string): string =>
  keccak.init().update(Buffer.from(digits, 'hex')).digest('hex')
