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
