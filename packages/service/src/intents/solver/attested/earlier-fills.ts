import type { ChainId } from '@openrfq/sdk'
import type { PaymentChain } from '../../../chains/payment-chain.ts'
import { accountBehind } from '../../../chains/stellar/muxed-account.ts'
import type { Instant } from '../../../core/instant.ts'
import type { OrderId } from '../../../core/intent-order.ts'
import type { Log } from '../../../lib/log.ts'
import { createLru } from '../../../lib/lru.ts'
import { quotedAtOfSalt } from '../../settlers/quoted-order.ts'
import { orderKeys } from '../order-keys.ts'
import type { TransactionStates } from '../transaction-states.ts'
import type { PendingOrder } from './pending-orders.ts'

/** Whether the solver paid an order before this process started; undefined while its chain does not say. */
export type EarlierFill = 'made' | 'none' | undefined

/** What a search reads of a side. */
type SearchedSide =
  | { readonly kind: 'evm' }
  | {
      readonly kind: 'payment'
      readonly account: string
      readonly paymentChain: Pick<PaymentChain, 'absenceStatements'>
    }

type Deps = {
  readonly sides: ReadonlyMap<ChainId, SearchedSide>
  readonly states: Pick<TransactionStates, 'known'>
  /** Called with the transaction of a fill that was found. */
  readonly onFound: (entry: PendingOrder, txHash: string) => Promise<void>
  readonly now: () => Instant
  readonly log: Log
}

const MAX_KNOWN = 10_000
/** The service's clock, which dates quotes, may be ahead of ours. */
const CLOCK_MARGIN_MS = 1_000
/** Endpoints may need some seconds to pass the solver's start. */
const LONG_WAIT_MS = 30_000
/** Quotes are filled within minutes. */
const LONGEST_SECONDS = 86_400

/**
 * Looks on the payment chains for fills of orders that were quoted before this process started: a store restored from a
 * copy does not contain the payments since. Every endpoint is asked for the account's payments with the order's id.
 */
export const createEarlierFills = ({ sides, states, onFound, now, log }: Deps) => {
  const startedAt = now()
  const known = createLru<OrderId, EarlierFill>(MAX_KNOWN)
  /** Since when an order waits for its chain's answer; `logged` once that was logged. */
  const waits = createLru<OrderId, Instant | 'logged'>(MAX_KNOWN)

  const noteUnknown = ({ orderId, order }: PendingOrder): void => {
    const since = waits.get(orderId) ?? now()
    if (since === 'logged') return
    const isLong = now() - since >= LONG_WAIT_MS
    if (isLong) log('warn', 'earlier_fill_unknown', { chainId: order.destinationChain, orderId })
    waits.set(orderId, isLong ? 'logged' : since)
  }

  const ask = async (entry: PendingOrder): Promise<EarlierFill> => {
    const { orderId, order } = entry
    const side = sides.get(order.destinationChain)
    if (side?.kind !== 'payment') return 'none'
    const untilSeconds = Math.floor(startedAt / 1000)
    const quotedSeconds = Math.floor(quotedAtOfSalt(order.salt) / 1000)
    let txHash: string | undefined
    const statements = await side.paymentChain.absenceStatements({
      about: `${side.account} did not fill order ${orderId} before ${untilSeconds}`,
      from: side.account,
      to: { account: accountBehind(order.recipient)?.account ?? order.recipient, token: order.outputToken },
      memo: orderId,
      sinceSeconds: Math.max(quotedSeconds, untilSeconds - LONGEST_SECONDS),
      untilSeconds,
      nowSeconds: Math.floor(now() / 1000),
      isSought: (payment) => {
        const isOurs = payment.from === side.account && payment.memo === orderId
        if (isOurs) txHash = payment.txHash
        return isOurs
      },
    })
    // No endpoint retains payments since the quote.
    if (statements.length === 0) return undefined
    if (statements.every(({ confirms }) => confirms)) return 'none'
    if (txHash === undefined || statements.some(({ confirms }) => confirms)) return undefined
    await onFound(entry, txHash)
    return 'made'
  }

  return async (entry: PendingOrder): Promise<EarlierFill> => {
    const { orderId, order } = entry
    const isNew = quotedAtOfSalt(order.salt) > startedAt + CLOCK_MARGIN_MS
    if (isNew || states.known(orderKeys(orderId).fill) !== 'none') return 'none'
    const before = known.get(orderId)
    if (before !== undefined) return before
    try {
      const found = await ask(entry)
      if (found === 'made') log('warn', 'fill_found_on_chain', { chainId: order.destinationChain, orderId })
      if (found === undefined) noteUnknown(entry)
      else known.set(orderId, found)
      return found
    } catch {
      // The pool logs which endpoints are silent or behind; they are asked again in the next round.
      noteUnknown(entry)
      return undefined
    }
  }
}
