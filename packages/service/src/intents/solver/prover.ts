import type { ChainId } from '@openrfq/sdk'
import { keccak256, stringToHex } from 'viem/utils'
import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import { messageGasFee } from '../../protocols/axelar/gas-fee.ts'
import type { Axelarscan } from '../../protocols/axelar/gmp.ts'
import type { Store } from '../../store/store.ts'
import type { TransactionOutbox } from '../../transactions/transaction-outbox.ts'
import { proveCall } from '../settlers/settler-contract.ts'
import type { SolverChain } from './assets.ts'
import type { Settlement } from './config.ts'
import type { TransactionState } from './decision.ts'
import { createEarlierProofs, PROOF_KEY_PREFIX } from './earlier-proofs.ts'
import type { OrderTracker } from './order-tracker.ts'
import { batchesDue, type ProofBatch, type ProvableFill } from './proof-batch.ts'
import type { TransactionStates } from './transaction-states.ts'

type ProverDeps = {
  readonly chains: ReadonlyMap<ChainId, SolverChain>
  readonly outboxes: ReadonlyMap<ChainId, TransactionOutbox>
  readonly store: Pick<Store, 'listOpenTransactions'>
  readonly states: TransactionStates
  readonly tracker: Pick<OrderTracker, 'orders' | 'find'>
  readonly axelarscan: Pick<Axelarscan, 'hopFees'>
  readonly gasMarginBps: number
  readonly settlement: Settlement
  readonly isCurrent: (chainId: ChainId) => boolean
  /** The newest final block whose events are tracked. */
  readonly readUpTo: (chainId: ChainId) => bigint
  readonly now: () => Instant
  readonly log: Log
}

/** Proves fills to their origin chains, which repay them. */
export type Prover = {
  /** Sends the proofs that are due; rejects only if the store fails. */
  readonly round: () => Promise<void>
}

const PROOF_BASE_GAS = 200_000n
const PROOF_ORDER_GAS = 60_000n
/** A reverting proof indicates a problem with the chain or the account; attempts are limited. */
const MAX_ATTEMPTS = 8

/** The outbox key of a proof: the same orders in the same round have the same key after a restart. */
const proofKey = ({ fills, round }: ProofBatch, attempt: number): string => {
  const orderIds = fills.map(({ orderId }) => orderId).toSorted()
  return `${PROOF_KEY_PREFIX}${round}.${attempt}:${keccak256(stringToHex(orderIds.join()))}`
}

/** Sent proofs that the chain does not show yet. */
type SentProof = { readonly key: string; readonly round: number; readonly sentAt: Instant }

/** The fee in wei for relaying and executing the proof on the origin chain, margin included. */
const relayFee = async (
  { chains, settlement, axelarscan, gasMarginBps }: ProverDeps,
  { fills, originChain, destinationChain }: ProofBatch,
): Promise<bigint> => {
  const from = chains.get(destinationChain)
  const to = chains.get(originChain)
  if (from === undefined || to === undefined) throw new Error(`no way to ${originChain}`)
  const wanted = settlement.proofGas + settlement.proofGasPerOrder * fills.length
  const hop = await axelarscan.hopFees(from.axelarName, to.axelarName)
  return messageGasFee(hop, BigInt(Math.max(wanted, to.executeGasLimit)), gasMarginBps)
}

/** Collects final fills into batches and proves each order once, and again only if its proof has stalled. */
export const createProver = (deps: ProverDeps): Prover => {
  const { outboxes, states, tracker, settlement, isCurrent, now, log } = deps
  const sent = new Map<OrderId, SentProof>()
  const mayHaveEarlierProofs = createEarlierProofs(deps)

  /** Drops reverted proofs, and mined ones once the chain shows them as a round. */
  const dropOver = async (): Promise<void> => {
    for (const [orderId, proof] of sent) {
      const entry = tracker.find(orderId)
      const isOver = entry === undefined || entry.proofs > proof.round
      if (isOver || (await states.lookUpTransaction(proof.key)) === 'reverted') sent.delete(orderId)
    }
  }

  const provable = (held: ReadonlySet<ChainId>): readonly ProvableFill[] =>
    tracker.orders().flatMap(({ orderId, order, filled, proofs, provedAt }) => {
      const { originChain, destinationChain } = order
      if (filled?.isFinal !== true || held.has(destinationChain) || sent.has(orderId)) return []
      if (!isCurrent(originChain) || !isCurrent(destinationChain)) return []
      return [{ orderId, order, filledAt: filled.noticedAt, proofs, provedAt }]
    })

  /** The first attempt that has not reverted. */
  const currentKey = async (batch: ProofBatch): Promise<readonly [string, TransactionState] | undefined> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const key = proofKey(batch, attempt)
      const state = await states.lookUpTransaction(key)
      if (state !== 'reverted') return [key, state]
    }
    return undefined
  }

  const prove = async (batch: ProofBatch): Promise<void> => {
    const chainId = batch.destinationChain
    const chain = deps.chains.get(chainId)
    const outbox = outboxes.get(chainId)
    const current = await currentKey(batch)
    if (current === undefined || chain === undefined || outbox === undefined) return
    const [key, state] = current
    if (state === 'none') {
      const { data, value } = proveCall(
        batch.fills.map(({ order }) => order),
        await relayFee(deps, batch),
      )
      const gasLimit = PROOF_BASE_GAS + PROOF_ORDER_GAS * BigInt(batch.fills.length)
      const entry = await outbox.submit({ key, to: chain.settler, data, value, gasLimit })
      states.note(entry)
      log('info', 'proof_signed', {
        chainId,
        orders: batch.fills.length,
        relayFee: value,
        txHash: entry.txHash,
      })
    }
    for (const { orderId } of batch.fills) sent.set(orderId, { key, round: batch.round, sentAt: now() })
  }

  return {
    round: async () => {
      await dropOver()
      const held = new Set<ChainId>()
      for (const chainId of deps.chains.keys()) if (await mayHaveEarlierProofs(chainId)) held.add(chainId)
      for (const batch of batchesDue(provable(held), settlement, now())) {
        try {
          await prove(batch)
        } catch (error) {
          const { originChain, destinationChain } = batch
          log('warn', 'proof_failed', { originChain, destinationChain, error })
        }
      }
    },
  }
}
