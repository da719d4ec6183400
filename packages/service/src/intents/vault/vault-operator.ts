import type { ChainId } from '@openrfq/sdk'
import { PaymentError } from '../../chains/payment-error.ts'
import type { Instant } from '../../core/instant.ts'
import { createConditions } from '../../lib/conditions.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import { createPoller } from '../../lib/poller.ts'
import type { Store, StoredPayment } from '../../store/store.ts'
import type { FactCheck } from '../../transactions/fact-check.ts'
import { OutboxError } from '../../transactions/outbox-error.ts'
import { createDebts, type DebtDeps, type Debts } from './debts.ts'
import { createDepositQueue, type DepositTurn, groupKeyOf, type Try } from './deposit-queue.ts'
import type { Obligation } from './obligations.ts'
import { createPayer, type DepositOrigin, type PayingChain } from './pay-obligation.ts'

/** Pays the obligations from deposits: to solvers, depositors and senders of unmatched deposits. */
export type VaultOperator = {
  /** Runs one round over all unsettled deposits. Rejects if the store does not answer. */
  readonly round: () => Promise<void>
  readonly start: () => void
  /** Resolves when all work has ended. */
  readonly stop: () => Promise<void>
}

type VaultOperatorDeps = DebtDeps & {
  readonly store: Pick<
    Store,
    'addPayout' | 'listUnsettledDeposits' | 'listUnmatchedDeposits' | 'postponeDeposit' | 'settleDeposits'
  >
  /** Keeps an unmatched deposit for the operator. */
  readonly hold: (deposit: StoredPayment, why: string) => Promise<void>
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

/** Creates the check of a vault, which reads what its payouts depend on; it logs when it begins to fail and when that ends. */
const createCheck = (log: Log) => {
  const failing = createConditions<ChainId>()
  return async ({ chain: { chainId }, earlier, guard }: PayingChain): Promise<void> => {
    try {
      await earlier.refresh()
      await guard.check()
      if (failing.end(chainId)) log('info', 'vault_check_recovered', { chainId })
    } catch (error) {
      if (failing.begin(chainId)) log('warn', 'vault_check_failed', { chainId, error })
    }
  }
}

/** Works on the items of each chain beside those of others, so that a slow one delays few; the results in any order. */
const workOnEach = async <Item extends { readonly chainId: ChainId }, Result>(
  items: readonly Item[],
  checks: ReadonlyMap<ChainId, Promise<void>>,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results = await Promise.all(
    [...Map.groupBy(items, ({ chainId }) => chainId)].map(async ([chainId, ofChain]) => {
      await checks.get(chainId)
      return mapAtMost(AT_ONCE, ofChain, work)
    }),
  )
  return results.flat()
}

/** Deposits of one order, or an unmatched one, on a chain with a vault. */
type Group = {
  readonly chainId: ChainId
  readonly deposits: readonly StoredPayment[]
  readonly first: StoredPayment
  readonly vaultChain: PayingChain
}

/** Deposits of one order, or an unmatched one, and what is owed because of them. */
type Turn = {
  readonly chainId: ChainId
  readonly deposits: readonly StoredPayment[]
  readonly vaultChain: PayingChain
  readonly debts: Debts
  readonly origin: DepositOrigin
  /** Whether the release or refund needs no more work. */
  readonly isSettled: boolean
}

const isReturn = ({ kind }: Obligation): boolean => kind === 'return'

const isFull = (error: unknown): boolean => error instanceof OutboxError && error.code === 'FULL'

const tryOf = (error: unknown): Try => {
  if (isFull(error)) return 'waits'
  const isUnpayable = error instanceof PaymentError && error.code === 'NOT_PAYABLE'
  return isUnpayable ? { unpayable: error.message } : 'failed'
}

/**
 * Pays obligations of a turn; whether nothing is left to do. Rejects with the first failure after all were tried, or as soon as no
 * more payouts fit.
 */
const payAll = async (
  pay: ReturnType<typeof createPayer>,
  { debts: { factsOf, evidenceOf }, origin, vaultChain }: Pick<Turn, 'debts' | 'origin' | 'vaultChain'>,
  obligations: readonly Obligation[],
): Promise<boolean> => {
  let isDone = true
  let failure: unknown
  for (const obligation of obligations)
    try {
      const grounds = { factsOf: () => factsOf(obligation), evidenceOf: () => evidenceOf(obligation) }
      isDone = (await pay(obligation, origin, vaultChain, grounds)) && isDone
    } catch (error) {
      if (isFull(error)) throw error
      isDone = false
      failure ??= error
    }
  if (failure !== undefined) throw failure
  return isDone
}

/** Pays what is owed because of some deposits: first releases and refunds, then returns. */
const createTending = (
  deps: VaultOperatorDeps,
  vaultChains: ReadonlyMap<ChainId, PayingChain>,
  queue: ReturnType<typeof createDepositQueue>,
) => {
  const { store, log } = deps
  const debtsOf = createDebts(deps, vaultChains)
  const pay = createPayer(deps)
  const complaints = createLru<string, string>(REMEMBERED_COMPLAINTS)
  /** The chains on which payouts wait for others to end. */
  const crowded = new Set<ChainId>()

  /** Logs a failure of some deposits once until the error changes. */
  const complain = (deposits: readonly StoredPayment[], error: unknown): void => {
    const [first] = deposits
    if (first === undefined || complaints.get(groupKeyOf(first)) === String(error)) return
    complaints.set(groupKeyOf(first), String(error))
    const { chainId, txHash, orderId } = first
    log('warn', 'deposit_settlement_failed', { chainId, txHash, orderId, error })
  }

  const fail = async (deposits: readonly StoredPayment[], error: unknown): Promise<void> => {
    const [first] = deposits
    if (isFull(error) && first !== undefined) crowded.add(first.chainId)
    complain(deposits, error)
    await queue.tried(deposits, tryOf(error))
  }

  /** Whether an unmatched deposit has to wait, so that a round over any number of them soon lets orders have their turn. */
  const mustWait = ([first]: readonly StoredPayment[]): boolean =>
    first !== undefined && first.orderId === undefined && crowded.has(first.chainId)

  /** Releases or refunds an order; undefined if what is owed cannot be told. */
  const settle = async ({ deposits, first, vaultChain }: Group): Promise<Turn | undefined> => {
    if (mustWait(deposits)) return undefined
    try {
      const [debts, origin] = [await debtsOf(first), await originOf(store, vaultChain, first)]
      const turn = { chainId: first.chainId, deposits, vaultChain, debts, origin }
      const settlements = debts.owed.filter((owed) => !isReturn(owed))
      const isSettled = await payAll(pay, turn, settlements).catch(async (error: unknown) => {
        await fail(deposits, error)
        return false
      })
      return { ...turn, isSettled }
    } catch (error) {
      await fail(deposits, error)
      return undefined
    }
  }

  /** Returns what a release or refund does not cover. */
  const giveBack = async (turn: Turn): Promise<void> => {
    const { deposits, debts, isSettled } = turn
    if (mustWait(deposits)) return
    const payNoting: typeof pay = async (...payment) => {
      const isDone = await pay(...payment)
      if (!isDone) queue.served(deposits)
      return isDone
    }
    try {
      const isDone = await payAll(payNoting, turn, debts.owed.filter(isReturn))
      if (isDone && isSettled && !debts.isWaiting) await store.settleDeposits(deposits)
      else await queue.tried(deposits, 'waits')
    } catch (error) {
      await fail(deposits, error)
    }
  }

  return { crowded, settle, giveBack }
}

const groupsOf = (
  all: DepositTurn['orders'],
  vaultChains: ReadonlyMap<ChainId, PayingChain>,
): readonly Group[] =>
  all.flatMap((deposits): readonly Group[] => {
    const [first] = deposits
    const vaultChain = first && vaultChains.get(first.chainId)
    if (first === undefined || vaultChain === undefined) return []
    return [{ chainId: first.chainId, deposits, first, vaultChain }]
  })

/**
 * Pays obligations, each once and from final facts only; the signed outbox entry is the decision. A deposit is settled
 * when everything owed because of it has finally landed or is held.
 */
export const createVaultOperator = (deps: VaultOperatorDeps): VaultOperator => {
  const { log, roundMs = ROUND_MS } = deps
  const vaultChains = new Map(deps.vaultChains.map((vaultChain) => [vaultChain.chain.chainId, vaultChain]))
  const queue = createDepositQueue(deps)
  const tending = createTending(deps, vaultChains, queue)
  const { crowded } = tending
  const check = createCheck(log)

  const round = async (): Promise<void> => {
    const checks = new Map(
      deps.vaultChains.map((vaultChain) => [vaultChain.chain.chainId, check(vaultChain)]),
    )
    crowded.clear()
    const { orders, unmatched } = await queue.next()
    const isFree = ({ chainId }: { readonly chainId: ChainId }): boolean => !crowded.has(chainId)
    const settle = async (deposits: DepositTurn['orders']) =>
      (await workOnEach(groupsOf(deposits, vaultChains).filter(isFree), checks, tending.settle)).filter(
        (turn) => turn !== undefined,
      )
    const settled = await settle(orders)
    await workOnEach(queue.leastServed(settled).filter(isFree), checks, tending.giveBack)
    await workOnEach((await settle(unmatched)).filter(isFree), checks, tending.giveBack)
    await Promise.all(checks.values())
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
