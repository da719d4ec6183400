/** Instructions, accounts and errors of the escrow program on Solana, for @solana/kit. */
export {
  decodeEscrowAccount,
  ESCROW_ACCOUNT_BYTES,
  type EscrowAccount,
  type EscrowStatus,
} from './escrow-account.ts'
export {
  type EscrowToken,
  findAssociatedAddress,
  findEscrowAddress,
} from './escrow-address.ts'
export { type EscrowError, escrowErrorOf } from './escrow-error.ts'
export {
  closeEscrow,
  type EscrowPlace,
  type FillAttestation,
  openEscrow,
  refundEscrow,
  releaseEscrow,
} from './escrow-instructions.ts'
export type { EscrowOrder, Hex } from './escrow-order.ts'
export { fillTypedData } from './fill-typed-data.ts'
