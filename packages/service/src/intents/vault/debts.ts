import { type ChainId, chainTypeOf } from '@openrfq/sdk'
import { PaymentError } from '../../chains/payment-error.ts'
import { ConfigError } from '../../core/config-error.ts'
import { type IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Store, StoredPayment, StoredPayout } from '../../store/store.ts'
import { findPayoutAttempts } from '../../transactions/attempts.ts'
import type { Fact } from '../../transactions/fact-check.ts'
import { orderOfQuote } from '../settlers/quoted-order.ts'
import type { DepositSummary } from './deposit-summary.ts'
import type { FillFactOf, FillTransactionOf } from './fill-facts.ts'
import {
  type Obligation,
  type Obligations,
  obligationsOf,
  obligationsOfUnmatched,
  returnKey,
  returnMemo,
} from './obligations.ts'
import type { OrderFacts } from './order-facts.ts'
import type { PayingChain } from './pay-obligation.ts'
import type { PaymentIndex } from './payment-index.ts'
import { orderEvidence, unmatchedEvidence } from './payout-evidence.ts'
import type { PayoutEvidence } from './payout-request.ts'

export type DebtDeps = {
  readonly store: Pick<Store, 'findQuote' | 'findPayout' | 'findPayments'>
  readonly facts: Pick<PaymentIndex, 'lastKnown' | 'fillOf'>
  /** The status of an order's fill if its destination is an EVM chain. */
  readonly evmFillOf: FillFactOf
  /** The transaction of that fill, as far as it is known. */
  readonly evmFillTransactionOf: FillTransactionOf
  readonly orderFacts: OrderFacts
}

/** What the vault owes because of deposits, and the facts that each payout rests on. */
export type Debts = Obligations & {
  readonly factsOf: (obligation: Obligation) => Promise<readonly Fact[]>
  /** Where the co-signer finds why an obligation is owed. */
  readonly evidenceOf: (obligation: Obligation) => Promise<PayoutEvidence>
}

/** The payout of a return that was signed and has not failed. */
const signedReturn = async (store: DebtDeps['store'], key: string): Promise<StoredPayout | undefined> => {
  const standing = await findPayoutAttempts(store, key)
  const isSigned = standing.kind === 'open' || standing.kind === 'succeeded'
  return isSigned ? store.findPayout(standing.key) : undefined
}

/**
 * Rejects if more of a credited deposit was sent back than its excess: earlier deposits that made it a second one were
 * made up and are void now.
 */
const expectNotReturned = async (
  store: DebtDeps['store'],
  { creditedFrom, returns }: DepositSummary,
): Promise<void> => {
  for (const deposit of creditedFrom) {
    const key = returnKey(deposit)
    const excess = returns.find(({ payment }) => returnKey(payment) === key)?.amount ?? 0n
    const signed = await signedReturn(store, key)
    const made = await store.findPayments(OrderId.parse(returnMemo(deposit)))
    const sent = made.filter(({ chainId, role }) => role === 'payout' && chainId === deposit.chainId)
    if ([signed, ...sent].some((payout) => payout !== undefined && payout.amount > excess))
      throw new PaymentError('OPPOSED', `a credited deposit was sent back by ${key}`)
  }
}

/** Creates the reader of debts. Rejects while a fact that decides them is not known. */
export const createDebts = (
  { store, facts, evmFillOf, evmFillTransactionOf, orderFacts }: DebtDeps,
  vaultChains: ReadonlyMap<ChainId, PayingChain>,
) => {
  const { paid, filledAtSettler, unfilled } = orderFacts

  const fillFact = async (orderId: OrderId, order: IntentOrder): Promise<Fact> => {
    if (chainTypeOf(order.destinationChain) === 'evm') return filledAtSettler(orderId, order)
    const { fill } = await facts.lastKnown(orderId, order)
    if (fill === undefined) throw new Error(`the fill of ${orderId} is not known any more`)
    return paid(fill)
  }

  const fillTransaction = async (orderId: OrderId, order: IntentOrder): Promise<string | undefined> =>
    chainTypeOf(order.destinationChain) === 'evm'
      ? evmFillTransactionOf(orderId, order)
      : (await facts.lastKnown(orderId, order)).fill?.txHash

  const ofOrder = async (orderId: OrderId, deposit: StoredPayment): Promise<Debts> => {
    const quote = deposit.quoteId && (await store.findQuote(deposit.quoteId))
    if (quote === undefined) throw new Error(`the quote of ${orderId} is not known any more`)
    const order = orderOfQuote(quote)
    // Read the fill before the deposits: later events can only add obligations.
    const fill = await (chainTypeOf(order.destinationChain) === 'evm' ? evmFillOf : facts.fillOf)(
      orderId,
      order,
    )
    const { deposits } = await facts.lastKnown(orderId, order)
    if (deposits === undefined) throw new ConfigError(`no vault is read on ${order.originChain}`)
    return {
      ...obligationsOf({ orderId, order, deposits: deposits.final, fill }),
      evidenceOf: async (obligation) => {
        const filledBy = obligation.kind === 'release' ? await fillTransaction(orderId, order) : undefined
        return orderEvidence(obligation, order, deposits.final, filledBy)
      },
      factsOf: async ({ kind, key }) => {
        const { returns, creditedFrom, state } = deposits.final
        const paidFacts = creditedFrom.map(paid)
        if (kind === 'return')
          return returns
            .filter(({ payment }) => returnKey(payment) === key)
            .flatMap(({ payment, reason }) =>
              // Too much goes back because of what others paid before.
              reason === 'second' || reason === 'excess' ? [paid(payment), ...paidFacts] : [paid(payment)],
            )
        await expectNotReturned(store, deposits.final)
        if (kind === 'release') return [...paidFacts, await fillFact(orderId, order)]
        // Too little goes back, filled or not.
        return state === 'short' ? paidFacts : [...paidFacts, unfilled(orderId, order, quote.createdAt)]
      },
    }
  }
  return async (deposit: StoredPayment): Promise<Debts> => {
    if (deposit.orderId !== undefined) return ofOrder(deposit.orderId, deposit)
    const evidenceOf = async ({ amount }: Obligation) => unmatchedEvidence(deposit, deposit.amount - amount)
    const { unmatchedTermsOf, chain } = vaultChains.get(deposit.chainId) ?? {}
    // What the vault claims was owed before.
    if (chain?.balancesToClaim?.isBalance(deposit.from) === true)
      return { owed: [], isWaiting: false, factsOf: async () => [], evidenceOf }
    // Prices may have changed since the payout was signed.
    const signed = await signedReturn(store, returnKey(deposit))
    const terms =
      signed === undefined
        ? unmatchedTermsOf?.(deposit.token)
        : { minimum: 1n, cost: deposit.amount - signed.amount }
    return {
      ...obligationsOfUnmatched(deposit, terms),
      factsOf: async () => [paid(deposit)],
      evidenceOf,
    }
  }
}
