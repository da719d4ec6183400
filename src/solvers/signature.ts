import { recoverAddress } from 'viem/utils'
import { keccak } from '../chains/evm/keccak.ts'

/** What EIP-191 has signed for a text. */
const messageHash = (text: string): Uint8Array =>
  keccak(Buffer.from(`\x19Ethereum Signed Message:\n${Buffer.byteLength(text)}${text}`))

/**
 * Whether the address signed the text (EIP-191 personal_sign). Takes about a millisecond of this thread; false for
 * anything that is no signature.
 */
export const isSignedBy = async (text: string, signature: string, address: string): Promise<boolean> => {
  try {
    // CAST: viem wants the hex prefix in the type; the protocol's schema has checked it.
    const recovered = await recoverAddress({ hash: messageHash(text), signature: signature as `0x${string}` })
    return recovered.toLowerCase() === address.toLowerCase()
  } catch {
    return false
  }
}
