import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'

type Signed = { readonly key: string; readonly txHash: string; readonly rawTransaction: string }

/** Sends signed bytes until they are final. */
export type Broadcaster = {
  /** Sends a signature; a failure is logged once per reason and retried in the next round. */
  readonly broadcast: (signed: Signed) => Promise<void>
  /** Sends a signature unless it was sent recently. */
  readonly rebroadcast: (signed: Signed) => Promise<void>
  /** Drops every other signature. */
  readonly keepOnly: (open: readonly Signed[]) => void
}

type BroadcasterDeps = {
  readonly chainId: ChainId
  /** Rejects if no node accepts the bytes. */
  readonly send: (rawTransaction: string) => Promise<void>
  /** Between two broadcasts of one signature, in milliseconds. */
  readonly rebroadcastMs: number
  readonly now: () => Instant
  readonly log: Log
}

/** Creates a broadcaster for one account on one chain. */
export const createBroadcaster = (deps: BroadcasterDeps): Broadcaster => {
  const { chainId, send, rebroadcastMs, now, log } = deps
  const sentAt = new Map<string, Instant>()
  const failures = new Map<string, string>()

  const broadcast = async ({ key, txHash, rawTransaction }: Signed): Promise<void> => {
    sentAt.set(txHash, now())
    try {
      await send(rawTransaction)
      failures.delete(txHash)
    } catch (error) {
      if (failures.get(txHash) === String(error)) return
      failures.set(txHash, String(error))
      log('warn', 'transaction_broadcast_failed', { chainId, key, txHash, error })
    }
  }

  return {
    broadcast,
    rebroadcast: async (signed) => {
      const last = sentAt.get(signed.txHash)
      if (last === undefined || now() - last >= rebroadcastMs) await broadcast(signed)
    },
    keepOnly: (open) => {
      const kept = new Set(open.map(({ txHash }) => txHash))
      for (const txHash of sentAt.keys())
        if (!kept.has(txHash)) {
          sentAt.delete(txHash)
          failures.delete(txHash)
        }
    },
  }
}
