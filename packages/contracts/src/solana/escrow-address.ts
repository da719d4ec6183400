import { type Address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit'
import type { Hex } from './escrow-order.ts'
import { ASSOCIATED_TOKEN_PROGRAM } from './programs.ts'

/** The bytes of hex. Throws RangeError for another length. */
export const hexBytes = (hex: Hex, length: number): Uint8Array => {
  if (!/^0x([0-9a-f]{2})*$/i.test(hex) || hex.length !== 2 + 2 * length)
    throw new RangeError(`expected ${length} bytes of hex, not ${hex}`)
  return Uint8Array.from({ length }, (_, index) =>
    Number.parseInt(hex.slice(2 + 2 * index, 4 + 2 * index), 16),
  )
}

/** The account of the order with this id (32 bytes). Throws RangeError for an id of another form. */
export const findEscrowAddress = async (program: Address, orderId: Hex): Promise<Address> => {
  const seeds = ['order', hexBytes(orderId, 32)]
  return (await getProgramDerivedAddress({ programAddress: program, seeds }))[0]
}

/** A token: its mint, and the token program that owns the mint. */
export type EscrowToken = { readonly mint: Address; readonly program: Address }

/** The owner's associated token account. The vault of an order is that of the order's account. */
export const findAssociatedAddress = async (owner: Address, token: EscrowToken): Promise<Address> => {
  const seeds = [owner, token.program, token.mint].map((key) => getAddressEncoder().encode(key))
  return (await getProgramDerivedAddress({ programAddress: ASSOCIATED_TOKEN_PROGRAM, seeds }))[0]
}
