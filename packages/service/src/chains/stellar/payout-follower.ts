import type { ChainId } from '@openrfq/sdk'
import type { Log } from '../../lib/log.ts'
import type { PaymentChain, PayoutOutcome, SignedPayout } from '../payment-chain.ts'
import { FoundTransaction, SentTransaction } from './rpc-answers.ts'
import type { Ask } from './rpc-endpoint.ts'
import { NodeFallsShort, type StellarPool } from './rpc-pool.ts'
import { loadStellarSdk } from './sdk.ts'
import { parseSigned, type SignedPayment } from './signed-text.ts'

type Deps = {
  readonly chainId: ChainId
  readonly pool: StellarPool
  readonly deadlineMs: number
  readonly log: Log
}

/** A node rejected the transaction; only the ledger decides its outcome. */
class NotTaken extends Error {
  readonly resultXdr: string | undefined
  constructor(resultXdr: string | undefined) {
    super('transaction not taken')
    this.name = 'NotTaken'
    this.resultXdr = resultXdr
  }
}

const send = async (ask: Ask, envelopeXdr: string): Promise<void> => {
  const { status, errorResultXdr } = await ask(
    'sendTransaction',
    { transaction: envelopeXdr },
    SentTransaction,
  )
  if (status === 'TRY_AGAIN_LATER') throw new NodeFallsShort('the node takes no more transactions now')
  if (status === 'ERROR') throw new NotTaken(errorResultXdr)
}

const resultName = async (resultXdr: string | undefined): Promise<string> => {
  if (resultXdr === undefined) return 'unknown'
  const { xdr } = await loadStellarSdk()
  return xdr.TransactionResult.fromXdr(resultXdr, 'base64').result.type
}

/**
 * Sends a signed payment to all endpoints. Resolves when one has accepted or known it, or has said why it cannot be
 * included: the outcome reader handles a used sequence number or an expired time bound. Rejects if all are silent or
 * busy.
 */
export const createBroadcast =
  ({ chainId, pool, deadlineMs, log }: Deps): PaymentChain['broadcast'] =>
  async (rawTransaction) => {
    const { envelopeXdr } = parseSigned(rawTransaction)
    // A rejection is not a failure of the endpoint.
    const answers = pool.each(
      (ask) =>
        send(ask, envelopeXdr).catch((error) => (error instanceof NotTaken ? error : Promise.reject(error))),
      deadlineMs,
    )
    const refused: NotTaken[] = []
    const taken = answers.map(async (answer) => {
      const refusal = await answer
      if (refusal === undefined) return
      refused.push(refusal)
      throw refusal
    })
    try {
      await Promise.any(taken)
    } catch (cause) {
      const [refusal] = refused
      if (refusal === undefined) throw new Error(`no endpoint of ${chainId} took a transaction`, { cause })
      log('info', 'payout rejected', { chainId, result: await resultName(refusal.resultXdr) })
    }
  }

/** Whether a node that does not know the payment would know it if it had been included or still could be. */
const provesExpiry = (answer: FoundTransaction, signed: SignedPayment): boolean =>
  answer.latestLedgerCloseTime > signed.maxTimeSeconds &&
  answer.oldestLedgerCloseTime <= signed.signedAfterSeconds

const outcomeAt = async (ask: Ask, txHash: string, signed: SignedPayment): Promise<PayoutOutcome> => {
  const look = (): Promise<FoundTransaction> => ask('getTransaction', { hash: txHash }, FoundTransaction)
  const settled = ({ status }: FoundTransaction): PayoutOutcome | undefined => {
    if (status === 'NOT_FOUND') return undefined
    return status === 'SUCCESS' ? 'succeeded' : 'failed'
  }
  const first = await look()
  const known = settled(first)
  if (known !== undefined || !provesExpiry(first, signed)) return known ?? 'pending'
  // A node looks up the transaction before it reads its latest ledger: only a second lookup is surely late enough.
  const second = await look()
  return settled(second) ?? (provesExpiry(second, signed) ? 'expired' : 'pending')
}

/**
 * Determines the outcome of a signed payment by a majority of endpoints: a wrong `failed` or `expired` would pay twice.
 * Without a majority it is pending; rejects if no endpoint answers. A payment older than the nodes' retention stays
 * pending, since nothing proves its end.
 */
export const createOutcome =
  ({ chainId, pool, deadlineMs }: Deps): PaymentChain['outcome'] =>
  async ({ txHash, rawTransaction }: SignedPayout) => {
    const signed = parseSigned(rawTransaction)
    const votes = await Promise.allSettled(pool.each((ask) => outcomeAt(ask, txHash, signed), deadlineMs))
    const given = votes.flatMap((vote) => (vote.status === 'fulfilled' ? [vote.value] : []))
    if (given.length === 0) throw new Error(`no endpoint of ${chainId} told what became of ${txHash}`)
    const ends = (['succeeded', 'failed', 'expired'] as const).filter(
      (outcome) => given.filter((vote) => vote === outcome).length * 2 > votes.length,
    )
    return ends[0] ?? 'pending'
  }
