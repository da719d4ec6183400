import type { EvmChain, EvmHead, EvmReceipt } from '../chains/evm/evm-chain.ts'
import { replacementFees } from '../chains/evm/gas.ts'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import type { OutboxEntry, Store } from '../store/store.ts'
import { createGapFiller } from './fill-gap.ts'
import { feesOf, type Signer } from './signer.ts'

/** Intervals of the outbox, in milliseconds. */
export type OutboxTiming = {
  /** Between two rounds over the open entries. */
  readonly roundMs: number
  /** Between two broadcasts of one unmined transaction. */
  readonly rebroadcastMs: number
  /** From a signature until it may be replaced with higher fees, and until its nonce is checked for loss. */
  readonly patienceMs: number
}

export type TransactionMonitorDeps = {
  readonly store: Store
  readonly chain: EvmChain
  readonly signer: Signer
  readonly timing: OutboxTiming
  readonly now: () => Instant
  readonly log: Log
}

/** Broadcasts signed transactions and determines their outcome. */
export type TransactionMonitor = {
  /** Sends the newest signature of an entry; a failure is logged and retried in the next round. */
  readonly broadcast: (entry: OutboxEntry) => Promise<void>
  /** Runs one round over the open entries; returns how many there are. */
  readonly round: () => Promise<number>
}

/** Nodes keep few transactions per sender, and one behind an open nonce cannot be mined anyway. */
const MONITORED = 64
const MAXIMUM_REPLACEMENTS = 8

/** The receipt of whichever signature was mined. */
const receiptOf = async (chain: EvmChain, entry: OutboxEntry): Promise<EvmReceipt | undefined> => {
  const receipts = await Promise.all([entry.txHash, ...entry.replacedTxHashes].map(chain.receipt))
  return receipts.find((receipt) => receipt !== undefined)
}

const createBroadcast = ({ chain, now, log }: TransactionMonitorDeps, sentAt: Map<string, Instant>) => {
  const refusals = new Map<string, string>()
  const broadcast = async ({ key, txHash, rawTransaction }: OutboxEntry): Promise<void> => {
    sentAt.set(txHash, now())
    try {
      const sent = await chain.sendRawTransaction(rawTransaction)
      if (sent === 'taken') refusals.delete(key)
      else if (refusals.get(key) !== sent.refused) {
        refusals.set(key, sent.refused)
        log('warn', 'transaction refused', { chainId: chain.chainId, key, txHash, reason: sent.refused })
      }
    } catch (error) {
      log('warn', 'broadcasting a transaction failed', { chainId: chain.chainId, key, txHash, error })
    }
  }
  const forget = ({ key, txHash, replacedTxHashes }: OutboxEntry): void => {
    refusals.delete(key)
    for (const known of [txHash, ...replacedTxHashes]) sentAt.delete(known)
  }
  return { broadcast, forget }
}

/**
 * Settles an entry whose nonce was used by a transaction signed elsewhere. Proven only by the count at a final block,
 * read after a head at which none of our signatures was mined.
 */
const createNonceTakenCheck =
  ({ store, chain, signer, log }: TransactionMonitorDeps) =>
  async (entry: OutboxEntry, head: EvmHead): Promise<boolean> => {
    const used = await chain.transactionCount(signer.sender, head.finalNumber)
    if (used <= entry.nonce) return false
    log('error', 'nonce used by a transaction signed elsewhere', {
      chainId: chain.chainId,
      key: entry.key,
      nonce: entry.nonce,
    })
    await store.settleOutboxEntry(entry.key, 'displaced', entry.txHash)
    return true
  }

/** Signs an entry again if its fees are outdated; returns what to broadcast. */
const createReplacement =
  ({ store, signer, now, chain, log }: TransactionMonitorDeps) =>
  async (entry: OutboxEntry, head: EvmHead): Promise<OutboxEntry> => {
    if (entry.replacedTxHashes.length >= MAXIMUM_REPLACEMENTS) return entry
    const fees = replacementFees(feesOf(entry.rawTransaction), head)
    if (fees === undefined) return entry
    const next = { ...(await signer.signAgain(entry.rawTransaction, fees)), signedAt: now() }
    if (!(await store.replaceOutboxEntry(entry.key, entry.txHash, next))) return entry
    log('info', 'transaction replaced with higher fees', {
      chainId: chain.chainId,
      key: entry.key,
      txHash: next.txHash,
    })
    return { ...entry, ...next, replacedTxHashes: [...entry.replacedTxHashes, entry.txHash] }
  }

/** Monitors the open entries of one sender on one chain. */
export const createTransactionMonitor = (deps: TransactionMonitorDeps): TransactionMonitor => {
  const { store, chain, signer, timing, now, log } = deps
  const sentAt = new Map<string, Instant>()
  const { broadcast, forget } = createBroadcast(deps, sentAt)
  const isNonceTaken = createNonceTakenCheck(deps)
  const replaced = createReplacement(deps)
  const fillGap = createGapFiller(deps)

  const monitor = async (entry: OutboxEntry, head: EvmHead): Promise<void> => {
    const receipt = await receiptOf(chain, entry)
    if (receipt !== undefined) {
      if (!receipt.final) return
      await store.settleOutboxEntry(entry.key, receipt.succeeded ? 'succeeded' : 'reverted', receipt.txHash)
      return forget(entry)
    }
    const isOld = now() - entry.signedAt >= timing.patienceMs
    if (isOld && (await isNonceTaken(entry, head))) return forget(entry)
    const current = isOld ? await replaced(entry, head) : entry
    const last = sentAt.get(current.txHash)
    if (last === undefined || now() - last >= timing.rebroadcastMs) await broadcast(current)
  }

  const round = async (): Promise<number> => {
    const open = await store.listOpenOutbox(chain.chainId, signer.sender)
    const head = chain.head()
    const [lowest] = open
    if (head === undefined || lowest === undefined) return open.length
    await Promise.all(
      open.slice(0, MONITORED).map((entry) =>
        monitor(entry, head).catch((error: unknown) =>
          log('warn', 'monitoring a transaction failed', {
            chainId: chain.chainId,
            key: entry.key,
            error,
          }),
        ),
      ),
    )
    await fillGap(lowest, head).catch((error: unknown) =>
      log('warn', 'comparing nonces failed', { chainId: chain.chainId, error }),
    )
    return open.length
  }

  return { broadcast, round }
}
