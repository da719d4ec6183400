import type { ChainId } from '@openrfq/sdk'
import type { Catalog } from '../../chains/catalog.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { IntentTerms } from '../../core/network.ts'
import type { AttesterWatch } from '../../intents/attester-watch.ts'
import type { Opener } from '../../intents/opener/index.ts'
import type { OfferGate } from '../../intents/outcomes/offer-gate.ts'
import { orderIdOfQuote, orderOfQuote } from '../../intents/settlers/quoted-order.ts'
import type { SettlerChecks } from '../../intents/settlers/settler-checks.ts'
import type { Book } from '../../intents/solver-api/book.ts'
import type { SolverDirectory } from '../../intents/solver-api/solver-directory.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { PriceSource } from '../../pricing/price-source.ts'
import type { Carriage } from '../../protocols/axelar/carriage.ts'
import type { RunningBackend } from '../backend.ts'
import { unpriced } from '../decline.ts'
import { stellarPayment } from './deposit.ts'
import { type IntentQuoteDeps, quoteIntent } from './quote.ts'
import { quotesOfDeposit } from './quotes-of-deposit.ts'
import { dueRefund, intentRecoveries } from './refund.ts'
import { refundTermsOf } from './refund-terms.ts'
import { intentRoutes } from './routes.ts'
import type { SenderBalances } from './sender-balances.ts'
import { type IntentTrackDeps, intentLateDeposits, trackIntent } from './track.ts'

/** What answers call the backend. */
export const INTENT_NAME = 'Solver Intents'

/** Dependencies of the backend; `randomSalt` returns 16 random bytes as 32 lower-case hex digits. */
type IntentBackendDeps = Omit<IntentTrackDeps, 'paymentChains'> & {
  readonly catalog: Catalog
  readonly terms: IntentTerms
  readonly directory: SolverDirectory
  readonly book: Pick<Book, 'price' | 'reserve' | 'hold'>
  readonly senderBalances: Pick<SenderBalances, 'held'>
  readonly gate: OfferGate
  readonly paymentChains: ReadonlyMap<ChainId, PaymentChain>
  readonly prices: PriceSource
  /** Whether the payments or orders of a chain are read up to its head. */
  readonly isCurrent: (chainId: ChainId) => boolean
  readonly attesterWatch: Pick<AttesterWatch, 'faultOf'>
  readonly settlers: Pick<SettlerChecks, 'confirms'>
  readonly carriage: Pick<Carriage, 'read'> | undefined
  /** Whether the keeper has an account on a chain. */
  readonly submitsRefunds: (chainId: ChainId) => boolean
  /** Opens orders by their depositors' signatures; undefined if the operator pays for no openings. */
  readonly opener: Opener | undefined
  readonly randomSalt: () => string
}

/**
 * Creates the backend whose transfers solvers fill from their inventory, against an escrow on the source chain. The
 * caller starts what feeds the book and reads the settlers. Source: docs/solver-protocol.md, contracts/settlers.
 */
export const intentBackend = (deps: IntentBackendDeps): Omit<RunningBackend, keyof Lifecycle> => {
  const {
    directory,
    book,
    senderBalances,
    gate,
    terms,
    prices,
    isCurrent,
    attesterWatch,
    settlers,
    carriage,
    submitsRefunds,
    opener,
    randomSalt,
  } = deps
  const routes = intentRoutes({ ...deps, attester: terms.attester })
  const quoteDeps: IntentQuoteDeps = {
    book,
    senderBalances,
    directory,
    gate,
    terms,
    prices,
    isCurrent,
    attesterWatch,
    settlers,
    carriage,
    submitsRefunds,
    follow: deps.escrows.follow,
    openingsOf: opener?.openingsOf ?? (() => undefined),
    randomSalt,
    name: INTENT_NAME,
  }
  return {
    serves: routes.serves,
    routes: (pair) => {
      const route = routes.between(pair)
      return route === undefined ? [] : [{ backend: 'intent', from: pair.from, to: pair.to }]
    },
    quote: async (order, pair) => {
      const route = routes.between(pair)
      return route === undefined
        ? unpriced('the route is not configured')
        : quoteIntent({ deps: quoteDeps, route, order })
    },
    track: (quote) => trackIntent(deps, quote),
    lateDeposits: (quote) => intentLateDeposits(deps, quote),
    refundCall: (quote) => dueRefund(deps, quote),
    recoveries: (quote) => intentRecoveries(deps, quote),
    ...(opener === undefined ? {} : { open: opener.open }),
    quotesOfDeposit: (text) => quotesOfDeposit(deps, text),
    recall: (quote) => {
      const order = orderOfQuote(quote)
      const source = deps.paymentChains.get(quote.fromChain)
      const isEscrowed = source === undefined || source.programs !== undefined
      return {
        refund: refundTermsOf(order, isEscrowed ? 'escrow' : 'vault', submitsRefunds(order.originChain)),
        deposit:
          source?.chainType === 'stellar'
            ? stellarPayment(order, orderIdOfQuote(quote), quote.createdAt)
            : null,
      }
    },
  }
}
