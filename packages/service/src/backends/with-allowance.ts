import type { EvmChain } from '../chains/evm/evm-chain.ts'

/** What somebody may take of somebody's ERC-20 tokens: addresses. */
type Allowance = { readonly token: string; readonly owner: string; readonly spender: string }

/**
 * What `use` makes of an allowance in base units: at once where it is known under the present head, else once it was read;
 * of undefined where it could not be read in time.
 */
export const withAllowance = <Value>(
  evm: Pick<EvmChain, 'allowance' | 'knownAllowance'>,
  { token, owner, spender }: Allowance,
  use: (allowance: bigint | undefined) => Value,
): Value | Promise<Value> => {
  const known = evm.knownAllowance(token, owner, spender)
  return known === undefined ? evm.allowance(token, owner, spender).then(use) : use(known)
}
