import type { PaymentChain } from '../chains/payment-chain.ts'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import type { OutboxEntry, Store } from '../store/store.ts'
import { readPayout, writePayout } from './payout-entry.ts'

/** Intervals of the payout monitor, in milliseconds. */
export type PayoutTiming = {
  /** Between two rounds over the open payments. */
  readonly roundMs: number
  /** Between two broadcasts of a payment whose outcome is unknown. */
  readonly rebroadcastMs: number
}

export type PayoutMonitorDeps = {
  readonly store: Store
  readonly chain: PaymentChain
  /** The paying account's canonical address. */
  readonly sender: string
  readonly secret: string
  readonly timing: PayoutTiming
  readonly now: () => Instant
  readonly log: Log
}

/** Sends signed bytes; a failure is logged once per reason and retried in the next round. */
const createBroadcast = ({ chain, now, log }: PayoutMonitorDeps) => {
  const sentAt = new Map<string, Instant>()
  const failures = new Map<string, string>()
  const broadcast = async (entry: OutboxEntry): Promise<void> => {
    const { key, txHash } = entry
    sentAt.set(txHash, now())
    try {
      await chain.broadcast(readPayout(entry).signed.rawTransaction)
      failures.delete(txHash)
    } catch (error) {
      if (failures.get(txHash) === String(error)) return
      failures.set(txHash, String(error))
      log('warn', 'broadcasting a payout failed', { chainId: chain.chainId, key, txHash, error })
    }
  }
  const forget = (txHash: string): void => {
    sentAt.delete(txHash)
    failures.delete(txHash)
  }
  return { broadcast, forget, sentAt: (txHash: string) => sentAt.get(txHash) }
}

/**
 * Monitors the open payments of one account: broadcasts the newest signature of each until the chain's final state
 * shows its outcome, and signs again only a payment that provably can never land.
 */
export const createPayoutMonitor = (deps: PayoutMonitorDeps) => {
  const { store, chain, sender, secret, timing, now, log } = deps
  const { broadcast, forget, sentAt } = createBroadcast(deps)

  const settle = async ({ key, txHash }: OutboxEntry, outcome: 'succeeded' | 'reverted' | 'displaced') => {
    await store.settleOutboxEntry(key, outcome, txHash)
    forget(txHash)
    if (outcome !== 'succeeded')
      log('warn', 'payout failed', { chainId: chain.chainId, key, txHash, outcome })
  }

  /** The signature can never land: signs a new one, unless the payment's deadline has passed. */
  const resign = async (entry: OutboxEntry): Promise<void> => {
    const { payout } = readPayout(entry)
    if (payout.notAfterSeconds !== undefined && now() >= payout.notAfterSeconds * 1000)
      return settle(entry, 'displaced')
    const signed = await chain.sign(payout, secret)
    const next = {
      txHash: signed.txHash,
      rawTransaction: writePayout({ payout, signed }),
      signedAt: now(),
    }
    if (!(await store.replaceOutboxEntry(entry.key, entry.txHash, next))) return
    forget(entry.txHash)
    log('info', 'payout signed again', { chainId: chain.chainId, key: entry.key, txHash: next.txHash })
    await broadcast({ ...entry, ...next })
  }

  const monitor = async (entry: OutboxEntry): Promise<void> => {
    const outcome = await chain.outcome(readPayout(entry).signed)
    if (outcome === 'succeeded') return settle(entry, 'succeeded')
    if (outcome === 'failed') return settle(entry, 'reverted')
    if (outcome === 'expired') return resign(entry)
    const last = sentAt(entry.txHash)
    if (last === undefined || now() - last >= timing.rebroadcastMs) await broadcast(entry)
  }

  /** Runs one round over the open payments. */
  const round = async (): Promise<void> => {
    const open = await store.listOpenOutbox(chain.chainId, sender)
    // Sequentially: some chains need one account's signatures in order.
    for (const entry of open)
      await monitor(entry).catch((error: unknown) =>
        log('warn', 'monitoring a payout failed', { chainId: chain.chainId, key: entry.key, error }),
      )
  }

  return { broadcast, round }
}
