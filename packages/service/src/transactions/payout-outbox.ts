import type { PaymentChain, Payout } from '../chains/payment-chain.ts'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import { createMutex } from '../lib/mutex.ts'
import type { OutboxEntry, Store } from '../store/store.ts'
import { writePayout } from './payout-entry.ts'
import { createPayoutMonitor, type PayoutTiming } from './payout-monitor.ts'

/** A payment with a unique key; a key permanently names one payment on one chain. */
export type KeyedPayout = Payout & { readonly key: string }

/**
 * Makes payments from one account on one payment chain, each at most once however often it is submitted and whatever is
 * killed in between. Nothing else may sign for the account.
 */
export type PayoutOutbox = {
  /** The paying account's canonical address. */
  readonly sender: string
  /**
   * Returns the entry of the payment's key: an existing one, or a new one that is stored before this resolves and then
   * broadcast until it is final. Rejects, without a decision, if the chain or the store cannot be read or the chain's
   * limit of payments in flight is reached.
   */
  readonly submit: (payout: KeyedPayout) => Promise<OutboxEntry>
  /** Runs one round over the payments in flight; rejects if the store cannot be read. */
  readonly round: () => Promise<void>
  readonly start: () => void
  /** Resolves when all work has ended. */
  readonly stop: () => Promise<void>
}

type PayoutOutboxDeps = {
  readonly store: Store
  readonly chain: PaymentChain
  /** The paying account's secret, in the family's text form. */
  readonly secret: string
  readonly now: () => Instant
  readonly log: Log
  readonly timing?: Partial<PayoutTiming>
}

const DEFAULT_TIMING: PayoutTiming = { roundMs: 1_000, rebroadcastMs: 5_000 }
/** A number conflict only happens with another process on the same store. */
const MAXIMUM_TRIES = 16

/** Signs the payment and stores it under the sender's next number; if another process was faster, returns its entry. */
const addEntry = async (
  { store, chain, secret, now }: PayoutOutboxDeps,
  sender: string,
  { key, ...payout }: KeyedPayout,
): Promise<{ readonly entry: OutboxEntry; readonly isNew: boolean }> => {
  const signed = await chain.sign(payout, secret)
  for (let tries = 0; tries < MAXIMUM_TRIES; tries += 1) {
    const last = await store.lastOutboxNonce(chain.chainId, sender)
    const entry: OutboxEntry = {
      key,
      chainId: chain.chainId,
      sender,
      nonce: last === undefined ? 0 : last + 1,
      txHash: signed.txHash,
      replacedTxHashes: [],
      rawTransaction: writePayout({ payout, signed }),
      signedAt: now(),
      outcome: 'open',
    }
    if (await store.addOutboxEntry(entry)) return { entry, isNew: true }
    const rival = await store.findOutboxEntry(key)
    if (rival !== undefined) return { entry: rival, isNew: false }
  }
  throw new Error(`no free number for ${key} on ${chain.chainId} in ${MAXIMUM_TRIES} tries`)
}

/**
 * Creates a payout outbox on a persistent store: a payment is signed, stored, and only then broadcast, so that a
 * restart sends the same bytes again. It is signed again only if the earlier bytes provably can never land, and again
 * stored before it is sent. Throws if the secret belongs to another family.
 */
export const createPayoutOutbox = (deps: PayoutOutboxDeps): PayoutOutbox => {
  const { store, chain, log } = deps
  const timing = { ...DEFAULT_TIMING, ...deps.timing }
  const sender = chain.accountOf(deps.secret)
  const monitor = createPayoutMonitor({ ...deps, timing, sender })
  const inTurn = createMutex()
  const underWay = new Set<Promise<unknown>>()
  let timer: NodeJS.Timeout | undefined
  let isRunning = false

  const track = (work: Promise<unknown>): void => {
    underWay.add(work)
    void work.finally(() => underWay.delete(work)).catch(() => undefined)
  }

  const submit = (payout: KeyedPayout): Promise<OutboxEntry> =>
    inTurn(async () => {
      const known = await store.findOutboxEntry(payout.key)
      if (known !== undefined) return known
      const open = await store.listOpenOutbox(chain.chainId, sender)
      if (open.length >= chain.maximumPayouts)
        throw new Error(`${open.length} payments of ${sender} are under way on ${chain.chainId}`)
      const { entry, isNew } = await addEntry(deps, sender, payout)
      if (isNew) track(monitor.broadcast(entry))
      return entry
    })

  const round = (): Promise<void> => inTurn(monitor.round)

  const next = (): void => {
    const running = round()
      .catch((error: unknown) => log('error', 'monitoring payouts failed', { chainId: chain.chainId, error }))
      .finally(() => {
        if (isRunning) timer = setTimeout(next, timing.roundMs)
      })
    track(running)
  }

  return {
    sender,
    submit,
    round,
    start: () => {
      if (isRunning) return
      isRunning = true
      next()
    },
    stop: async () => {
      isRunning = false
      clearTimeout(timer)
      await inTurn(() => Promise.resolve())
      await Promise.all(underWay)
    },
  }
}
