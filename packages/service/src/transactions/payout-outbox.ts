import type { PaymentChain } from '../chains/payment-chain.ts'
import type { Instant } from '../core/instant.ts'
import type { Payout } from '../core/payout.ts'
import type { Log } from '../lib/log.ts'
import { createMutex } from '../lib/mutex.ts'
import type { Store, StoredPayout } from '../store/store.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import {
  createPayoutMonitor,
  type DecideRenewal,
  type EarlierSignatures,
  type PayoutTiming,
} from './payout-monitor.ts'

/** A payment with a unique key; a key permanently names one payment on one chain. */
export type KeyedPayout = Payout & { readonly key: string }

/** Makes payments from one account on Solana or Stellar. */
export type PayoutOutbox = Outbox<KeyedPayout, StoredPayout>

type PayoutOutboxDeps = {
  readonly store: Store
  readonly chain: PaymentChain
  /** The paying account's secret, in the family's text form. */
  readonly secret: string
  readonly now: () => Instant
  readonly log: Log
  readonly timing?: Partial<PayoutTiming>
  /** Without it the store must contain every signature of the account. */
  readonly earlier?: EarlierSignatures
  /** Without it every payout is signed again. */
  readonly decideRenewal?: DecideRenewal
}

const DEFAULT_TIMING: PayoutTiming = { roundMs: 1_000, rebroadcastMs: 5_000 }

/**
 * Creates an outbox of payments. A payment is signed again only if its earlier signatures provably can never land, and
 * again stored before it is sent; `decideRenewal` is asked before. Throws if the secret belongs to another family.
 */
export const createPayoutOutbox = (deps: PayoutOutboxDeps): PayoutOutbox => {
  const { store, chain, secret, now, log } = deps
  const { chainId } = chain
  const timing = { ...DEFAULT_TIMING, ...deps.timing }
  const sender = chain.accountOf(secret)
  const inTurn = createMutex()

  const sign = async ({ key, ...payout }: KeyedPayout): Promise<StoredPayout> => {
    const signed = await chain.sign(payout, secret)
    return {
      ...payout,
      ...signed,
      key,
      chainId,
      sender,
      earlierTxHashes: [],
      signedAt: now(),
      outcome: 'open',
    }
  }

  return createOutbox({
    chainId,
    sender,
    what: 'payout',
    roundMs: timing.roundMs,
    maximumOpen: chain.maximumPayouts,
    find: store.findPayout,
    listOpen: () => store.listOpenPayouts(chainId, sender),
    sign,
    add: store.addPayout,
    monitor: createPayoutMonitor({
      store,
      chain,
      sender,
      secret,
      timing,
      inTurn,
      earlier: deps.earlier,
      decideRenewal: deps.decideRenewal ?? (async () => 'sign'),
      now,
      log,
    }),
    inTurn,
    log,
  })
}
