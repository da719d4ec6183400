import type { Hex } from '../deployment-types.ts'
import type { Fault, Landing } from './message.ts'

/** A token sent with `sendToken`; amounts in base units, which are the same on every chain. */
export type TokenTransfer = {
  /** `txHash-N` of the TokenSent event. */
  readonly id: string
  readonly source: string
  readonly landing: Landing
  readonly sender: string
  /** The source chain's gateway contract. */
  readonly gateway: string
  readonly destination: string
  readonly recipient: string
  readonly denom: string
  readonly decimals: number
  readonly amount: bigint
  readonly fee: bigint
  /** Earlier transfers to the same recipient below their fee, which this one carries. */
  readonly carriedIds: readonly string[]
  readonly carriedAmount: bigint
  /** The transfer that carries this one when it did not exceed its fee. */
  readonly carriedBy: string | null
  /** Axelar's number for a transfer that exceeds its fee; the mint's command id. */
  readonly transferId: bigint | null
  readonly minted: Landing | null
  readonly invalid: string | null
  readonly fault: Fault | null
  readonly failures: number
  readonly retryAt: number
}

/** Base units the recipient gets; zero when the fee is not exceeded. */
export const amountReceived = (transfer: TokenTransfer): bigint => {
  const sum = transfer.amount + transfer.carriedAmount
  return sum > transfer.fee ? sum - transfer.fee : 0n
}

/** Whether the transfer does not exceed its fee and waits for a later one to the same recipient. */
export const isQueued = (transfer: TokenTransfer): boolean =>
  transfer.invalid === null && transfer.carriedBy === null && amountReceived(transfer) === 0n

/** The mint's command id: the transfer id as 32 big-endian bytes, independent of the source. */
export const mintCommandId = (transferId: bigint): Hex => `0x${transferId.toString(16).padStart(64, '0')}`

/** Whether the transfer may need further steps. */
export const isOpen = (transfer: TokenTransfer): boolean =>
  transfer.minted === null && transfer.invalid === null && transfer.carriedBy === null
