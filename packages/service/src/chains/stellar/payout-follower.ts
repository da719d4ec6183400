import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import { createOutcomeReader } from '../outcome-reader.ts'
import type { PaymentChain } from '../payment-chain.ts'
import { askFor } from '../rpc/ask-for.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { endAt, sequencedOf } from './payout-end.ts'
import { SentTransaction } from './rpc-answers.ts'
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

/** How far our clock may have been ahead of the ledger's when a payment was signed. */
const CLOCK_MARGIN_SECONDS = 3_600

/**
 * An endpoint may have told too old a ledger for the time of signing, which no node retains, or one of the future, which every
 * node does; our clock limits both.
 */
const signedAbout = (signed: SignedPayment, signedAt: Instant | undefined): SignedPayment => {
  if (signedAt === undefined) return signed
  const latest = Math.floor(signedAt / 1000)
  const after = Math.max(signed.signedAfterSeconds, latest - CLOCK_MARGIN_SECONDS)
  return { ...signed, signedAfterSeconds: Math.min(after, latest) }
}

/**
 * Determines the outcome of a signed payment by agreement; rejects if no endpoint answers. A payment whose sequence number
 * was used in a ledger that the nodes no longer retain stays pending, since nothing proves what used it.
 */
export const createOutcome = (deps: Pick<Deps, 'pool' | 'deadlineMs'>): PaymentChain['outcome'] => {
  const read = createOutcomeReader(deps)
  return async ({ txHash, rawTransaction, signedAt }) => {
    const sdk = await loadStellarSdk()
    const payment = sequencedOf(sdk, txHash, signedAbout(parseSigned(rawTransaction), signedAt))
    return read(txHash, (ask) => endAt(sdk, ask, payment))
  }
}
