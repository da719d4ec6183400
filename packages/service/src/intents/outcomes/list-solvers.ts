import type { SolverSummary } from '@openrfq/sdk'
import { toIso } from '../../core/instant.ts'
import type { Solver } from '../solver-api/best-offers.ts'
import type { SolverBalances } from '../solver-api/solver-balances.ts'
import { WHOLE_RATE } from './fill-rate.ts'
import type { SolverRecord, SolverRecords } from './solver-records.ts'

type Deps = {
  readonly solvers: readonly Solver[]
  readonly records: Pick<SolverRecords, 'all'>
  /** The solvers that are logged in now. */
  readonly present: () => readonly Solver[]
  readonly exceeded: SolverBalances['exceeded']
}

const summaryOf = (record: SolverRecord): SolverSummary['pairs'][number] => {
  const [fromChain = '', fromToken = '', toChain = '', toToken = ''] = record.pair.split(' ')
  const { filled, late, declined, faded, fillRate, fillSeconds, block } = record
  return {
    fromChain,
    fromToken,
    toChain,
    toToken,
    filled,
    late,
    declined,
    faded,
    fillRate: fillRate / WHOLE_RATE,
    medianFillSeconds: fillSeconds ?? null,
    blockedUntil: block === undefined ? null : toIso(block.until),
  }
}

/** Lists the configured solvers with their records, by pair. Reads memory only. */
export const createSolverList =
  ({ solvers, records, present, exceeded }: Deps) =>
  (): readonly SolverSummary[] => {
    const connected = new Set(present().map(({ address }) => address))
    const all = records.all().toSorted((one, other) => (one.pair < other.pair ? -1 : 1))
    const excess = exceeded()
    return solvers.map(({ name, address }) => ({
      name,
      address,
      connected: connected.has(address),
      inventoryExceedsBalance: excess
        .filter(({ solver }) => solver === address)
        .map(({ chainId: chain, token }) => ({ chain, token })),
      pairs: all.filter(({ solver }) => solver === address).map(summaryOf),
    }))
  }
