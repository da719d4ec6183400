import type { EvmChain, EvmHead } from '../chains/evm/evm-chain.ts'
import { replacementFees } from '../chains/evm/gas.ts'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import type { Store, StoredTransaction } from '../store/store.ts'
import { feesOf, hashOfSigned, type Signer } from './signer.ts'

/** What repairing the nonces of one sender on one chain needs. */
export type NonceRepairDeps = {
  readonly store: Pick<
    Store,
    'addTransaction' | 'resignTransaction' | 'reopenTransaction' | 'findTransactionAt' | 'freeNonce'
  >
  readonly chain: EvmChain
  readonly signer: Signer
  readonly timing: { readonly patienceMs: number }
  readonly now: () => Instant
  readonly log: Log
}

/** Lets the chain reach the nonces of all open transactions, and notices when it lost final ones. */
type NonceRepair = {
  /** Rejects if the chain or the store cannot be read. */
  readonly repair: (open: readonly StoredTransaction[], head: EvmHead) => Promise<void>
  /** Empty transactions that are not stored, to be sent until the chain counts their nonces. */
  readonly fillers: () => readonly Filler[]
}

type Filler = Pick<StoredTransaction, 'key' | 'nonce' | 'txHash' | 'rawTransaction'>

/** Limit of open transactions of one sender, and thereby of how far a nonce can be ahead of the mined ones. */
export const MAXIMUM_OPEN = 256
const TRANSFER_GAS = 21_000n
/** Patiences between two comparisons of an account without open transactions. */
const IDLE_PATIENCES = 4
/** A chain that lost older transactions is another one with the same id. */
const LONGEST_REORG_MS = 86_400_000

/**
 * Signs transactions again, under lower free nonces, whose nonces are further ahead of the mined ones than open
 * transactions can be: endpoints made up a count, and the chain would never reach those nonces. Without a lower one the chain
 * lost the transactions in between, and reaches the nonce once it has them again: under a higher one the call could be made twice.
 */
const createRenumber =
  ({ store, signer, now, chain, log }: NonceRepairDeps) =>
  async (open: readonly StoredTransaction[], counted: number, head: EvmHead): Promise<void> => {
    for (const transaction of open) {
      const { key, nonce: parkedAt, rawTransaction } = transaction
      if (parkedAt <= counted + MAXIMUM_OPEN) continue
      const nonce = await store.freeNonce(chain.chainId, signer.sender, counted)
      if (nonce >= parkedAt) continue
      const next = {
        ...(await signer.signAgain(rawTransaction, nonce, head)),
        nonce,
        signedAt: now(),
      }
      if (!(await store.resignTransaction(transaction, next))) continue
      log('warn', 'transaction_renumbered', { chainId: chain.chainId, key, parkedAt, nonce })
    }
  }

/** Empty transfers to ourselves for nonces whose transactions had no effect before the chain lost them. */
const createFillers = ({ signer, chain, log }: NonceRepairDeps) => {
  const fillers = new Map<number, Filler>()
  return {
    all: (): readonly Filler[] => [...fillers.values()],
    dropBelow: (counted: number): void => {
      for (const nonce of fillers.keys()) if (nonce < counted) fillers.delete(nonce)
    },
    fill: async (key: string, nonce: number, head: EvmHead): Promise<void> => {
      const known = fillers.get(nonce)
      const fees = known === undefined ? head : replacementFees(feesOf(known.rawTransaction), head)
      if (fees === undefined) return
      const call = emptyCall(signer.sender)
      const signed =
        known === undefined
          ? await signer.sign(call, nonce, head)
          : await signer.signAgain(known.rawTransaction, nonce, fees)
      fillers.set(nonce, { key, nonce, ...signed })
      if (known === undefined)
        log('warn', 'unused_nonce_filled', { chainId: chain.chainId, sender: signer.sender, nonce })
    },
  }
}

const emptyCall = (to: string) => ({ to, data: '0x', value: 0n, gasLimit: TRANSFER_GAS })

/**
 * Gives the chain a transaction for a nonce that it waits for and no open transaction has. The nonce of a final transaction
 * is free again when a reorg went deeper than finality: a call that succeeded is opened again, and so sent until it is final
 * once more; instead of one that had no effect an empty transfer is sent, because its call may have been repeated. A nonce that
 * was never used appears when a node counted a transaction and then forgot it.
 */
const createRegain = (
  { store, chain, signer, now, log }: NonceRepairDeps,
  fillers: ReturnType<typeof createFillers>,
) => {
  const { chainId } = chain
  const { sender } = signer
  let reported: number | undefined

  const addEmpty = async (key: string, nonce: number, head: EvmHead): Promise<void> => {
    const isAdded = await store.addTransaction({
      ...(await signer.sign(emptyCall(sender), nonce, head)),
      ...{ key, chainId, sender, nonce, earlierTxHashes: [], signedAt: now(), outcome: 'open' },
    })
    if (isAdded) log('warn', 'unused_nonce_filled', { chainId, sender, nonce })
  }

  /** Whether a quorum of endpoints no longer has the transaction; asks them again, as final receipts are cached. */
  const isGone = async ({ txHash, earlierTxHashes }: StoredTransaction): Promise<boolean> => {
    const receipts = await Promise.all([txHash, ...earlierTxHashes].map(chain.agreedReceipt))
    return receipts.every((receipt) => receipt === undefined)
  }

  return async (nonce: number, head: EvmHead): Promise<void> => {
    const settled = await store.findTransactionAt(chainId, sender, nonce)
    const gapKey = `gap:${chainId}:${sender}:${nonce}`
    if (settled === undefined) return addEmpty(gapKey, nonce, head)
    if (settled.outcome === 'open') return
    const { key, outcome, txHash } = settled
    if (now() - settled.signedAt > LONGEST_REORG_MS || !(await isGone(settled))) {
      if (reported !== nonce) log('error', 'nonce_below_final', { chainId, sender, nonce, key })
      reported = nonce
    } else if (outcome !== 'succeeded') await fillers.fill(gapKey, nonce, head)
    else if (await store.reopenTransaction(settled, hashOfSigned(settled.rawTransaction)))
      log('error', 'final_transaction_lost', { chainId, sender, nonce, key, txHash })
  }
}

/** Creates the repair of one sender's nonces on one chain; it compares them when transactions are old, and seldom without any. */
export const createNonceRepair = (deps: NonceRepairDeps): NonceRepair => {
  const { store, chain, signer, timing, now } = deps
  const { patienceMs } = timing
  const renumber = createRenumber(deps)
  const fillers = createFillers(deps)
  const regain = createRegain(deps, fillers)
  let comparedAt = now()
  /** The nonce that the chain waits for and no open transaction has, and since when: endpoints may only be late. */
  let missing: { readonly nonce: number; readonly since: Instant } | undefined

  /** The nonce below which the chain waits for transactions that are not open. */
  const endOfMissing = async (lowest: StoredTransaction | undefined, counted: number): Promise<number> => {
    if (lowest === undefined || lowest.nonce > counted + MAXIMUM_OPEN)
      return store.freeNonce(chain.chainId, signer.sender, counted)
    return now() - lowest.signedAt >= patienceMs ? lowest.nonce : counted
  }

  return {
    fillers: fillers.all,
    repair: async (open, head) => {
      const old = open.filter(({ signedAt }) => now() - signedAt >= patienceMs)
      const isIdle = open.length === 0 && missing === undefined
      if (isIdle ? now() - comparedAt < IDLE_PATIENCES * patienceMs : old.length === 0 && open.length > 0)
        return
      comparedAt = now()
      const counted = await chain.transactionCount(signer.sender)
      fillers.dropBelow(counted)
      await renumber(old, counted, head)
      const end = Math.min(await endOfMissing(open[0], counted), counted + MAXIMUM_OPEN)
      if (end <= counted) missing = undefined
      else if (missing?.nonce !== counted) missing = { nonce: counted, since: now() }
      else if (now() - missing.since >= patienceMs)
        for (let nonce = counted; nonce < end; nonce += 1) await regain(nonce, head)
    },
  }
}
