import { MAX_BASE_UNITS } from '../../core/amount.ts'
import { amountFor, type FeeInfo, transferFee } from '../../protocols/axelar/transfer-fee.ts'

/** A closed range of base units. */
export type Range = { readonly minimum: bigint; readonly maximum: bigint }

/** The mint limit that means a token is frozen. Source: AxelarGateway deployments. */
const FROZEN = 1n

/**
 * How much the destination's gateway can still pay out in the current six hours, in base units; null for no limit.
 * `balance` is its holding of an external token, null for a token it mints. Source: AxelarGateway.sol,
 * `_setTokenMintAmount`.
 */
export const payoutRoom = (mintLimit: bigint, minted: bigint, balance: bigint | null): bigint | null => {
  if (mintLimit === 0n) return balance
  const room = mintLimit === FROZEN || minted >= mintLimit ? 0n : mintLimit - minted
  return balance !== null && balance < room ? balance : room
}

/** The outputs that can be paid out, in base units; undefined if none. */
export const outputRange = (fees: FeeInfo, room: bigint | null): Range | undefined => {
  const largest = MAX_BASE_UNITS - transferFee(fees, MAX_BASE_UNITS)
  const maximum = room !== null && room < largest ? room : largest
  return maximum < 1n ? undefined : { minimum: 1n, maximum }
}

/** The inputs whose output is within the range, in base units. */
export const inputRange = (fees: FeeInfo, outputs: Range): Range => {
  const beyond = amountFor(fees, outputs.maximum + 1n)
  return {
    minimum: amountFor(fees, outputs.minimum),
    maximum: beyond > MAX_BASE_UNITS ? MAX_BASE_UNITS : beyond - 1n,
  }
}
