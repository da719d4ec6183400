import type { ChainId } from '@openrfq/sdk'
import type { Catalog } from '../../chains/catalog.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { ConfigError } from '../../core/config-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import { createEmitter } from '../../lib/emitter.ts'
import { type Lifecycle, together } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import type { RepeatableSender } from '../../transactions/repeatable-sender.ts'
import { createEscrowCloser } from './escrow-closer.ts'
import { createEscrowFacts, type EscrowFactsOf } from './escrow-facts.ts'
import { createEscrowReader } from './escrow-reader.ts'
import { createEscrowWatch, type EscrowChange, type FollowedOrder } from './escrow-watch.ts'

/** The chains whose orders are accounts of an escrow program. */
export type EscrowOrigins = Lifecycle & {
  readonly chainIds: readonly ChainId[]
  /** Follows an order from such a chain; ignores orders from other chains. */
  readonly follow: (followed: FollowedOrder, isBacked: boolean) => void
  /** Whether the orders of a chain were read a moment ago; undefined for a chain without the program. */
  readonly isCurrent: (chainId: ChainId) => boolean | undefined
  /** What happened to the orders of a chain; undefined for a chain without the program. */
  readonly factsOf: (chainId: ChainId) => EscrowFactsOf | undefined
  /** Who paid the rent of an open order, and gets it back; undefined while a quorum of endpoints shows none. */
  readonly payerOf: (chainId: ChainId, orderId: OrderId) => Promise<string | undefined>
  /** Adds a listener for changes of followed orders; its errors are logged. Returns the unsubscriber. */
  readonly onChange: (listener: (changed: ChangedOrder) => unknown) => () => void
  /** Whether a refund of ours was sent and its outcome is not known. */
  readonly isRefundInFlight: (chainId: ChainId, key: string) => boolean
}

/** A followed order and what has changed. */
export type ChangedOrder = FollowedOrder & { readonly change: EscrowChange }

type Deps = {
  readonly catalog: Catalog
  readonly paymentChains: ReadonlyMap<ChainId, PaymentChain>
  /** The keeper's accounts; without one refunds and closing are left to others. */
  readonly senders: ReadonlyMap<ChainId, RepeatableSender>
  readonly now: () => Instant
  /** Milliseconds that never go back. */
  readonly steady: () => number
  readonly log: Log
}

const ROUND_MS = 1_000
const CLOSE_MS = 5_000

/** Creates the readers of every program in the catalogue. Throws ConfigError for a settler that is no address. */
export const createEscrowOrigins = (deps: Deps): EscrowOrigins => {
  const { catalog, paymentChains, senders, now, steady, log } = deps
  const changes = createEmitter<ChangedOrder>((error, { orderId }) =>
    log('error', 'listener_failed', { listener: 'escrows', orderId, error }),
  )
  const originOf = (chain: PaymentChain) => {
    const { chainId, programs } = chain
    const configured = catalog.chain(chainId)
    const settler = configured?.attested?.settler
    if (configured === undefined || settler === undefined || programs === undefined) return []
    const program = catalog.rules(chain.chainType).parseSender(settler)
    if (program === undefined)
      throw new ConfigError(`chain ${chainId}: attested.settler ${settler} is not a program's address`)
    const reader = createEscrowReader(programs, program)
    const closer = createEscrowCloser({ program, reader, sender: senders.get(chainId), now, log })
    const onChange = async (followed: FollowedOrder, change: EscrowChange): Promise<void> => {
      await changes.emitInTurn({ ...followed, change })
      if (change === 'released' || change === 'refunded') closer.add(followed)
    }
    const watch = createEscrowWatch({ chain, reader, onChange, now: steady })
    const fields = { chainId }
    const rounds = [
      createPoller({
        name: 'escrow_watch',
        fields,
        periodMs: ROUND_MS,
        run: watch.round,
        failureLevel: 'warn',
        log,
      }),
      createPoller({
        name: 'escrow_close',
        fields,
        periodMs: CLOSE_MS,
        run: closer.round,
        failureLevel: 'warn',
        log,
      }),
    ]
    const facts = createEscrowFacts({ chain, reader })
    return [{ chainId, watch, reader, facts, rounds: together(rounds) }]
  }
  const origins = new Map([...paymentChains.values()].flatMap(originOf).map((one) => [one.chainId, one]))
  return {
    chainIds: [...origins.keys()],
    follow: (followed, isBacked) => origins.get(followed.order.originChain)?.watch.follow(followed, isBacked),
    isCurrent: (chainId) => origins.get(chainId)?.watch.isCurrent(),
    factsOf: (chainId) => origins.get(chainId)?.facts,
    payerOf: async (chainId, orderId) => {
      const state = (await origins.get(chainId)?.reader.agreed([orderId], 0n))?.get(orderId)
      return state?.status === 'open' ? state.payer : undefined
    },
    onChange: changes.on,
    isRefundInFlight: (chainId, key) => senders.get(chainId)?.isInFlight(key) === true,
    ...together([...origins.values()].map(({ rounds }) => rounds)),
  }
}
