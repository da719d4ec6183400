import type { EvmChain, EvmHead, EvmReceipt } from '../chains/evm/evm-chain.ts'
import { replacementFees } from '../chains/evm/gas.ts'
import type { Store, StoredTransaction } from '../store/store.ts'
import { createBroadcaster } from './broadcaster.ts'
import { createNonceRepair, type NonceRepairDeps } from './nonce-repair.ts'
import { OutboxError } from './outbox-error.ts'
import { feesOf } from './signer.ts'

/** Intervals of a transaction outbox, in milliseconds. */
export type TransactionTiming = {
  /** Between two rounds over the open transactions. */
  readonly roundMs: number
  /** Between two broadcasts of one unmined transaction. */
  readonly rebroadcastMs: number
  /** From a signature until it may be replaced with higher fees, and until its nonce is checked for loss. */
  readonly patienceMs: number
}

type TransactionMonitorDeps = Omit<NonceRepairDeps, 'store' | 'timing'> & {
  readonly store: NonceRepairDeps['store'] & Pick<Store, 'listOpenTransactions' | 'settleTransaction'>
  readonly timing: TransactionTiming
}

/** Nodes keep few transactions per sender, and one behind an open nonce cannot be mined anyway. */
const FOLLOWED = 64
const MAXIMUM_SIGNATURES = 9

/** The receipt of the signature that was mined; of a call mined twice, the one that succeeded. */
const receiptOf = async (
  chain: EvmChain,
  { txHash, earlierTxHashes }: StoredTransaction,
): Promise<EvmReceipt | undefined> => {
  const receipts = await Promise.all([txHash, ...earlierTxHashes].map(chain.receipt))
  const mined = receipts.filter((receipt) => receipt !== undefined)
  return mined.find(({ succeeded }) => succeeded) ?? mined[0]
}

/** Rejects with the node's reason if it refuses the transaction. */
const createSend =
  (chain: EvmChain) =>
  async (rawTransaction: string): Promise<void> => {
    const sent = await chain.sendRawTransaction(rawTransaction)
    if (sent !== 'taken') throw new OutboxError('REFUSED', `refused: ${sent.refused}`)
  }

/**
 * Settles a transaction whose nonce was used by one signed elsewhere. Proven only by a quorum of endpoints that
 * count the nonce as used in final blocks and know none of our signatures.
 */
const createReplacedCheck =
  ({ store, chain, signer, log }: TransactionMonitorDeps) =>
  async (transaction: StoredTransaction, head: EvmHead): Promise<boolean> => {
    const { key, txHash, earlierTxHashes, nonce } = transaction
    const signatures = { sender: signer.sender, nonce, txHashes: [txHash, ...earlierTxHashes] }
    if (!(await chain.isReplaced(signatures, head.finalNumber))) return false
    const isSettled = await store.settleTransaction(transaction, { outcome: 'replaced', txHash })
    if (isSettled) log('error', 'nonce_used_elsewhere', { chainId: chain.chainId, key, nonce })
    return true
  }

/** Signs a transaction again if its fees are outdated; returns what to broadcast. */
const createReprice =
  ({ store, signer, now, chain, log }: TransactionMonitorDeps) =>
  async (transaction: StoredTransaction, head: EvmHead): Promise<StoredTransaction> => {
    const { key, txHash, earlierTxHashes, rawTransaction, nonce } = transaction
    if (earlierTxHashes.length + 1 >= MAXIMUM_SIGNATURES) return transaction
    const fees = replacementFees(feesOf(rawTransaction), head)
    if (fees === undefined) return transaction
    const next = { ...(await signer.signAgain(rawTransaction, nonce, fees)), nonce, signedAt: now() }
    if (!(await store.resignTransaction(transaction, next))) return transaction
    log('info', 'transaction_replaced', { chainId: chain.chainId, key, txHash: next.txHash })
    return { ...transaction, ...next, earlierTxHashes: [...earlierTxHashes, txHash] }
  }

/** Monitors the open transactions of one sender on one chain: broadcasts them and determines their outcome. */
export const createTransactionMonitor = (deps: TransactionMonitorDeps) => {
  const { store, chain, signer, timing, now, log } = deps
  const { chainId } = chain
  const broadcaster = createBroadcaster({ ...timing, chainId, send: createSend(chain), now, log })
  const settledAsReplaced = createReplacedCheck(deps)
  const reprice = createReprice(deps)
  const nonces = createNonceRepair(deps)

  const follow = async (transaction: StoredTransaction, head: EvmHead): Promise<void> => {
    const receipt = await receiptOf(chain, transaction)
    if (receipt?.final === true) {
      const outcome = receipt.succeeded ? 'succeeded' : 'reverted'
      await store.settleTransaction(transaction, { outcome, txHash: receipt.txHash })
    }
    if (receipt !== undefined) return
    const isOld = now() - transaction.signedAt >= timing.patienceMs
    if (isOld && (await settledAsReplaced(transaction, head))) return
    await broadcaster.rebroadcast(isOld ? await reprice(transaction, head) : transaction)
  }

  const round = async (): Promise<void> => {
    const open = await store.listOpenTransactions(chainId, signer.sender)
    broadcaster.keepOnly([...open, ...nonces.fillers()])
    const head = chain.head()
    if (head === undefined) return
    await Promise.all(
      open
        .slice(0, FOLLOWED)
        .map((transaction) =>
          follow(transaction, head).catch((error: unknown) =>
            log('warn', 'transaction_monitor_failed', { chainId, key: transaction.key, error }),
          ),
        ),
    )
    await nonces
      .repair(open, head)
      .catch((error: unknown) => log('warn', 'nonce_comparison_failed', { chainId, error }))
    await Promise.all(nonces.fillers().map(broadcaster.rebroadcast))
  }

  return { broadcast: broadcaster.broadcast, round }
}
