import type { ChainId } from '@openrfq/sdk'
import type { OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import { findTransactionAttempts } from '../../transactions/attempts.ts'
import type { Fact, FactCheck } from '../../transactions/fact-check.ts'
import type { TransactionOutbox } from '../../transactions/transaction-outbox.ts'
import { releaseCall } from '../settlers/settler-contract.ts'
import type { AttestationSigner } from './attestation-signer.ts'
import type { OpenedOrder } from './fill-check.ts'

/** Whether a release must be waited for, has finally succeeded, or reverted too often. */
export type Progress = 'waiting' | 'released' | 'given up'

/** Repays the solver of an open order for its payment, through the transactions of the order's origin chain. */
export type Releaser = {
  readonly release: (known: OpenedOrder, payment: Payment) => Promise<Progress>
  /** Whether a release of the order has finally succeeded. */
  readonly hasReleased: (orderId: OrderId) => Promise<boolean>
}

type Deps = {
  readonly attest: AttestationSigner
  readonly outboxes: ReadonlyMap<ChainId, Pick<TransactionOutbox, 'submit'>>
  readonly store: Pick<Store, 'findTransaction'>
  readonly releaseGas: number
  readonly paidFact: (payment: Payment) => Fact
  readonly factCheck: Pick<FactCheck, 'allows'>
  readonly log: Log
}

/**
 * Sends one release at a time per order, while no endpoint denies the payment; the next one only after the last has finally failed and while the order is
 * open.
 */
export const createReleaser = (deps: Deps): Releaser => {
  const { attest, outboxes, store, releaseGas, paidFact, factCheck, log } = deps
  const attemptsAt = (orderId: OrderId) => findTransactionAttempts(store, `release:${orderId}`)
  const release: Releaser['release'] = async (known, payment) => {
    const { orderId, order } = known
    const { originChain: chainId, originSettler: to } = order
    const attempts = await attemptsAt(orderId)
    if (attempts.kind === 'open') return 'waiting'
    if (attempts.kind === 'succeeded') return 'released'
    if (attempts.kind === 'exhausted') {
      log('error', 'release_given_up', { chainId, orderId })
      return 'given up'
    }
    if (!(await factCheck.allows(attempts.key, [paidFact(payment)]))) return 'waiting'
    const outbox = outboxes.get(chainId)
    const attestation = outbox === undefined ? undefined : await attest(known, payment)
    if (outbox === undefined || attestation === undefined) return 'waiting'
    const call = releaseCall(order, attestation.transaction, attestation.signature)
    const { txHash } = await outbox.submit({ ...call, key: attempts.key, to, gasLimit: BigInt(releaseGas) })
    log('info', 'fill_attested', { chainId, orderId, paidBy: payment.txHash, txHash })
    return 'waiting'
  }
  return { release, hasReleased: async (orderId) => (await attemptsAt(orderId)).kind === 'succeeded' }
}
