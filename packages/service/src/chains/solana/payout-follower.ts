import type { OutcomeVote } from '../agreed-outcome.ts'
import { createOutcomeReader } from '../outcome-reader.ts'
import type { PaymentChain } from '../payment-chain.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { parseRawPayout, type RawPayout } from './raw-payout.ts'
import { EpochInfo, IsBlockhashValid, SignatureStatuses, U64 } from './rpc-answers.ts'

type Deps = { readonly pool: RpcPool; readonly deadlineMs: number }

const MAX_REFUSAL_CHARACTERS = 200
const KNOWN_ALREADY = /already ?(been )?(processed|known)/i

const expectTaken = (answer: RpcAnswer): void => {
  if (answer.ok || KNOWN_ALREADY.test(answer.message)) return
  throw new RpcError('REFUSED', `node refused a payment: ${answer.message.slice(0, MAX_REFUSAL_CHARACTERS)}`)
}

/** Sends a signed payment to all endpoints at once; resolves when one accepts it. */
export const createBroadcast =
  ({ pool, deadlineMs }: Deps): PaymentChain['broadcast'] =>
  async (rawTransaction) => {
    const { transaction } = parseRawPayout(rawTransaction)
    const call = {
      method: 'sendTransaction',
      params: [transaction, { encoding: 'base64', skipPreflight: true, maxRetries: 0 }],
    }
    try {
      await Promise.any(pool.askEach(call, deadlineMs).map(async (answer) => expectTaken(await answer)))
    } catch (error) {
      const [cause] = error instanceof AggregateError ? error.errors : [error]
      throw new RpcError('NO_ANSWER', 'no endpoint took a payment', { cause })
    }
  }

/** The node's status of a signature, and its slot; `unknown` if the node has never seen it. */
const statusOf = async (
  ask: RpcAsk,
  signature: string,
): Promise<{ readonly slot: bigint; readonly status: OutcomeVote }> => {
  const [answer] = await ask([
    { method: 'getSignatureStatuses', params: [[signature], { searchTransactionHistory: true }] },
  ])
  const { context, value } = expectResult(answer, SignatureStatuses)
  const [found] = value
  if (found === undefined) throw new RpcError('MALFORMED', 'no status')
  if (found === null) return { slot: context.slot, status: 'unknown' }
  if (found.confirmationStatus !== 'finalized') return { slot: context.slot, status: 'pending' }
  return { slot: context.slot, status: found.err === null ? 'succeeded' : 'failed' }
}

/**
 * The final slot once every block that could include the payment is final; undefined before. The endpoint must also call
 * the blockhash invalid by itself, in case that a quorum told a height that was too low when the payment was signed.
 */
const finalSlotPast = async (ask: RpcAsk, payout: RawPayout): Promise<bigint | undefined> => {
  const { blockhash } = payout
  const [epoch, first, ...validities] = await ask([
    { method: 'getEpochInfo', params: [{ commitment: 'finalized' }] },
    { method: 'getFirstAvailableBlock', params: [] },
    ...(blockhash === undefined
      ? []
      : ['finalized', 'processed'].map((commitment) => ({
          method: 'isBlockhashValid',
          params: [blockhash, { commitment }],
        }))),
  ])
  const { absoluteSlot, blockHeight } = expectResult(epoch, EpochInfo)
  if (blockHeight <= payout.lastValidBlockHeight) return undefined
  if (validities.some((answer) => expectResult(answer, IsBlockhashValid).value)) return undefined
  const firstSlot = expectResult(first, U64)
  if (firstSlot > payout.signedAtSlot)
    throw new RpcError(
      'NODE_PRUNED',
      `the node knows slots from ${firstSlot}, the payment was signed at ${payout.signedAtSlot}`,
    )
  return absoluteSlot
}

/** One node's proof. The payment is read again after the node has shown that it can no longer land. */
const judge = async (ask: RpcAsk, signature: string, payout: RawPayout): Promise<OutcomeVote> => {
  const before = await statusOf(ask, signature)
  if (before.status !== 'unknown') return before.status
  const finalSlot = await finalSlotPast(ask, payout)
  if (finalSlot === undefined) return 'unknown'
  const after = await statusOf(ask, signature)
  if (after.slot < finalSlot) throw new RpcError('NODE_BEHIND', `node is behind, at slot ${after.slot}`)
  return after.status === 'unknown' ? 'expired' : after.status
}

/** Determines the outcome of a signed payment from final state only, by agreement. Rejects if no endpoint can tell. */
export const createOutcome = (deps: Deps): PaymentChain['outcome'] => {
  const read = createOutcomeReader(deps)
  return async ({ txHash, rawTransaction }) => {
    const payout = parseRawPayout(rawTransaction)
    return read(txHash, (ask) => judge(ask, txHash, payout))
  }
}
