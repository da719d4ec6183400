import type { ChainId } from '@openrfq/sdk'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { PaymentError } from '../../chains/payment-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import { createMutex, type Mutex } from '../../lib/mutex.ts'
import type { Store, StoredPayout } from '../../store/store.ts'
import { findPayoutAttempts } from '../../transactions/attempts.ts'
import type { Fact, FactCheck } from '../../transactions/fact-check.ts'
import type { PayoutOutbox } from '../../transactions/payout-outbox.ts'
import type { EarlierPayouts } from './earlier-payouts.ts'
import { type Obligation, refundKey, releaseKey } from './obligations.ts'
import type { VaultChain } from './payment-indexer.ts'
import { paysAs } from './payment-of-payout.ts'
import type { PayoutEvidence } from './payout-request.ts'
import type { Renewals } from './renewals.ts'
import type { VaultGuard } from './vault-guard.ts'
import type { Grounds, VaultSigning } from './vault-signing.ts'

/** A payment chain with a vault, its earlier payouts, the outbox that pays from it, and the guard that allows payouts. */
export type PayingChain = Pick<VaultChain, 'unmatchedTermsOf' | 'vault'> & {
  readonly chain: Pick<PaymentChain, 'chainId' | 'agreedWhyNotPayable' | 'balancesToClaim'>
  readonly earlier: EarlierPayouts
  readonly outbox: Pick<PayoutOutbox, 'submit'>
  readonly guard: VaultGuard
  readonly renewals: Pick<Renewals, 'note'>
  /** Absent on a chain whose vault has one key. */
  readonly signing?: Pick<VaultSigning, 'note' | 'isOwed' | 'stopWaiting'>
}

/** What an obligation rests on, for this process and for the co-signer. */
export type ObligationGrounds = {
  readonly factsOf: () => Promise<readonly Fact[]>
  readonly evidenceOf: () => Promise<PayoutEvidence>
}

/** The deposits behind an obligation: the block of the oldest, and whether they name their order. */
export type DepositOrigin = { readonly oldest: bigint; readonly isNamed: boolean }

type PayerDeps = {
  readonly store: Pick<Store, 'findPayout' | 'addPayout'>
  readonly factCheck: Pick<FactCheck, 'allows'>
  readonly now: () => Instant
  readonly log: Log
}

/**
 * How long to wait before anything is asked about a payout again whose recipient cannot be paid: longer each time, because anybody
 * can deposit for any number of depositors without an account.
 */
const PAYABLE_AGAIN_MS = 60_000
const LONGEST_AGAIN_MS = 600_000
const REMEMBERED_UNPAYABLE = 100_000
const REMEMBERED = 10_000

/** The key that excludes the obligation: release and refund are never both paid. */
const oppositeOf = ({ kind, memo }: Obligation): string | undefined => {
  if (kind === 'return') return undefined
  return kind === 'release' ? refundKey(memo) : releaseKey(memo)
}

/**
 * Whether the vault has already paid the obligation on chain without a payout in the store, as after restoring an older
 * copy; undefined while a payment with its memo is not confirmed. Rejects for another payment with the same memo.
 */
const isPaidOnChain = async (
  { store, now, log }: PayerDeps,
  obligation: Obligation,
  key: string,
  { chain: { chainId }, vault, earlier }: PayingChain,
): Promise<boolean | undefined> => {
  const paid = await earlier.find(obligation)
  if (paid === undefined) return false
  if (!paid.confirmed) return undefined
  if (!paysAs(paid, obligation))
    throw new PaymentError('OPPOSED', `${key} is owed, but transaction ${paid.txHash} has paid otherwise`)
  await store.addPayout(
    madeElsewhere(obligation, { key, chainId, sender: vault, txHash: paid.txHash, signedAt: now() }),
  )
  log('warn', 'payout_found_on_chain', { chainId, key, txHash: paid.txHash })
  return true
}

/** The stored form of a payout whose transaction is not in the store. */
const madeElsewhere = (
  { kind: _, ...payout }: Obligation,
  made: Pick<StoredPayout, 'key' | 'chainId' | 'sender' | 'txHash' | 'signedAt'>,
): StoredPayout => {
  const { key, chainId, sender, txHash, signedAt } = made
  return {
    ...payout,
    ...{ key, chainId, sender, txHash, signedAt },
    earlierTxHashes: [],
    rawTransaction: '',
    outcome: 'succeeded',
  }
}

/** A payout from a balance, and whether its loss was not logged before. */
type Taking = {
  readonly key: string
  readonly oldest: bigint
  readonly isNew: (key: string) => boolean
}

/**
 * Whether the balance that the payout would claim is gone: taken by the depositor, which refunds it, or clawed back by its issuer;
 * a solver that is not repaid by then has lost it. Rejects without a quorum.
 */
const isTaken = async (
  { store, now, log }: PayerDeps,
  obligation: Obligation,
  { key, oldest, isNew }: Taking,
  { chain: { chainId, balancesToClaim } }: PayingChain,
): Promise<boolean> => {
  const { claims, recipient, kind } = obligation
  if (claims === undefined) return false
  const taking = await balancesToClaim?.takingOf({ to: claims, blockNumber: oldest })
  if (taking === undefined) return false
  if (taking !== 'gone' && kind === 'refund' && taking.to === recipient) {
    const { txHash } = taking
    await store.addPayout(
      madeElsewhere(obligation, { key, chainId, sender: claims, txHash, signedAt: now() }),
    )
    log('info', 'balance_taken_back', { chainId, key, txHash })
  } else if (isNew(key)) log('error', 'balance_lost', { chainId, key, ...(taking === 'gone' ? {} : taking) })
  return true
}

/** Whether a key is asked about for the first time. */
const createReports = () => {
  const reported = createLru<string, true>(REMEMBERED)
  return (key: string): boolean => {
    const isNew = reported.get(key) === undefined
    reported.set(key, true)
    return isNew
  }
}

/** Runs work sequentially for each vault: what its guard allows must be signed before the guard is asked again. */
const createVaultMutexes = () => {
  const turns = new Map<ChainId, Mutex>()
  return ({ chain: { chainId } }: PayingChain): Mutex => {
    const turn = turns.get(chainId) ?? createMutex()
    turns.set(chainId, turn)
    return turn
  }
}

/** Checks recipients, by the keys of payouts. */
const createPayableCheck = ({ now, log }: PayerDeps) => {
  const tries = createLru<string, { readonly again: Instant; readonly pauseMs: number }>(REMEMBERED_UNPAYABLE)
  return {
    /** Rejects for a payout whose recipient could not be paid a moment ago; makes no request. */
    expectDue: (key: string): void => {
      if (now() < (tries.get(key)?.again ?? 0))
        throw new PaymentError('NOT_PAYABLE', `${key} could not be paid a moment ago`)
    },
    /** Rejects while a quorum of its chain's endpoints say that a recipient cannot be paid. */
    expectPayable: async (
      { recipient, token, amount, key: obligationKey }: Obligation,
      key: string,
      { isNamed }: DepositOrigin,
      { chain, signing }: PayingChain,
    ): Promise<void> => {
      const refused = await chain.agreedWhyNotPayable(recipient, token, amount)
      if (refused === undefined) return
      const last = tries.get(key)?.pauseMs ?? 0
      // The queue of unmatched deposits has longer pauses of its own.
      const pauseMs = isNamed
        ? Math.min(LONGEST_AGAIN_MS, Math.max(PAYABLE_AGAIN_MS, 2 * last))
        : PAYABLE_AGAIN_MS
      tries.set(key, { again: now() + pauseMs, pauseMs })
      signing?.stopWaiting(obligationKey)
      log('warn', 'payout_recipient_unpayable', { key, recipient, ...refused })
      throw new PaymentError('NOT_PAYABLE', `${recipient} cannot be paid: ${refused.reason}`)
    },
  }
}

/** Whether the co-signer, where there is one, would sign a payout, which it will be asked for. */
const isAgreed = async (
  { signing }: Pick<PayingChain, 'signing'>,
  payoutKey: string,
  grounds: Grounds,
): Promise<boolean> => {
  if (signing === undefined) return true
  if (!(await signing.isOwed(grounds))) return false
  signing.note(payoutKey, grounds)
  return true
}

/**
 * Pays obligations that the vault's guard allows, and whose facts no endpoint contradicts, through an outbox, each at
 * most once. A payout that failed on chain,
 * and so moved nothing, is retried under another key at most five times and then held with an error.
 */
export const createPayer = (deps: PayerDeps) => {
  const { store, factCheck, log } = deps
  const isNew = createReports()
  const inTurnOf = createVaultMutexes()
  const { expectDue, expectPayable } = createPayableCheck(deps)

  const expectUnopposed = async (obligation: Obligation): Promise<void> => {
    const opposite = oppositeOf(obligation)
    const standing = opposite === undefined ? undefined : await findPayoutAttempts(store, opposite)
    if (standing?.kind === 'open' || standing?.kind === 'succeeded')
      throw new PaymentError('OPPOSED', `${obligation.key} is owed although ${opposite} was signed`)
  }

  const sign = async (obligation: Obligation, key: string, vaultChain: PayingChain): Promise<void> => {
    const { kind: _, ...payout } = obligation
    if (!(await vaultChain.guard.allows(obligation))) return
    const entry = await vaultChain.outbox.submit({ ...payout, key })
    vaultChain.guard.noteSigned(entry)
    log('info', 'payout_submitted', { chainId: entry.chainId, key, txHash: entry.txHash })
  }

  /** Whether the deposits name no order, and an unexplained payout may already have been made for them. */
  const isUnclear = async (
    { key, token }: Obligation,
    { oldest, isNamed }: DepositOrigin,
    { earlier }: PayingChain,
  ): Promise<boolean> => {
    if (isNamed) return false
    const payout = await earlier.findUnexplained(token, oldest)
    if (payout === undefined) return false
    const { chainId, txHash } = payout
    if (isNew(key)) log('error', 'return_held', { chainId, key, txHash })
    return true
  }

  /** Whether nothing is left to do; rejects if a due payout could not be signed. */
  return async (
    obligation: Obligation,
    origin: DepositOrigin,
    vaultChain: PayingChain,
    { factsOf, evidenceOf }: ObligationGrounds,
  ): Promise<boolean> => {
    const { key } = obligation
    const standing = await findPayoutAttempts(store, key)
    if (standing.kind === 'open') {
      vaultChain.renewals.note(standing.key, factsOf)
      vaultChain.signing?.note(standing.key, { key, evidenceOf })
      return false
    }
    if (standing.kind === 'succeeded') return true
    if (standing.kind === 'exhausted') {
      if (isNew(key)) log('error', 'payout_held', { key })
      return true
    }
    expectDue(standing.key)
    await expectUnopposed(obligation)
    const { earlier, guard } = vaultChain
    if (!earlier.areKnownFor(origin.oldest)) return false
    const isPaid = await isPaidOnChain(deps, obligation, standing.key, vaultChain)
    if (isPaid !== false) return isPaid ?? false
    if (await isUnclear(obligation, origin, vaultChain)) return false
    if (await isTaken(deps, obligation, { ...origin, key: standing.key, isNew }, vaultChain)) return true
    if (!(await guard.allows(obligation))) return false
    if (!(await factCheck.allows(key, await factsOf()))) return false
    await expectPayable(obligation, standing.key, origin, vaultChain)
    if (!(await isAgreed(vaultChain, standing.key, { key, evidenceOf }))) return false
    await inTurnOf(vaultChain)(() => sign(obligation, standing.key, vaultChain))
    return false
  }
}
