import type { EvmChain } from '../chains/evm/evm-chain.ts'

/** Identifies an ERC-20 allowance (token, owner, spender). */
type Allowance = { readonly token: string; readonly owner: string; readonly spender: string }

/**
 * Calls `use` with an allowance in base units: synchronously if it is cached for the current head, else after a read;
 * with undefined if it could not be read in time.
 */
export const withAllowance = <Value>(
  evm: Pick<EvmChain, 'allowance' | 'knownAllowance'>,
  { token, owner, spender }: Allowance,
  use: (allowance: bigint | undefined) => Value,
): Value | Promise<Value> => {
  const known = evm.knownAllowance(token, owner, spender)
  return known === undefined ? evm.allowance(token, owner, spender).then(use) : use(known)
}
