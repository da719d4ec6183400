import type { PaymentChain, Payout } from '../chains/payment-chain.ts'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import type { OutboxEntry, Store } from '../store/store.ts'
import { writePayout } from './payout-entry.ts'
import { createPayoutMonitor, type PayoutTiming } from './payout-monitor.ts'
import { createTurns } from './turns.ts'

/** A payment and what it is for; a key names one payment, on one ledger, for ever. */
export type KeyedPayout = Payout & { readonly key: string }

/**
 * Makes payments from one account on one ledger, each at most once however often it is submitted and whatever is killed
 * in between. The account must sign nothing else.
 */
export type PayoutOutbox = {
  /** The paying account in its canonical text. */
  readonly sender: string
  /**
   * The entry of the payment's key: the known one, or a new one, which is stored when it resolves and broadcast until it
   * is final. Rejects, with nothing decided, when the chain or the store cannot be read or as many payments are under way
   * as the chain takes at once.
   */
  readonly submit: (payout: KeyedPayout) => Promise<OutboxEntry>
  /** Looks once at the payments under way; rejects when the store cannot be read. */
  readonly round: () => Promise<void>
  readonly start: () => void
  /** Resolves when nothing is under way any more. */
  readonly stop: () => Promise<void>
}

type PayoutOutboxDeps = {
  readonly store: Store
  readonly chain: PaymentChain
  /** Of the paying account, in the family's text form. */
  readonly secret: string
  readonly now: () => Instant
  readonly log: Log
  readonly timing?: Partial<PayoutTiming>
}

const DEFAULT_TIMING: PayoutTiming = { roundMs: 1_000, rebroadcastMs: 5_000 }
/** A number is lost only to another process on the same store. */
const MAXIMUM_TRIES = 16

/** Signs the payment and keeps it under the sender's next number; the entry of a rival that was faster is as good. */
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
 * An outbox of payments over a store that outlives the process: a payment is signed, kept, and only then broadcast, so
 * that a restart sends the same bytes again. Other bytes for it are signed only when the earlier ones provably can never
 * land, and are kept before they are sent as well. Throws when the secret is none of the chain's family.
 */
export const createPayoutOutbox = (deps: PayoutOutboxDeps): PayoutOutbox => {
  const { store, chain, log } = deps
  const timing = { ...DEFAULT_TIMING, ...deps.timing }
  const sender = chain.accountOf(deps.secret)
  const monitor = createPayoutMonitor({ ...deps, timing, sender })
  const inTurn = createTurns()
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
      .catch((error: unknown) => log('error', 'tending payments failed', { chainId: chain.chainId, error }))
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
