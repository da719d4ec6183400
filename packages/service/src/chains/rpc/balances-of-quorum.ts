import type { RpcWork } from './rpc-members.ts'
import type { RpcPool } from './rpc-pool.ts'

/** What one endpoint says of some tokens: undefined for a contract without a balance. */
type Told = { readonly number: bigint; readonly amounts: readonly (bigint | undefined)[] }

/** A balance in base units, and the block, slot or ledger it is at least as new as. */
export type BalanceOfQuorum = { readonly number: bigint; readonly amount: bigint }

type Deps = { readonly pool: Pick<RpcPool, 'workEach' | 'quorum'>; readonly deadlineMs: number }

const byAmount = ({ amount: one }: BalanceOfQuorum, { amount: other }: BalanceOfQuorum): number =>
  one < other ? -1 : one > other ? 1 : 0

/**
 * The lowest balance of each of the `count` tokens that a quorum of endpoints do not exceed; undefined if fewer told one.
 * Endpoints that differ by their newest block do not contradict each other.
 */
export const balancesOfQuorum = async (
  { pool, deadlineMs }: Deps,
  work: RpcWork<Told>,
  count: number,
): Promise<readonly (BalanceOfQuorum | undefined)[]> => {
  const settled = await Promise.allSettled(pool.workEach(work, deadlineMs))
  const told = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  return Array.from({ length: count }, (_, position) =>
    told
      .flatMap(({ number, amounts }) => {
        const amount = amounts[position]
        return amount === undefined ? [] : [{ number, amount }]
      })
      .toSorted(byAmount)
      .at(pool.quorum - 1),
  )
}
