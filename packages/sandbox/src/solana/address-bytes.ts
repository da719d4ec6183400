import { type Address, getAddressDecoder, getAddressEncoder } from '@solana/kit'

const decoder = getAddressDecoder()
const encoder = getAddressEncoder()

/** The address that 32 bytes are. */
export const toAddress = (bytes: Uint8Array): Address => decoder.decode(bytes)

/** The 32 bytes of an address. */
export const addressBytes = (address: Address): Uint8Array => Uint8Array.from(encoder.encode(address))
