import { type Holding, readEvmBalance } from '../client/execute/evm-balance.ts'

/** A balance before and after in base units, and the change a quote promised (negative for what is paid). */
export type BalanceProof = {
  readonly before: bigint
  readonly after: bigint
  readonly promised: bigint
  readonly holds: boolean
}

/** Reads the balance now; the given-back function reads it again and compares the change with the promised one. */
export const watchBalance = async (
  holding: Holding,
): Promise<(promised: bigint) => Promise<BalanceProof>> => {
  const before = await readEvmBalance(holding)
  return async (promised) => {
    const after = await readEvmBalance(holding)
    return { before, after, promised, holds: after - before === promised }
  }
}
