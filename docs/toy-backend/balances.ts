import { uintAt } from '../../chains/evm/abi-words.ts'
import { balanceOfData } from '../../chains/evm/erc20.ts'
import { readAll } from '../../chains/evm/read-all.ts'
import { type Lifecycle, together } from '../../lib/lifecycle.ts'
import { createPoller } from '../../lib/poller.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import type { BackendDeps } from '../backend-definition.ts'
import { type Side, TYPE } from './routes.ts'

const PERIOD_MS = 2_000
const MAX_AGE_MS = 30_000

/** The bridges' balances available for payouts, refreshed in the background. */
export type Balances = Lifecycle & {
  /** The bridge's balance in base units, read at most 30 s ago; undefined if unknown. No network. */
  readonly of: (side: Side) => bigint | undefined
}

/** Refreshes the balances of the given sides; one background loop per chain. */
export const createBalances = (
  { now, log }: Pick<BackendDeps, 'now' | 'log'>,
  sides: readonly Side[],
): Balances => {
  const balances = createTtlCache<Side, bigint>({ now, maxAgeMs: MAX_AGE_MS })
  const refresh = async (evm: Side['evm'], own: readonly Side[]): Promise<void> => {
    const calls = own.map(({ token, bridge }) => ({ to: token.address, data: balanceOfData(bridge) }))
    const answers = await readAll(evm, calls)
    for (const [index, side] of own.entries()) {
      const balance = uintAt(answers[index] ?? '0x', 0)
      if (balance !== undefined) balances.set(side, balance)
    }
  }
  const pollers = [...Map.groupBy(sides, ({ evm }) => evm)].map(([evm, own]) =>
    createPoller({
      name: 'balance_read',
      fields: { backend: TYPE, chainId: evm.chainId },
      periodMs: PERIOD_MS,
      run: () => refresh(evm, own),
      log,
    }),
  )
  return { of: balances.get, ...together(pollers) }
}
