import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { REFUND_GAS, refundGas } from '../../intents/settlers/refund-trial.ts'
import { refundCall } from '../../intents/settlers/settler-contract.ts'
import { refundKey } from '../../intents/vault/obligations.ts'
import { findTransactionAttempts } from '../../transactions/attempts.ts'
import type { RecoveryCall, RefundCall } from '../backend.ts'
import { evmRecovery } from '../message-recovery.ts'
import { isFillOver } from './observe.ts'
import { programRefund } from './program-refund.ts'
import { type IntentTrackDeps, isOnPaymentChain, isVaultOrigin, quotedOrder, readEscrow } from './track.ts'

/** Opening the depositor's token account and searching addresses included. */
const REFUND_UNITS = 200_000

type RefundableOrder = { readonly orderId: OrderId; readonly order: IntentOrder }

/**
 * The order of a quote whose deposit anybody may refund: it is final, no fill can land any more, none is known, and the
 * origin chain's clock has passed `refundAfter`. Undefined for deposits in a vault, which the operator refunds. Rejects if a
 * chain cannot be read.
 */
const refundableOrder = async (
  deps: IntentTrackDeps,
  quote: QuoteRecord,
): Promise<RefundableOrder | undefined> => {
  const quoted = quotedOrder(quote)
  const { order } = quoted
  if (isVaultOrigin(deps, order)) return undefined
  const chain = deps.evmChains.get(quote.fromChain) ?? deps.paymentChains.get(quote.fromChain)
  const head = chain?.head()
  if (head === undefined || head.timestampSeconds <= order.refundAfter) return undefined
  const facts = await readEscrow(deps, quoted)
  const { opened, filled, released, refunded } = facts
  if (opened?.final !== true || filled !== undefined || released !== undefined || refunded !== undefined)
    return undefined
  return isFillOver(order, facts) ? quoted : undefined
}

/**
 * The refund call of an intent. Due for a refundable order whose refund is neither seen nor signed and succeeds now, unless an
 * endpoint reports a fill. Rejects if a chain cannot be read.
 */
export const dueRefund = async (
  deps: IntentTrackDeps,
  quote: QuoteRecord,
): Promise<RefundCall | undefined> => {
  const refundable = await refundableOrder(deps, quote)
  if (refundable === undefined) return undefined
  const { orderId, order } = refundable
  const { fromChain: chainId } = quote
  const facts = [deps.orderFacts.unfilled(orderId, order, quote.createdAt)]
  if (isOnPaymentChain(chainId)) {
    const key = refundKey(orderId)
    const instructionsBy = await programRefund(deps, refundable)
    if (instructionsBy === undefined || !(await deps.factCheck.allows(key, facts))) return undefined
    return { key, chainId, unitLimit: REFUND_UNITS, instructionsBy }
  }
  const attempts = await findTransactionAttempts(deps.store, refundKey(orderId))
  const evm = deps.evmChains.get(chainId)
  if (attempts.kind !== 'due' || evm === undefined) return undefined
  const gasLimit = await refundGas(evm, order)
  if (gasLimit === undefined) return undefined
  if (!(await deps.factCheck.allows(attempts.key, facts))) return undefined
  return {
    key: attempts.key,
    chainId,
    to: order.originSettler,
    data: refundCall(order).data,
    gasLimit,
  }
}

/**
 * The refund that anybody may sign, also while one of the keeper's is on its way: the order is refunded once. Rejects if a
 * chain cannot be read.
 */
export const intentRecoveries = async (
  deps: IntentTrackDeps,
  quote: QuoteRecord,
): Promise<readonly RecoveryCall[]> => {
  const refundable = await refundableOrder(deps, quote)
  if (refundable === undefined) return []
  const { orderId, order } = refundable
  const unfilled = deps.orderFacts.unfilled(orderId, order, quote.createdAt)
  if ((await unfilled.ask()).some(({ confirms }) => !confirms)) return []
  const told = {
    kind: 'refund',
    label: 'Refund the sender',
    chainId: quote.fromChain,
    leadsTo: 'REFUNDED',
  } as const
  if (!isOnPaymentChain(quote.fromChain)) {
    const { data } = refundCall(order)
    const call = { to: order.originSettler, dataBy: () => data, value: 0n, gasLimit: REFUND_GAS }
    return [evmRecovery({ ...told, ...call })]
  }
  const instructionsBy = await programRefund(deps, refundable)
  if (instructionsBy === undefined) return []
  return [
    {
      ...told,
      payloadBy: (account) => ({
        type: 'solana_instructions',
        instructions: instructionsBy(account),
        addressLookupTableAddresses: [],
      }),
    },
  ]
}
