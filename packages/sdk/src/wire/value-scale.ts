/** Hedera's networks: transactions and nodes count HBAR with 18 decimals, contracts with 8. Source: HIP-410. */
const HEDERA: ReadonlySet<string> = new Set(['eip155:295', 'eip155:296'])
const TINYBAR = 10n ** 10n

/**
 * How many units of a transaction's `value`, and of a balance as nodes tell it, are one base unit of the chain's native asset: 10^10
 * on Hedera, 1 elsewhere. It does not ask the service, so that guards need not believe it.
 * @example
 * const weibarOf = (tinybar: bigint): bigint => tinybar * valueScaleOf('eip155:295')
 */
export const valueScaleOf = (chainId: string): bigint => (HEDERA.has(chainId) ? TINYBAR : 1n)
