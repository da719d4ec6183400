import { type Instant, toIso } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { Order } from '../../core/order.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { RankedOffer } from '../../core/ranking.ts'
import type { Token } from '../../core/token.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'
import { createPoller } from '../../lib/poller.ts'
import type { Store } from '../../store/store.ts'
import type { ChangedOrder } from '../settlers/escrow-origins.ts'
import type { SettlerEventRecord } from '../settlers/order-events.ts'
import { idsOfSalt, orderIdOfQuote, orderOfQuote } from '../settlers/quoted-order.ts'
import type { SettlerEvent } from '../settlers/settler-events.ts'
import { type OrderNews, PROTOCOL_LIMITS, type QuotedPair } from '../solver-api/protocol.ts'
import type { SolverDirectory } from '../solver-api/solver-directory.ts'
import type { SolverNetwork } from '../solver-api/solver-network.ts'
import type { PaymentRecord } from '../vault/payment-indexer.ts'

/** A standing quote of a solver (its address) on a pair was too good to be taken; its next one counts from `until` on. */
export type WithdrawnOffer = { readonly solver: string; readonly pair: string; readonly until: Instant }

/** Tells solvers how often their offers are answered, and the course of their orders. */
export type SolverNews = Lifecycle & {
  /** Counts an answer; takes two look-ups per solver's offer. */
  readonly quoted: (order: Pick<Order, 'from' | 'to'>, shown: readonly RankedOffer[]) => void
  /** A quote has a deposit: its solver won, those of the answer's other quotes lost. Rejects if the store fails. */
  readonly deposited: (quote: QuoteRecord) => Promise<void>
  readonly onSettlerEvent: (record: Pick<SettlerEventRecord, 'event' | 'final'>) => void
  readonly onPayment: (record: PaymentRecord) => void
  /** An order of an escrow program was released or refunded for good. */
  readonly onEscrowChange: (changed: ChangedOrder) => void
  /** A solver is blocked on a pair, given as the keys of its assets. */
  readonly blocked: (solver: string, pair: string, until: Instant) => void
  /** A solver's quote of a pair was too good to be taken. */
  readonly withdrawn: (offer: WithdrawnOffer) => void
}

type Deps = {
  readonly store: Pick<Store, 'findQuote'>
  readonly directory: Pick<SolverDirectory, 'ownerOf'>
  readonly tell: SolverNetwork['tell']
  readonly log: Log
}

/** Interval between two messages with the number of quotes. */
const QUOTED_MS = 5_000
/** Orders whose solver is remembered. */
const MAX_ORDERS = 20_000

const NEWS_OF: Partial<Record<SettlerEventRecord['event']['kind'], OrderNews>> = {
  filled: 'filled',
  attestedFilled: 'filled',
  proven: 'proven',
  released: 'repaid',
  refunded: 'refunded',
}

/** The assets of a pair, given as their keys. */
export const assetsOf = (
  pair: string,
): Pick<QuotedPair, 'fromChain' | 'fromToken' | 'toChain' | 'toToken'> => {
  const [fromChain = '', fromToken = '', toChain = '', toToken = ''] = pair.split(' ')
  return { fromChain, fromToken, toChain, toToken }
}

/** Creates the news. Orders that were deposited before the start of the process are not told of. */
export const createSolverNews = ({ store, directory, tell, log }: Deps): SolverNews => {
  const solvers = createLru<OrderId, string>(MAX_ORDERS)
  const counts = createQuotedCounts()

  const tellOf = (orderId: OrderId, type: OrderNews): void => {
    const solver = solvers.get(orderId)
    if (solver !== undefined) tell(solver, { type, orderId })
  }
  /** Whether another account than the order's solver filled the order, and is repaid for it. */
  const isOfAnother = (event: SettlerEvent): boolean => {
    if (event.kind !== 'filled' && event.kind !== 'proven' && event.kind !== 'released') return false
    const payee = event.kind === 'filled' ? event.repayTo : event.payee
    return directory.ownerOf(payee)?.address !== solvers.get(event.orderId)
  }
  const deposited = async (quote: QuoteRecord): Promise<void> => {
    const won = orderIdOfQuote(quote)
    const order = orderOfQuote(quote)
    const winner = directory.ownerOf(order.solver)?.address
    if (winner === undefined || solvers.get(won) !== undefined) return
    const losers: (readonly [string, OrderId])[] = []
    for (const quoteId of idsOfSalt(order.salt)) {
      const other = quoteId === quote.quoteId ? quote : await store.findQuote(quoteId)
      if (other === undefined) break
      if (other.backend !== 'intent' || other === quote) continue
      const loser = directory.ownerOf(orderOfQuote(other).solver)?.address
      if (loser !== undefined) losers.push([loser, orderIdOfQuote(other)])
    }
    solvers.set(won, winner)
    tellOf(won, 'won')
    for (const [loser, orderId] of losers) tell(loser, { type: 'lost', orderId })
  }
  return {
    quoted: (order, shown) => {
      for (const [rank, { offer }] of shown.entries())
        if (offer.reliability !== undefined) counts.add(offer.reliability.solver.address, order, rank === 0)
    },
    deposited,
    onSettlerEvent: ({ event, final }) => {
      const type = NEWS_OF[event.kind]
      if (final && type !== undefined && !isOfAnother(event)) tellOf(event.orderId, type)
    },
    onPayment: ({ payment, role, final, orderId }) => {
      if (!final || orderId === undefined || role !== 'payout') return
      const payee = directory.ownerOf(payment.to)?.address
      tellOf(orderId, payee !== undefined && payee === solvers.get(orderId) ? 'repaid' : 'refunded')
    },
    onEscrowChange: ({ orderId, change }) => {
      if (change === 'released') tellOf(orderId, 'repaid')
      if (change === 'refunded') tellOf(orderId, 'refunded')
    },
    blocked: (solver, pair, until) =>
      tell(solver, { type: 'blocked', ...assetsOf(pair), until: toIso(until) }),
    withdrawn: ({ solver, pair, until }) =>
      tell(solver, { type: 'withdrawn', ...assetsOf(pair), until: toIso(until) }),
    ...createPoller({
      name: 'solver_news',
      periodMs: QUOTED_MS,
      run: async () => {
        for (const [solver, pairs] of counts.take()) tell(solver, { type: 'quoted', pairs: [...pairs] })
      },
      log,
    }),
  }
}

type Counts = { offers: number; first: number }

/** Counts answered offers by solver and pair, without joining text. */
const createQuotedCounts = () => {
  let bySolver = new Map<string, Map<Token, Map<Token, Counts>>>()
  return {
    add: (solver: string, { from, to }: Pick<Order, 'from' | 'to'>, isFirst: boolean): void => {
      const bySource = bySolver.get(solver) ?? new Map<Token, Map<Token, Counts>>()
      bySolver.set(solver, bySource)
      const byTarget = bySource.get(from.token) ?? new Map<Token, Counts>()
      bySource.set(from.token, byTarget)
      const counts = byTarget.get(to.token) ?? { offers: 0, first: 0 }
      byTarget.set(to.token, counts)
      counts.offers += 1
      if (isFirst) counts.first += 1
    },
    /** The counts since the last call, for each solver those of the most quoted pairs that one message holds. */
    take: (): readonly (readonly [string, readonly QuotedPair[]])[] => {
      const taken = bySolver
      bySolver = new Map()
      return [...taken].map(([solver, bySource]) => {
        const pairs = [...bySource].flatMap(([from, byTarget]) =>
          [...byTarget].map(([to, counts]) => ({
            fromChain: from.chainId,
            fromToken: from.address,
            toChain: to.chainId,
            toToken: to.address,
            ...counts,
          })),
        )
        pairs.sort((one, other) => other.offers - one.offers)
        return [solver, pairs.slice(0, PROTOCOL_LIMITS.maxPairsPerMessage)]
      })
    },
  }
}
