import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import type { OutcomeVote } from '../agreed-outcome.ts'
import { createOutcomeReader } from '../outcome-reader.ts'
import type { PaymentChain, PayoutOutcome } from '../payment-chain.ts'
import { askFor } from '../rpc/ask-for.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { FoundTransaction, SentTransaction } from './rpc-answers.ts'
import { loadStellarSdk } from './sdk.ts'
import { parseSigned, type SignedPayment } from './signed-text.ts'

type Deps = {
  readonly chainId: ChainId
  readonly pool: RpcPool
  readonly deadlineMs: number
  readonly log: Log
}

/** `refused`: the node looked at the transaction and will not take it; only the ledger decides its outcome. */
type Sent = 'taken' | { readonly refused: { readonly resultXdr: string | undefined } }

const send = async (ask: RpcAsk, envelopeXdr: string): Promise<Sent> => {
  const { status, errorResultXdr } = await askFor(
    ask,
    { method: 'sendTransaction', params: { transaction: envelopeXdr } },
    SentTransaction,
  )
  if (status === 'TRY_AGAIN_LATER') throw new RpcError('NODE_BUSY', 'the node takes no more transactions now')
  return status === 'ERROR' ? { refused: { resultXdr: errorResultXdr } } : 'taken'
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
    const refusals: { readonly resultXdr: string | undefined }[] = []
    // A refusal is no failure of the endpoint.
    const taken = pool
      .workEach((ask) => send(ask, envelopeXdr), deadlineMs)
      .map(async (answer) => {
        const sent = await answer
        if (sent === 'taken') return
        refusals.push(sent.refused)
        throw new RpcError('REFUSED', 'the node does not take the transaction')
      })
    try {
      await Promise.any(taken)
    } catch (cause) {
      const [refused] = refusals
      if (refused === undefined)
        throw new RpcError('NO_ANSWER', `no endpoint of ${chainId} took a transaction`, { cause })
      log('info', 'payout_rejected', { chainId, result: await resultName(refused.resultXdr) })
    }
  }

/** Whether a node that does not know the payment would know it if it had been included or still could be. */
const provesExpiry = (answer: FoundTransaction, signed: SignedPayment): boolean =>
  answer.latestLedgerCloseTime > signed.maxTimeSeconds &&
  answer.oldestLedgerCloseTime <= signed.signedAfterSeconds

const outcomeAt = async (ask: RpcAsk, txHash: string, signed: SignedPayment): Promise<OutcomeVote> => {
  const look = async (): Promise<FoundTransaction> => {
    const found = await askFor(ask, { method: 'getTransaction', params: { hash: txHash } }, FoundTransaction)
    ask.checkTime(found.latestLedgerCloseTime)
    return found
  }
  const settled = ({ status }: FoundTransaction): PayoutOutcome | undefined => {
    if (status === 'NOT_FOUND') return undefined
    return status === 'SUCCESS' ? 'succeeded' : 'failed'
  }
  const first = await look()
  const known = settled(first)
  if (known !== undefined || !provesExpiry(first, signed)) return known ?? 'unknown'
  // A node looks up the transaction before it reads its latest ledger: only a second lookup is surely late enough.
  const second = await look()
  return settled(second) ?? (provesExpiry(second, signed) ? 'expired' : 'unknown')
}

/** How far our clock may have been ahead of the ledger's when a payment was signed. */
const CLOCK_MARGIN_SECONDS = 3_600

/** An endpoint may have told too old a ledger for the time of signing, which no node retains; our clock limits that. */
const notSignedBefore = (signed: SignedPayment, signedAt: Instant | undefined): SignedPayment =>
  signedAt === undefined
    ? signed
    : {
        ...signed,
        signedAfterSeconds: Math.max(
          signed.signedAfterSeconds,
          Math.floor(signedAt / 1000) - CLOCK_MARGIN_SECONDS,
        ),
      }

/**
 * Determines the outcome of a signed payment by agreement; rejects if no endpoint answers. A payment older than the
 * nodes' retention stays pending, since nothing proves its end.
 */
export const createOutcome = (deps: Pick<Deps, 'pool' | 'deadlineMs'>): PaymentChain['outcome'] => {
  const read = createOutcomeReader(deps)
  return async ({ txHash, rawTransaction, signedAt }) => {
    const signed = notSignedBefore(parseSigned(rawTransaction), signedAt)
    return read(txHash, (ask) => outcomeAt(ask, txHash, signed))
  }
}
