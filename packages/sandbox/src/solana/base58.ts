import { type Address, getAddressDecoder, getBase58Decoder, getBase58Encoder } from '@solana/kit'

const decoder = getBase58Decoder()
const encoder = getBase58Encoder()
const addressDecoder = getAddressDecoder()

/** Base58 text of bytes. */
export const toBase58 = (bytes: Uint8Array): string => decoder.decode(bytes)

/** Bytes of base58 text; throws when a character is none of the alphabet. */
export const fromBase58 = (text: string): Uint8Array => Uint8Array.from(encoder.encode(text))

/** The address that 32 bytes are. */
export const toAddress = (bytes: Uint8Array): Address => addressDecoder.decode(bytes)
