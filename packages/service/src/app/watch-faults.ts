import type { Intents } from '../backends/intent/index.ts'
import type { EvmChain } from '../chains/evm/evm-chain.ts'
import type { PaymentChain } from '../chains/payment-chain.ts'
import type { CallCount } from '../chains/rpc/call-meter.ts'
import type { EndpointFaults } from '../chains/rpc/rpc-pool.ts'
import type { LabelledCount, Metrics } from '../http/metrics.ts'
import type { HeldDeposits } from '../service/held-deposits.ts'
import type { Vaults } from './vaults.ts'
import { watchSolvers } from './watch-solvers.ts'

/** What metrics tell of a chain's endpoints. */
type CountedChain = Pick<EvmChain | PaymentChain, 'chainId' | 'faults' | 'counts'>

/** A count of every endpoint; endpoints are named by their place in the configuration. */
const endpointCounts = <Count>(
  chains: readonly CountedChain[],
  countsOf: (chain: CountedChain) => readonly Count[],
  countOf: (counts: Count) => number,
): readonly LabelledCount[] =>
  chains.flatMap((chain) =>
    countsOf(chain).map((one, endpoint) => ({
      labels: { chain: chain.chainId, endpoint: `${endpoint}` },
      count: countOf(one),
    })),
  )

/** Counts what is sent to each endpoint, as providers limit and charge it. */
const watchCalls = (metrics: Metrics, chains: readonly CountedChain[]): void => {
  const counts = ({ counts }: CountedChain): readonly CallCount[] => counts()
  metrics.watchCounts(
    'openrfq_rpc_requests_total',
    'HTTP requests sent to an RPC endpoint.',
    ['chain', 'endpoint'],
    () => endpointCounts(chains, counts, ({ requests }) => requests),
  )
  metrics.watchCounts(
    'openrfq_rpc_calls_total',
    'JSON-RPC calls sent to an RPC endpoint.',
    ['chain', 'endpoint'],
    () => endpointCounts(chains, counts, ({ calls }) => calls),
  )
  metrics.watchCounts(
    'openrfq_rpc_cost_units_total',
    'Compute units of the calls sent to an RPC endpoint, as metered providers charge them.',
    ['chain', 'endpoint'],
    () => endpointCounts(chains, counts, ({ costUnits }) => costUnits),
  )
}

type WatchedVaults = readonly Pick<Vaults, 'holding' | 'surpluses' | 'unsigned'>[]

/** Tells what vaults hold back, hold too much, and cannot sign. */
const watchVaults = (metrics: Metrics, vaults: WatchedVaults): void => {
  metrics.watch(
    'openrfq_vaults_held',
    'Vaults with payouts in some token held: see the log and the operations page.',
    () => vaults.reduce((count, { holding }) => count + holding().length, 0),
  )
  metrics.watchValues(
    'openrfq_vault_unsigned_seconds',
    'How long a payout of a vault has waited for the signature of its co-signer; its pairs are not quoted after ten minutes.',
    ['chain'],
    () =>
      vaults
        .flatMap(({ unsigned }) => unsigned())
        .map(({ chainId: chain, seconds }) => ({ labels: { chain }, count: seconds })),
  )
  metrics.watchValues(
    'openrfq_vault_surplus_base_units',
    'What a vault holds of a token above its books: gifts, what its treasury sent, or deposits that were not read.',
    ['chain', 'token'],
    () =>
      vaults
        .flatMap(({ surpluses }) => surpluses())
        .map(({ chainId: chain, token, surplus }) => ({ labels: { chain, token }, count: Number(surplus) })),
  )
}

/** Counts the deposits that wait for the operator. */
const watchHeldDeposits = (metrics: Metrics, { counts }: Pick<HeldDeposits, 'counts'>): void =>
  metrics.watchValues(
    'openrfq_held_deposits',
    'Deposits that name no order and could not be returned, and wait for the operator.',
    ['chain'],
    () => [...counts()].map(([chain, count]) => ({ labels: { chain }, count })),
  )

/** Counts what an operator must act on, and what is sent to the chains' endpoints. */
export const watchFaults = (
  metrics: Metrics,
  { vaults, held }: { readonly vaults: WatchedVaults; readonly held: Pick<HeldDeposits, 'counts'> },
  intents: readonly Pick<
    Intents,
    'factCheck' | 'listSolvers' | 'offerCheck' | 'attesterFaults' | 'paymentIndex'
  >[],
  chains: readonly CountedChain[],
): void => {
  const faults = ({ faults }: CountedChain): readonly EndpointFaults[] => faults()
  watchCalls(metrics, chains)
  watchSolvers(metrics, () => intents.flatMap((one) => one.listSolvers()))
  metrics.watchCounts(
    'openrfq_solver_offers_too_good_total',
    "How many of a solver's standing quotes were not taken because they were too good to be true.",
    ['solver'],
    () =>
      intents
        .flatMap(({ offerCheck }) => offerCheck.counts())
        .map(({ solver, count }) => ({ labels: { solver }, count })),
  )
  watchVaults(metrics, vaults)
  watchHeldDeposits(metrics, held)
  metrics.watchValues(
    'openrfq_payment_history_used_ratio',
    "How far the payments of a chain are read behind its head, as a part of its endpoints' history; above 1 they are lost.",
    ['chain'],
    () =>
      intents
        .flatMap(({ paymentIndex }) => paymentIndex.historiesUsed())
        .map(({ chainId: chain, used }) => ({ labels: { chain }, count: used })),
  )
  metrics.watch(
    'openrfq_payments_contradicted',
    'Payouts and refunds held because an RPC endpoint contradicts a fact that they rest on: see the operations page.',
    () => intents.reduce((count, { factCheck }) => count + factCheck.held().length, 0),
  )
  metrics.watchValues(
    'openrfq_attester_behind',
    '1 while the attester does not read a chain of attested orders to its head, else 0; its pairs are not quoted.',
    ['chain'],
    () =>
      intents
        .flatMap(({ attesterFaults }) => attesterFaults())
        .map(({ chainId: chain, fault }) => ({ labels: { chain }, count: fault === undefined ? 0 : 1 })),
  )
  metrics.watchCounts(
    'openrfq_rpc_disagreements_total',
    'How often an RPC endpoint contradicted what a quorum of the endpoints of its chain said alike.',
    ['chain', 'endpoint'],
    () => endpointCounts(chains, faults, ({ disagreements }) => disagreements),
  )
  metrics.watchCounts(
    'openrfq_rpc_times_ahead_total',
    "How often an RPC endpoint told a block time further ahead of the clock than its chain's maximumClockLeadSeconds.",
    ['chain', 'endpoint'],
    () => endpointCounts(chains, faults, ({ timesAhead }) => timesAhead),
  )
}
