import { type Address, getAddressDecoder } from '@solana/kit'
import type { Hex } from './escrow-order.ts'

/** The state of an order's escrow. */
export type EscrowStatus = 'open' | 'released' | 'refunded'

/** The data of an order's account. Seconds since 1970, base units. */
export type EscrowAccount = {
  readonly status: EscrowStatus
  readonly openDeadline: number
  readonly refundAfter: number
  readonly attester: Hex
  readonly amount: bigint
  readonly orderId: Hex
  readonly depositor: Address
  readonly payer: Address
  /** A mint; the system program's address, which is zero, stands for SOL. */
  readonly token: Address
  readonly solver: Address
}

/** Bytes of an order's account. */
export const ESCROW_ACCOUNT_BYTES = 200

const STATUSES: readonly (EscrowStatus | undefined)[] = [undefined, 'open', 'released', 'refunded']

const toHex = (bytes: Uint8Array): Hex =>
  `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

/**
 * Decodes the data of an account that the program owns; undefined when it is no order. The caller checks the owner: any
 * other program can write the same bytes.
 */
export const decodeEscrowAccount = (bytes: Uint8Array): EscrowAccount | undefined => {
  const status = STATUSES[bytes[0] ?? 0]
  if (bytes.length !== ESCROW_ACCOUNT_BYTES || status === undefined) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const key = (offset: number): Address => getAddressDecoder().decode(bytes, offset)
  return {
    status,
    openDeadline: view.getUint32(4, true),
    refundAfter: view.getUint32(8, true),
    attester: toHex(bytes.subarray(12, 32)),
    amount: view.getBigUint64(32, true),
    orderId: toHex(bytes.subarray(40, 72)),
    depositor: key(72),
    payer: key(104),
    token: key(136),
    solver: key(168),
  }
}
