import type { Hex } from '../deployment-types.ts'
import type { Fault, Landing } from './message.ts'

/** A gateway token sent with `sendToken`; amounts in base units, which are the same on every chain. */
export type TokenTransfer = {
  /** `txHash-N` of the TokenSent event. */
  readonly id: string
  readonly source: string
  readonly landing: Landing
  readonly sender: string
  readonly destination: string
  readonly recipient: string
  readonly denom: string
  readonly decimals: number
  readonly amount: bigint
  readonly fee: bigint
  /** Earlier transfers to the same recipient that were too small and go along with this one. */
  readonly carriedIds: readonly string[]
  readonly carriedAmount: bigint
  /** The transfer that carries this one, when it was too small. */
  readonly carriedBy: string | null
  /** The number Axelar gives a transfer that exceeds its fee; the mint's command id. */
  readonly transferId: bigint | null
  readonly minted: Landing | null
  readonly invalid: string | null
  readonly fault: Fault | null
  readonly failures: number
  readonly retryAt: number
}

/** What the recipient gets in base units: nothing as long as the fee is not exceeded. */
export const amountReceived = (transfer: TokenTransfer): bigint => {
  const sum = transfer.amount + transfer.carriedAmount
  return sum > transfer.fee ? sum - transfer.fee : 0n
}

/** Whether the transfer waits for a later one to the same recipient, because it does not exceed its fee. */
export const isQueued = (transfer: TokenTransfer): boolean =>
  transfer.invalid === null && transfer.carriedBy === null && amountReceived(transfer) === 0n

/** The command id of a mint: the transfer id as 32 big-endian bytes, which says nothing of the source. */
export const mintCommandId = (transferId: bigint): Hex => `0x${transferId.toString(16).padStart(64, '0')}`

/** Whether something may still have to be done for the transfer. */
export const isOpen = (transfer: TokenTransfer): boolean =>
  transfer.minted === null && transfer.invalid === null && transfer.carriedBy === null
