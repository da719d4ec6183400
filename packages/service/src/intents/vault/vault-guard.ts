import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { Payout } from '../../core/payout.ts'
import type { Log } from '../../lib/log.ts'
import { createMutex } from '../../lib/mutex.ts'
import type { Store, StoredPayout } from '../../store/store.ts'
import type { VaultChain } from './payment-indexer.ts'
import { createSignedPayouts } from './signed-payouts.ts'
import { createVaultBooks } from './vault-books.ts'
import { createVaultSurplus } from './vault-surplus.ts'

/** Why a vault makes no payouts in a token. */
type HoldReason = 'books_differ' | 'receipts_exceeded' | 'daily_limit_reached'

/** Decides, before a payout is signed, whether the vault may pay. */
export type VaultGuard = {
  /**
   * Whether a payout may be signed. False before the vault's balances were compared with its books, and while payouts
   * are held. Rejects if the store cannot be read.
   */
  readonly allows: (payout: Pick<Payout, 'token' | 'amount' | 'claims'>) => Promise<boolean>
  /** Counts a payout that was just signed, also after it has landed. */
  readonly noteSigned: (payout: StoredPayout) => void
  /** Compares the vault's balances with its books when a comparison is due; rejects if either cannot be read. */
  readonly check: () => Promise<void>
  /** Whether payouts in any token are held. */
  readonly isHolding: () => boolean
  /** By token, how much more the vault holds than its books owe, in base units, as of the last comparison. */
  readonly surpluses: () => ReadonlyMap<string, bigint>
}

type Deps = {
  readonly vaultChain: Pick<VaultChain, 'vault' | 'tokens' | 'dailyLimitOf'> & {
    readonly chain: Pick<VaultChain['chain'], 'chainId' | 'agreedBalances'>
  }
  readonly store: Pick<
    Store,
    | 'listPayments'
    | 'listUnconfirmedPayments'
    | 'findPayment'
    | 'findPayments'
    | 'findPayout'
    | 'listOpenPayouts'
  >
  /** Like `PaymentIndex.finalTime`. */
  readonly finalTime: (chainId: ChainId) => number | undefined
  readonly now: () => Instant
  readonly log: Log
}

const DAY_SECONDS = 86_400
const CHECK_MS = 30_000
/** Pause before the first matching comparison, and while balances seem too low. */
const CHECK_AGAIN_MS = 5_000
/** One comparison may fall between a payment and its record in the books. */
const MISSES = 3

/**
 * Creates the guard of one vault. Payouts never exceed deposits, nor the daily limit if one is configured; and none is
 * made while the vault's balance is below its books. A balance above its books is reported only.
 */
export const createVaultGuard = ({ vaultChain, store, finalTime, now, log }: Deps): VaultGuard => {
  const { chain, vault, tokens, dailyLimitOf } = vaultChain
  const { chainId } = chain
  const startedSeconds = Math.floor(now() / 1000)
  const totals = createTotals({ chainId, vault, store })
  const holds = createHolds(chainId, log)
  const misses = new Map<string, number>()
  const surplus = createVaultSurplus({ chainId, tokens, misses: MISSES, log })
  let isCompared = false
  let checkAt = Number.NEGATIVE_INFINITY

  const whyHeld = async (
    { token, amount }: Pick<Payout, 'token' | 'amount'>,
    finalSeconds: number,
  ): Promise<HoldReason | undefined> => {
    const { entryOf, paidSince, underWay } = await totals.read()
    // The fact check asks about the very deposits that a payout rests on.
    const { received, unconfirmed, paid } = entryOf(token)
    const signed = underWay(token)
    if (paid + signed + amount > received + unconfirmed) return 'receipts_exceeded'
    const limit = dailyLimitOf(token)
    const ofDay = paidSince(token, finalSeconds - DAY_SECONDS) + signed
    return limit !== undefined && ofDay + amount > limit ? 'daily_limit_reached' : undefined
  }

  const compare = async (): Promise<boolean> => {
    const balances = await chain.agreedBalances(vault, tokens)
    const { entryOf, underWay } = await totals.read()
    for (const [index, token] of tokens.entries()) {
      const { received, paid } = entryOf(token)
      const owed = received - paid - underWay(token)
      const balance = balances[index] ?? 0n
      surplus.compared(token, balance, owed)
      const isShort = balance < owed
      const missed = isShort ? (misses.get(token) ?? 0) + 1 : 0
      misses.set(token, missed)
      if (missed === 0) holds.end(token, 'books_differ')
      if (missed >= MISSES) holds.begin(token, 'books_differ', { balance, owed })
    }
    return [...misses.values()].every((missed) => missed === 0)
  }

  return {
    allows: async (payout) => {
      const finalSeconds = finalTime(chainId)
      if (finalSeconds === undefined || !isCompared) return false
      // It pays only what its own transaction receives, and must end before its depositor may take the balance.
      if (payout.claims !== undefined) return true
      if (holds.has(payout.token, 'books_differ')) return false
      const reason = await whyHeld(payout, finalSeconds)
      for (const one of ['receipts_exceeded', 'daily_limit_reached'] as const)
        if (one !== reason) holds.end(payout.token, one)
      if (reason !== undefined) holds.begin(payout.token, reason, { amount: payout.amount })
      return reason === undefined
    },
    noteSigned: totals.payouts.add,
    check: async () => {
      await totals.payouts.refresh()
      if (now() < checkAt || (finalTime(chainId) ?? 0) < startedSeconds) return
      checkAt = now() + CHECK_AGAIN_MS
      if (!(await compare())) return
      isCompared = true
      if (!surplus.isUnsettled()) checkAt = now() + CHECK_MS
    },
    isHolding: holds.isAny,
    surpluses: surplus.byToken,
  }
}

/** The totals of a vault: its books and, beside them, its signed payouts. */
const createTotals = (deps: Parameters<typeof createSignedPayouts>[0] & Pick<Deps, 'store'>) => {
  const books = createVaultBooks(deps)
  const payouts = createSignedPayouts(deps)
  const inTurn = createMutex()
  return {
    payouts,
    /**
     * Reads both anew; `underWay` is the sum of a token's signed payouts that the books do not contain, without those that
     * claim what they pay.
     */
    read: async () => {
      // First the payouts: one that is stored meanwhile is in the books.
      const signed = await payouts.list()
      await inTurn(books.refresh)
      const underWay = (token: string): bigint =>
        signed
          .filter(({ claims }) => claims === undefined)
          .filter((payout) => payout.token === token && !books.hasRecent(payout))
          .reduce((sum, { amount }) => sum + amount, 0n)
      return { entryOf: books.entryOf, paidSince: books.paidSince, underWay }
    },
  }
}

/** Logs when payouts in a token begin to be held and when that ends. */
const createHolds = (chainId: ChainId, log: Log) => {
  const held = new Set<string>()
  const keyOf = (token: string, reason: HoldReason): string => `${token} ${reason}`
  return {
    has: (token: string, reason: HoldReason): boolean => held.has(keyOf(token, reason)),
    isAny: (): boolean => held.size > 0,
    begin: (token: string, reason: HoldReason, fields: Readonly<Record<string, unknown>>): void => {
      if (held.has(keyOf(token, reason))) return
      held.add(keyOf(token, reason))
      const told = { chainId, token, ...textsOf(fields) }
      if (reason === 'books_differ') log('error', 'vault_books_differ', told)
      else log('error', 'vault_payouts_held', { ...told, reason })
    },
    end: (token: string, reason: HoldReason): void => {
      if (!held.delete(keyOf(token, reason))) return
      if (reason === 'books_differ') log('info', 'vault_books_agree', { chainId, token })
      else log('info', 'vault_payouts_resumed', { chainId, token, reason })
    },
  }
}

const textsOf = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
