import type { EvmChain, EvmHead, EvmReceipt } from '../chains/evm/evm-chain.ts'
import { replacementFees } from '../chains/evm/gas.ts'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import type { Store, StoredTransaction } from '../store/store.ts'
import { createBroadcaster } from './broadcaster.ts'
import { OutboxError } from './outbox-error.ts'
import { feesOf, type Signer } from './signer.ts'

/** Intervals of a transaction outbox, in milliseconds. */
export type TransactionTiming = {
  /** Between two rounds over the open transactions. */
  readonly roundMs: number
  /** Between two broadcasts of one unmined transaction. */
  readonly rebroadcastMs: number
  /** From a signature until it may be replaced with higher fees, and until its nonce is checked for loss. */
  readonly patienceMs: number
}

type TransactionMonitorDeps = {
  readonly store: Pick<
    Store,
    'listOpenTransactions' | 'addTransaction' | 'resignTransaction' | 'settleTransaction' | 'freeNonce'
  >
  readonly chain: EvmChain
  readonly signer: Signer
  readonly timing: TransactionTiming
  readonly now: () => Instant
  readonly log: Log
}

/** Limit of open transactions of one sender, and thereby of how far a nonce can be ahead of the mined ones. */
export const MAXIMUM_OPEN = 256
/** Nodes keep few transactions per sender, and one behind an open nonce cannot be mined anyway. */
const FOLLOWED = 64
const MAXIMUM_SIGNATURES = 9
const TRANSFER_GAS = 21_000n

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

/**
 * Fills the lowest nonce that the chain waits for and no open transaction has, with an empty transfer to ourselves: the
 * transactions behind the gap could never be mined. A gap appears when a node counted a transaction and then forgot it.
 */
const createGapFiller = ({ store, chain, signer, now, log }: TransactionMonitorDeps) => {
  const { chainId } = chain
  const { sender } = signer
  let unfillable: number | undefined
  return async (nonce: number, lowest: StoredTransaction, head: EvmHead): Promise<void> => {
    if (nonce >= lowest.nonce || nonce === unfillable) return
    const call = { to: sender, data: '0x', value: 0n, gasLimit: TRANSFER_GAS }
    const isFilled = await store.addTransaction({
      ...(await signer.sign(call, nonce, head)),
      key: `gap:${chainId}:${sender}:${nonce}`,
      chainId,
      sender,
      nonce,
      earlierTxHashes: [],
      signedAt: now(),
      outcome: 'open',
    })
    unfillable = isFilled ? undefined : nonce
    if (isFilled) log('warn', 'unused_nonce_filled', { chainId, sender, nonce })
    else
      log('error', 'nonce_below_final', {
        chainId,
        sender,
        nonce,
      })
  }
}

/**
 * Signs transactions again, under the lowest free nonces, whose nonces are further ahead of the mined ones than open
 * transactions can be: endpoints made up a count, and the chain would never reach those nonces.
 */
const createRenumber =
  ({ store, signer, now, chain, log }: TransactionMonitorDeps) =>
  async (open: readonly StoredTransaction[], counted: number, head: EvmHead): Promise<void> => {
    for (const transaction of open) {
      const { key, nonce: parkedAt, rawTransaction } = transaction
      if (parkedAt <= counted + MAXIMUM_OPEN) continue
      const nonce = await store.freeNonce(chain.chainId, signer.sender, counted)
      const next = {
        ...(await signer.signAgain(rawTransaction, nonce, head)),
        nonce,
        signedAt: now(),
      }
      if (!(await store.resignTransaction(transaction, next))) continue
      log('warn', 'transaction_renumbered', { chainId: chain.chainId, key, parkedAt, nonce })
    }
  }

/** Monitors the open transactions of one sender on one chain: broadcasts them and determines their outcome. */
export const createTransactionMonitor = (deps: TransactionMonitorDeps) => {
  const { store, chain, signer, timing, now, log } = deps
  const { chainId } = chain
  const broadcaster = createBroadcaster({ ...timing, chainId, send: createSend(chain), now, log })
  const settledAsReplaced = createReplacedCheck(deps)
  const reprice = createReprice(deps)
  const fillGap = createGapFiller(deps)
  const renumber = createRenumber(deps)

  /** Lets the chain reach the nonces of all open transactions. */
  const mendNonces = async (open: readonly StoredTransaction[], head: EvmHead): Promise<void> => {
    const old = open.filter(({ signedAt }) => now() - signedAt >= timing.patienceMs)
    const [lowest] = open
    if (lowest === undefined || old.length === 0) return
    const counted = await chain.transactionCount(signer.sender)
    await renumber(old, counted, head)
    if (old.includes(lowest) && lowest.nonce <= counted + MAXIMUM_OPEN) await fillGap(counted, lowest, head)
  }

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
    broadcaster.keepOnly(open)
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
    await mendNonces(open, head).catch((error: unknown) =>
      log('warn', 'nonce_comparison_failed', { chainId, error }),
    )
  }

  return { broadcast: broadcaster.broadcast, round }
}
