import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import { createPoller } from '../../lib/poller.ts'
import type { PaymentChainHead } from '../payment-chain.ts'
import { askFor } from '../rpc/ask-for.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { readWindow } from './ledger-window.ts'
import { FeeStatistics, type LedgerWindow } from './rpc-answers.ts'
import type { StellarTiming } from './timing.ts'

type Deps = {
  readonly chainId: ChainId
  readonly pool: RpcPool
  readonly timing: StellarTiming
  readonly now: () => Instant
}

/** Keeps the newest ledger in memory. */
export type StellarHeadPoller = {
  /** Undefined before the first read and when stale. */
  readonly head: () => PaymentChainHead | undefined
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** The minimum fee of every network, in stroops. */
const BASE_FEE_STROOPS = 100n

type Dated<Value> = { readonly value: Value; readonly readAt: Instant }

/** Ledgers are final once they are closed. Source: Stellar Consensus Protocol. */
const headOf = (window: LedgerWindow, paymentFee: bigint): PaymentChainHead => ({
  number: BigInt(window.latestLedger),
  timestampSeconds: window.latestLedgerCloseTime,
  finalNumber: BigInt(window.latestLedger),
  finalTimestampSeconds: window.latestLedgerCloseTime,
  paymentFee,
})

const readPaymentFee = async (ask: RpcAsk): Promise<bigint> => {
  const paid = BigInt(
    (await askFor(ask, { method: 'getFeeStats', params: {} }, FeeStatistics)).inclusionFee.p90,
  )
  return paid > BASE_FEE_STROOPS ? paid : BASE_FEE_STROOPS
}

/** Polls the newest ledger at a fixed interval, one read at a time. */
export const createStellarHeadPoller = ({ chainId, pool, timing, now }: Deps): StellarHeadPoller => {
  let newest: Dated<PaymentChainHead> | undefined
  let fee: Dated<bigint> | undefined

  const head = (): PaymentChainHead | undefined =>
    newest === undefined || now() - newest.readAt > timing.staleMs ? undefined : newest.value

  const look = async (ask: RpcAsk): Promise<PaymentChainHead> => {
    const window = await readWindow(ask)
    if (window.latestLedger < (head()?.number ?? 0n))
      throw new RpcError('NODE_BEHIND', `node of ${chainId} is behind, at ledger ${window.latestLedger}`)
    if (fee === undefined || now() - fee.readAt >= timing.feeMs)
      fee = { value: await readPaymentFee(ask), readAt: now() }
    return headOf(window, fee.value)
  }

  // The pool logs why the head cannot be read; without one nothing is offered on this chain.
  const poller = createPoller({
    name: 'head_read',
    periodMs: timing.pollMs,
    run: async () => {
      newest = { value: await pool.work(look, timing.readMs), readAt: now() }
    },
  })

  return {
    head,
    start: poller.start,
    stop: poller.stop,
  }
}
