import { type ChainId, chainTypeOf } from '@openrfq/sdk'
import { PaymentError } from '../../chains/payment-error.ts'
import { ConfigError } from '../../core/config-error.ts'
import type { Instant } from '../../core/instant.ts'
import { type IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import { createPoller } from '../../lib/poller.ts'
import type { Store, StoredPayment } from '../../store/store.ts'
import { findPayoutAttempts } from '../../transactions/attempts.ts'
import type { Fact, FactCheck } from '../../transactions/fact-check.ts'
import { OutboxError } from '../../transactions/outbox-error.ts'
import { orderOfQuote } from '../settlers/quoted-order.ts'
import { createDepositQueue, type DepositTurn, groupKeyOf } from './deposit-queue.ts'
import type { DepositSummary } from './deposit-summary.ts'
import type { FillFactOf } from './fill-facts.ts'
import {
  type Obligation,
  type Obligations,
  obligationsOf,
  obligationsOfUnmatched,
  returnKey,
  returnMemo,
} from './obligations.ts'
import type { OrderFacts } from './order-facts.ts'
import { createPayer, type DepositOrigin, type PayingChain } from './pay-obligation.ts'
import type { PaymentIndex } from './payment-index.ts'

/** Pays the obligations from deposits: to solvers, depositors and senders of unmatched deposits. */
export type VaultOperator = {
  /** Runs one round over all unsettled deposits; never rejects. */
  readonly round: () => Promise<void>
  readonly start: () => void
  /** Resolves when all work has ended. */
  readonly stop: () => Promise<void>
}

type VaultOperatorDeps = {
  readonly store: Pick<
    Store,
    'findQuote' | 'findPayout' | 'addPayout' | 'findPayments' | 'listUnsettledDeposits' | 'settleDeposits'
  >
  readonly facts: Pick<PaymentIndex, 'lastKnown' | 'fillOf'>
  /** The status of an order's fill if its destination is an EVM chain. */
  readonly evmFillOf: FillFactOf
  readonly orderFacts: OrderFacts
  readonly factCheck: Pick<FactCheck, 'allows'>
  readonly vaultChains: readonly PayingChain[]
  readonly now: () => Instant
  readonly log: Log
  /** Between two rounds, in milliseconds. */
  readonly roundMs?: number
}

const ROUND_MS = 2_000
/** Orders and unmatched deposits of one chain that are worked on at once. */
const AT_ONCE = 8
const REMEMBERED_COMPLAINTS = 10_000

/** What the vault owes because of deposits, and the facts that each payout rests on. */
type Debts = Obligations & { readonly factsOf: (obligation: Obligation) => Promise<readonly Fact[]> }

/**
 * Rejects if more of a credited deposit was sent back than its excess: earlier deposits that made it a second one were
 * made up and are void now.
 */
const expectNotReturned = async (
  store: VaultOperatorDeps['store'],
  { creditedFrom, returns }: DepositSummary,
): Promise<void> => {
  for (const deposit of creditedFrom) {
    const key = returnKey(deposit)
    const excess = returns.find(({ payment }) => returnKey(payment) === key)?.amount ?? 0n
    const standing = await findPayoutAttempts(store, key)
    const isSigned = standing.kind === 'open' || standing.kind === 'succeeded'
    const signed = isSigned ? await store.findPayout(standing.key) : undefined
    const made = await store.findPayments(OrderId.parse(returnMemo(deposit)))
    const sent = made.filter(({ chainId, role }) => role === 'payout' && chainId === deposit.chainId)
    if ([signed, ...sent].some((payout) => payout !== undefined && payout.amount > excess))
      throw new PaymentError('OPPOSED', `a credited deposit was sent back by ${key}`)
  }
}

const createDebts = (
  { store, facts, evmFillOf, orderFacts }: VaultOperatorDeps,
  vaultChains: ReadonlyMap<ChainId, PayingChain>,
) => {
  const { paid, filledAtSettler, unfilled } = orderFacts

  const fillFact = async (orderId: OrderId, order: IntentOrder): Promise<Fact> => {
    if (chainTypeOf(order.destinationChain) === 'evm') return filledAtSettler(orderId, order)
    const { fill } = await facts.lastKnown(orderId, order)
    if (fill === undefined) throw new Error(`the fill of ${orderId} is not known any more`)
    return paid(fill)
  }

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
    const { dustOf = () => undefined, chain } = vaultChains.get(deposit.chainId) ?? {}
    // What the vault claims was owed before.
    if (chain?.balancesToClaim?.isBalance(deposit.from) === true)
      return { owed: [], isWaiting: false, factsOf: async () => [] }
    return { ...obligationsOfUnmatched(deposit, { dustOf }), factsOf: async () => [paid(deposit)] }
  }
}

/** The origin of the obligations of a deposit and of all others for the same order. */
const originOf = async (
  store: Pick<Store, 'findPayments'>,
  { vault }: Pick<PayingChain, 'vault'>,
  deposit: StoredPayment,
): Promise<DepositOrigin> => {
  const { orderId, blockNumber, chainId } = deposit
  if (orderId === undefined) return { oldest: blockNumber, isNamed: false }
  const stored = await store.findPayments(orderId)
  const deposits = stored.filter((one) => one.chainId === chainId && one.role === 'deposit')
  return {
    oldest: deposits.reduce(
      (oldest, one) => (one.blockNumber < oldest ? one.blockNumber : oldest),
      blockNumber,
    ),
    // Older versions matched deposits by their amounts too.
    isNamed: deposits.every(
      ({ memo, muxedId, to }) => memo !== undefined || muxedId !== undefined || to !== vault,
    ),
  }
}

/** Reads what the vault's payouts depend on. */
const check = async ({ chain: { chainId }, earlier, guard }: PayingChain, log: Log): Promise<void> => {
  try {
    await earlier.refresh()
    await guard.check()
  } catch (error) {
    log('warn', 'vault_check_failed', { chainId, error })
  }
}

/** Works on the deposits of each chain beside those of others, so that a slow one delays few. */
const tendEach = async (
  groups: DepositTurn['orders'],
  checks: ReadonlyMap<ChainId, Promise<void>>,
  tend: (deposits: readonly StoredPayment[]) => Promise<void>,
): Promise<void> => {
  const byChain = Map.groupBy(groups, ([first]) => first?.chainId)
  await Promise.all(
    [...byChain].map(async ([chainId, ofChain]) => {
      if (chainId !== undefined) await checks.get(chainId)
      await mapAtMost(AT_ONCE, ofChain, tend)
    }),
  )
}

/** Pays all of a debt; whether nothing is left to do. Rejects with the first failure after all were tried. */
const payAll = async (
  pay: ReturnType<typeof createPayer>,
  { owed, factsOf }: Debts,
  origin: DepositOrigin,
  vaultChain: PayingChain,
): Promise<boolean> => {
  let isDone = true
  let failure: unknown
  for (const obligation of owed)
    try {
      isDone = (await pay(obligation, origin, vaultChain, () => factsOf(obligation))) && isDone
    } catch (error) {
      isDone = false
      failure ??= error
    }
  if (failure !== undefined) throw failure
  return isDone
}

/**
 * Pays obligations, each once and from final facts only; the signed outbox entry is the decision. A deposit is settled
 * when everything owed because of it has finally landed or is held.
 */
export const createVaultOperator = (deps: VaultOperatorDeps): VaultOperator => {
  const { store, log, roundMs = ROUND_MS } = deps
  const vaultChains = new Map(deps.vaultChains.map((vaultChain) => [vaultChain.chain.chainId, vaultChain]))
  const debtsOf = createDebts(deps, vaultChains)
  const pay = createPayer(deps)
  const complaints = createLru<string, string>(REMEMBERED_COMPLAINTS)
  const queue = createDepositQueue(deps)
  /** The chains on which payouts of orders wait for others to end. */
  const crowded = new Set<ChainId>()

  /** Logs a failure of some deposits once until the error changes. */
  const complain = (deposits: readonly StoredPayment[], error: unknown): void => {
    const [first] = deposits
    if (first === undefined || complaints.get(groupKeyOf(first)) === String(error)) return
    complaints.set(groupKeyOf(first), String(error))
    const { chainId, txHash, orderId } = first
    log('warn', 'deposit_settlement_failed', { chainId, txHash, orderId, error })
  }

  const tend = async (deposits: readonly StoredPayment[]): Promise<void> => {
    const [first] = deposits
    const vaultChain = first && vaultChains.get(first.chainId)
    if (first === undefined || vaultChain === undefined) return
    try {
      const debts = await debtsOf(first)
      const isDone = await payAll(pay, debts, await originOf(store, vaultChain, first), vaultChain)
      if (isDone && !debts.isWaiting) await store.settleDeposits(deposits)
      queue.tried(deposits, false)
    } catch (error) {
      const isCrowded = error instanceof OutboxError && error.code === 'FULL'
      if (isCrowded && first.orderId !== undefined) crowded.add(first.chainId)
      queue.tried(deposits, !isCrowded)
      complain(deposits, error)
    }
  }

  const round = async (): Promise<void> => {
    try {
      const checks = new Map(
        deps.vaultChains.map((vaultChain) => [vaultChain.chain.chainId, check(vaultChain, log)]),
      )
      crowded.clear()
      const { orders, unmatched } = await queue.next()
      await tendEach(orders, checks, tend)
      const free = unmatched.filter(([first]) => first !== undefined && !crowded.has(first.chainId))
      await tendEach(free, checks, tend)
      await Promise.all(checks.values())
    } catch (error) {
      log('error', 'deposit_settlement_round_failed', { error })
    }
  }

  const rounds = createPoller({ name: 'deposit_settlement_round', periodMs: roundMs, run: round, log })
  return {
    round,
    start: () => {
      void rounds.start()
    },
    stop: rounds.stop,
  }
}
