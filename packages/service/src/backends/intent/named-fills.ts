import { type ChainId, chainTypeOf } from '@openrfq/sdk'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { orderIdOf } from '../../intents/settlers/settler-contract.ts'
import type { Solver } from '../../intents/solver-api/best-offers.ts'
import type { SolverDirectory } from '../../intents/solver-api/solver-directory.ts'
import type { SolverNetwork } from '../../intents/solver-api/solver-network.ts'
import type { PaymentIndex } from '../../intents/vault/payment-index.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import { quoteOfOrder } from './quote-of-order.ts'

/** A solver's statement that a transaction on a payment chain filled an order. */
type SolverFill = { readonly solver: Solver; readonly order: IntentOrder; readonly transaction: string }

type Deps = {
  readonly store: Pick<Store, 'findQuote'>
  readonly directory: Pick<SolverDirectory, 'ownerOf' | 'accountOn'>
  readonly paymentIndex: Pick<PaymentIndex, 'nameFill'>
  readonly tell: SolverNetwork['tell']
  readonly log: Log
}

/** Transactions of one solver that are read at the same time; it repeats what is not taken. */
const MAX_OF_SOLVER = 16

const idOf = (order: IntentOrder): OrderId | undefined => {
  try {
    return orderIdOf(order)
  } catch {
    // No contract accepts the order.
    return undefined
  }
}

/** Whether the solver pays for the order itself. */
const isOwn = ({ directory }: Deps, { solver, order }: SolverFill): boolean => {
  const chainType = chainTypeOf(order.destinationChain)
  return (
    (chainType === 'solana' || chainType === 'stellar') &&
    directory.ownerOf(order.solver)?.address === solver.address &&
    directory.accountOn(solver, chainType) === order.filler
  )
}

/**
 * Takes the fills that solvers name. Only those of a quoted order by its own solver cause a read, of the named transaction
 * alone. The solver is told once the fill is known, and repeats its message until then.
 */
export const createNamedFills = (deps: Deps): ((fill: SolverFill) => Promise<void>) => {
  const { store, paymentIndex, tell, log } = deps
  const running = new Map<string, number>()

  const look = async ({ solver, order, transaction }: SolverFill, orderId: OrderId): Promise<void> => {
    const chainId: ChainId = order.destinationChain
    try {
      if ((await quoteOfOrder(store, orderId, order.salt)) === undefined) return
      const found = await paymentIndex.nameFill(orderId, order, transaction)
      if (found === 'filled') tell(solver.address, { type: 'filled', orderId })
      if (found === 'other') log('warn', 'named_fill_refused', { chainId, orderId, transaction })
    } catch (error) {
      log('warn', 'named_fill_unread', { chainId, orderId, error })
    }
  }
  return async (fill) => {
    const { solver, order } = fill
    const orderId = idOf(order)
    if (orderId === undefined || !isOwn(deps, fill)) return
    const count = running.get(solver.address) ?? 0
    if (count >= MAX_OF_SOLVER) return
    running.set(solver.address, count + 1)
    await look(fill, orderId)
    running.set(solver.address, (running.get(solver.address) ?? 1) - 1)
  }
}
