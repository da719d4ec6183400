import { keccak } from './keccak.ts'
import { recoverAddress } from './recover-address.ts'

/** The EIP-191 hash of a text. */
const messageHash = (text: string): Uint8Array =>
  keccak(Buffer.from(`\x19Ethereum Signed Message:\n${Buffer.byteLength(text)}${text}`))

/** The lower-case address that signed the text (EIP-191 personal_sign); undefined for an invalid signature. */
export const signerOf = (text: string, signature: string): string | undefined =>
  recoverAddress(messageHash(text), signature)

/** Whether the address signed the text (EIP-191 personal_sign); false for an invalid signature. */
export const isSignedBy = (text: string, signature: string, address: string): boolean =>
  signerOf(text, signature) === address.toLowerCase()
