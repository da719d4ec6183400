import type { ChainId } from '@openrfq/sdk'
import type { OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import type { Log } from '../../lib/log.ts'
import type { OutboxEntry, Store } from '../../store/store.ts'
import type { Outbox } from '../../transactions/outbox.ts'
import { releaseCall } from '../settlers/settler-contract.ts'
import type { AttestationSigner } from './attestation-signer.ts'
import type { OpenedOrder } from './fill-check.ts'

/** Whether a payment needs no more work, or must be looked at again. */
export type Progress = 'settled' | 'waiting'

/** Repays the solver of an open order for its payment, through the transactions of the order's origin chain. */
export type Releaser = (known: OpenedOrder, payment: Payment) => Promise<Progress>

type Deps = {
  readonly attest: AttestationSigner
  readonly outboxes: ReadonlyMap<ChainId, Pick<Outbox, 'submit'>>
  readonly store: Pick<Store, 'findOutboxEntry'>
  readonly releaseGas: number
  readonly log: Log
}

/** A reverted release costs gas; after this many reverts it will not succeed. */
const MAXIMUM_ATTEMPTS = 5

const keyOf = (orderId: OrderId, attempt: number): string =>
  attempt === 1 ? `release:${orderId}` : `release:${orderId}:${attempt}`

/** The key of the next attempt, or the outcome of the last one. */
const look = async (
  { store }: Deps,
  orderId: OrderId,
): Promise<
  { readonly key: string } | Exclude<OutboxEntry['outcome'], 'reverted' | 'displaced'> | 'failed'
> => {
  for (let attempt = 1; attempt <= MAXIMUM_ATTEMPTS; attempt += 1) {
    const key = keyOf(orderId, attempt)
    const entry = await store.findOutboxEntry(key)
    if (entry === undefined) return { key }
    if (entry.outcome === 'open' || entry.outcome === 'succeeded') return entry.outcome
  }
  return 'failed'
}

/**
 * Sends one release at a time per order; the next one only after the last has finally failed and while the order is
 * open.
 */
export const createReleaser = (deps: Deps): Releaser => {
  const { attest, outboxes, releaseGas, log } = deps
  return async (known, payment) => {
    const { orderId, order } = known
    const { originChain: chainId, originSettler: to } = order
    const state = await look(deps, orderId)
    if (state === 'open') return 'waiting'
    if (state === 'succeeded') return 'settled'
    if (state === 'failed') {
      log('error', 'release given up', { chainId, orderId, attempts: MAXIMUM_ATTEMPTS })
      return 'settled'
    }
    const outbox = outboxes.get(chainId)
    const attestation = outbox === undefined ? undefined : await attest(known, payment)
    if (outbox === undefined || attestation === undefined) return 'waiting'
    const call = releaseCall(order, attestation.transaction, attestation.signature)
    const { txHash } = await outbox.submit({ ...call, key: state.key, to, gasLimit: BigInt(releaseGas) })
    log('info', 'fill attested', { chainId, orderId, paidBy: payment.txHash, txHash })
    return 'waiting'
  }
}
