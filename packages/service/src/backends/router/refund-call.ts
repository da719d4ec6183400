import type { QuoteRecord } from '../../core/quote-record.ts'
import { ADD_GAS_LIMIT, addNativeGasData } from '../../protocols/axelar/gas-service-contract.ts'
import type { Axelarscan } from '../../protocols/axelar/gmp.ts'
import { findTransactionAttempts } from '../../transactions/attempts.ts'
import type { Lookup, RefundCall } from '../backend.ts'
import { arrivingMessage, type FailingDeliveries, GIVE_BACK_GAS, mayGiveBack } from './delivery-trial.ts'
import { giveBackData } from './express-contract.ts'
import { type AttemptDeps, dueReturn, type ReturnDeps, returnFee, returnGasAttempts } from './return-gas.ts'
import type { RouterEvent } from './router-events.ts'
import { type FoundTransfer, findTransfer, readDestination } from './track.ts'

/** Dependencies of the keeper's refunds; Axelar refunds unused gas to the keeper. */
export type RouterRefundDeps = ReturnDeps &
  AttemptDeps & {
    /** The keeper's address; undefined if the operator has none and leaves refunds to others. */
    readonly keeper: string | undefined
    readonly axelarscan: Pick<Axelarscan, 'findMessage'>
    readonly failing: Pick<FailingDeliveries, 'failingMs'>
  }

type Known = { readonly quote: QuoteRecord; readonly found: FoundTransfer; readonly keeper: string }

/**
 * Gives a transfer back whose delivery has failed for the destination's patience, and fails now as a quorum of endpoints say.
 * The router gives back only undelivered transfers, and the same transaction pays for the relay back.
 */
const dueGiveBack = async (
  deps: RouterRefundDeps,
  { quote, found, keeper }: Known,
): Promise<RefundCall | undefined> => {
  const { bound, transferId, amount, message } = found
  const side = deps.bridges.find(
    ({ router, chain }) => router === bound.router && chain.chainId === quote.toChain,
  )
  if (side === undefined || deps.failing.failingMs(transferId) < side.patienceMs) return undefined
  const attempts = await findTransactionAttempts(deps.store, `express-give-back:${transferId}`)
  if (attempts.kind !== 'due') return undefined
  const commandId = (await deps.axelarscan.findMessage(message.messageId))?.commandId
  const value = await returnFee(deps, quote, bound)
  if (commandId === undefined || value === undefined) return undefined
  const arriving = { bound, amount, commandId }
  if (!(await mayGiveBack(side.evm, arriving, { caller: keeper, value }))) return undefined
  return {
    key: attempts.key,
    chainId: quote.toChain,
    to: bound.router,
    data: giveBackData(arrivingMessage(arriving)),
    value,
    gasLimit: GIVE_BACK_GAS,
  }
}

/** Pays for the return leg of a transfer that somebody gave back without paying for the way. */
const dueReturnGas = async (
  deps: RouterRefundDeps,
  { quote, found, keeper }: Known,
  returned: RouterEvent,
): Promise<RefundCall | undefined> => {
  const attempts = await returnGasAttempts(deps, found.transferId)
  if (attempts.kind !== 'due') return undefined
  const due = await dueReturn(deps, quote, found, returned)
  if (due === undefined) return undefined
  return {
    key: attempts.key,
    chainId: quote.toChain,
    to: due.gasService,
    data: addNativeGasData(due.txHash, due.logPosition, keeper),
    value: due.value,
    gasLimit: ADD_GAS_LIMIT,
  }
}

/**
 * The call of the keeper that a transfer needs to be refunded: giving it back, or gas for the way. Undefined while none is due,
 * while one may be mined, and before the source is final. Rejects if a chain cannot be read.
 */
export const dueRouterRefund = async (
  deps: RouterRefundDeps,
  quote: QuoteRecord,
  lookup: Lookup,
): Promise<RefundCall | undefined> => {
  const { keeper } = deps
  const { found } = await findTransfer(deps, quote, lookup)
  if (keeper === undefined || found === undefined || !found.message.receipt.final) return undefined
  const events = await readDestination(deps, { quote, found, hint: undefined })
  if (events.some(({ kind }) => kind === 'delivered')) return undefined
  const returned = events.find(({ kind, amount }) => kind === 'returned' && amount === found.amount)
  const known = { quote, found, keeper }
  return returned === undefined ? dueGiveBack(deps, known) : dueReturnGas(deps, known, returned)
}
