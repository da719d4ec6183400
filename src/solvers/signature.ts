import { recoverMessageAddress } from 'viem/utils'

/**
 * Whether the address signed the text (EIP-191 personal_sign). Takes about a millisecond of this thread; false for
 * anything that is no signature.
 */
export const isSignedBy = async (text: string, signature: string, address: string): Promise<boolean> => {
  try {
    // CAST: viem wants the hex prefix in the type; the protocol's schema has checked it.
    const recovered = await recoverMessageAddress({ message: text, signature: signature as `0x${string}` })
    return recovered.toLowerCase() === address.toLowerCase()
  } catch {
    return false
  }
}
