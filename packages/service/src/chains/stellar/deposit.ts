import type { Action } from '@openrfq/sdk'
import { muxedAddress } from './muxed-account.ts'

/** A deposit: vault (G…), muxed id below 2^64, token and amount. */
export type StellarDeposit = {
  readonly vault: string
  readonly id: bigint
  readonly token: string
  readonly amount: bigint
}

/**
 * The payload of a plain payment of exactly the amount; its muxed address identifies the order. Throws RangeError.
 * Source: interface "Payload types", SEP-23.
 */
export const stellarDeposit = ({
  vault,
  id,
  token,
  amount,
}: StellarDeposit): Extract<Action['payload'], { type: 'deposit_address' }> => ({
  type: 'deposit_address',
  address: muxedAddress(vault, id),
  amount: amount.toString(),
  token,
})
