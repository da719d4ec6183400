import type { PaymentChain } from '../chains/payment-chain.ts'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import { mapAtMost } from '../lib/map-at-most.ts'
import type { Mutex } from '../lib/mutex.ts'
import type { Store, StoredPayment, StoredPayout } from '../store/store.ts'
import { createBroadcaster } from './broadcaster.ts'

/** Intervals of a payout outbox, in milliseconds. */
export type PayoutTiming = {
  /** Between two rounds over the open payouts. */
  readonly roundMs: number
  /** Between two broadcasts of a payout whose outcome is unknown. */
  readonly rebroadcastMs: number
}

/** The signatures of earlier processes that a restored store does not contain. */
export type EarlierSignatures = {
  /** Whether every payment that they made is known. */
  readonly areKnown: () => boolean
  /** The known payment that one of them made of the payout; unconfirmed, it may have been made up. */
  readonly find: (payout: StoredPayout) => Promise<Pick<StoredPayment, 'txHash' | 'confirmed'> | undefined>
}

/**
 * What to do with an open payout that can never land: sign it again if what its first signature rested on still holds,
 * wait, or drop it: it ends as `expired` and makes room for others.
 */
export type Renewal = 'sign' | 'wait' | 'drop'

/** Decides about the renewal of an open payout. */
export type DecideRenewal = (payout: StoredPayout) => Promise<Renewal>

type PayoutMonitorDeps = {
  readonly store: Pick<Store, 'listOpenPayouts' | 'resignPayout' | 'settlePayout'>
  readonly chain: PaymentChain
  /** The paying account's canonical address. */
  readonly sender: string
  readonly secret: string
  readonly timing: PayoutTiming
  /** Runs the account's signing work sequentially. */
  readonly inTurn: Mutex
  readonly earlier: EarlierSignatures | undefined
  readonly decideRenewal: DecideRenewal
  readonly now: () => Instant
  readonly log: Log
}

const AT_ONCE = 8

/**
 * Monitors the open payouts of one account: broadcasts the newest signature of each until the chain's final state shows
 * its outcome, and signs again only a payout that provably can never land.
 */
export const createPayoutMonitor = (deps: PayoutMonitorDeps) => {
  const { store, chain, sender, secret, timing, inTurn, earlier, decideRenewal, now, log } = deps
  const { chainId } = chain
  const broadcaster = createBroadcaster({ ...timing, chainId, send: chain.broadcast, now, log })

  const settle = async (payout: StoredPayout, outcome: 'succeeded' | 'failed' | 'expired') => {
    const isSettled = await store.settlePayout(payout, outcome)
    const { key, txHash } = payout
    if (isSettled && outcome !== 'succeeded') log('warn', 'payout_failed', { chainId, key, txHash, outcome })
  }

  const settleAsFound = async (payout: StoredPayout, txHash: string): Promise<void> => {
    const { key, rawTransaction } = payout
    if (!(await store.resignPayout(payout, { txHash, rawTransaction, signedAt: now() }))) return
    log('warn', 'payout_found_on_chain', { chainId, key, txHash })
    await settle({ ...payout, txHash }, 'succeeded')
  }

  /**
   * The signature can never land: signs a new one or drops the payout as decided, unless an earlier process signed, which may
   * still have to be found, or the payout's deadline has passed.
   */
  const renew = async (payout: StoredPayout, renewal: Renewal): Promise<void> => {
    const { key, notAfterSeconds } = payout
    if (earlier !== undefined) {
      if (!earlier.areKnown()) return
      const found = await earlier.find(payout)
      if (found?.confirmed === false) return
      if (found !== undefined) return settleAsFound(payout, found.txHash)
    }
    if (notAfterSeconds !== undefined && now() >= notAfterSeconds * 1000) return settle(payout, 'expired')
    if (renewal === 'drop') return settle(payout, 'expired')
    if (renewal === 'wait') return
    const next = { ...(await chain.sign(payout, secret, payout.earlierTxHashes.length + 1)), signedAt: now() }
    if (!(await store.resignPayout(payout, next))) return
    log('info', 'payout_signed_again', { chainId, key, txHash: next.txHash })
    await broadcaster.broadcast({ key, ...next })
  }

  const follow = async (payout: StoredPayout): Promise<void> => {
    const outcome = await chain.outcome(payout)
    if (outcome === 'expired') {
      // Asked before the turn, which other signatures wait for.
      const renewal = earlier?.areKnown() === false ? 'wait' : await decideRenewal(payout)
      await inTurn(() => renew(payout, renewal))
    } else if (outcome === 'pending') await broadcaster.rebroadcast(payout)
    else await settle(payout, outcome)
  }

  const round = async (): Promise<void> => {
    const open = await store.listOpenPayouts(chainId, sender)
    broadcaster.keepOnly(open)
    await mapAtMost(AT_ONCE, open, (payout) =>
      follow(payout).catch((error: unknown) =>
        log('warn', 'payout_monitor_failed', { chainId, key: payout.key, error }),
      ),
    )
  }

  return { broadcast: broadcaster.broadcast, round }
}
