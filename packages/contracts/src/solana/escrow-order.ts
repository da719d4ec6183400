import type { Address } from '@solana/kit'

/** Bytes as hex. */
export type Hex = `0x${string}`

/**
 * An order from Solana as the program `open`s it: the terms of `AttestedOrder`, with the program as origin settler. Chains,
 * and accounts of the destination chain, are 32 bytes of hex; times are seconds since 1970, amounts base units.
 */
export type EscrowOrder = {
  readonly salt: Hex
  /** Keccak-256 of the cluster's CAIP-2 identifier, as is `destinationChain`. */
  readonly originChain: Hex
  readonly depositor: Address
  /** A mint; the system program's address, which is zero, stands for SOL. */
  readonly inputToken: Address
  /** At most 64 bits. */
  readonly inputAmount: bigint
  readonly destinationChain: Hex
  readonly destinationSettler: Hex
  readonly outputToken: Hex
  readonly outputAmount: bigint
  readonly recipient: Hex
  /** At most 64 bits. */
  readonly recipientTag: bigint
  readonly solver: Address
  readonly filler: Hex
  readonly openDeadline: number
  readonly fillDeadline: number
  readonly refundAfter: number
  /** 20 bytes. */
  readonly attester: Hex
}
