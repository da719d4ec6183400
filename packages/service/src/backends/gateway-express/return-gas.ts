import type { QuoteRecord } from '../../core/quote-record.ts'
import { ADD_GAS_LIMIT, addNativeGasData } from '../../protocols/axelar/gas-service-contract.ts'
import type { Store } from '../../store/store.ts'
import { type Attempts, findTransactionAttempts } from '../../transactions/attempts.ts'
import type { Lookup, RefundCall } from '../backend.ts'
import type { SourceDeps } from '../source-message.ts'
import type { MessageFees } from './gas-fees.ts'
import { returnPosition } from './router-events.ts'
import type { BridgeSide } from './routes.ts'
import { type FoundTransfer, findTransfer, readDestination } from './track.ts'

/** What the price of a return leg is read from. */
export type ReturnDeps = SourceDeps & {
  readonly fees: MessageFees
  readonly bridges: readonly BridgeSide[]
}

/** Dependencies of paying for return legs; Axelar refunds unused gas to the keeper. */
export type ReturnGasDeps = ReturnDeps & {
  /** The keeper's address; undefined if the operator has none and leaves return legs to others. */
  readonly keeper: string | undefined
  readonly store: Pick<Store, 'findTransaction'>
}

/** A return leg to pay for: the message that left with it, and wei. */
type DueReturn = {
  readonly gasService: string
  readonly txHash: string
  readonly logPosition: number
  readonly value: bigint
}

const attemptsOf = ({ store }: Pick<ReturnGasDeps, 'store'>, transferId: string): Promise<Attempts> =>
  findTransactionAttempts(store, `express-return:${transferId}`)

/** Whether the gas payment of a transfer's return leg is signed and may be mined. */
export const isReturnPaid = async (
  deps: Pick<ReturnGasDeps, 'store'>,
  transferId: string,
): Promise<boolean> => {
  const { kind } = await attemptsOf(deps, transferId)
  return kind === 'open' || kind === 'succeeded'
}

/**
 * The current cost of a return leg, in base units of the native asset it is paid in; undefined if unknown or above the
 * cap.
 */
const returnFee = async (
  { bridges, fees }: ReturnDeps,
  { toChain, fromChain }: QuoteRecord,
  { destinationRouter, sourceRouter }: FoundTransfer['bound'],
): Promise<bigint | undefined> => {
  const side = (router: string, chainId: string) =>
    bridges.find((bridge) => bridge.router === router && bridge.chain.chainId === chainId)
  const from = side(destinationRouter, toChain)
  const to = side(sourceRouter, fromChain)
  if (from === undefined || to === undefined) return undefined
  await fees.know(from, to)
  const fee = fees.ofReturn(from, to)
  return fee === undefined || fee > from.returnGasCap ? undefined : fee
}

/**
 * The return leg of a transfer whose delivery failed, in a final block: the gateway message in the transaction that gave up
 * the delivery. Undefined while there is none, and while it costs more than the operator's cap. Rejects if a chain cannot
 * be read.
 */
export const dueReturn = async (
  deps: ReturnDeps,
  quote: QuoteRecord,
  found: FoundTransfer,
): Promise<DueReturn | undefined> => {
  const events = await readDestination(deps, { quote, found, hint: undefined })
  const returned = events.find(({ kind, amount }) => kind === 'returned' && amount === found.amount)
  if (returned === undefined || !returned.receipt.final || events.some(({ kind }) => kind === 'delivered'))
    return undefined
  const { bound, transferId } = found
  const logPosition = returnPosition(returned.receipt, bound.destinationGateway, transferId)
  const value = await returnFee(deps, quote, bound)
  if (logPosition < 0 || value === undefined) return undefined
  return { gasService: bound.destinationGasService, txHash: returned.receipt.txHash, logPosition, value }
}

/**
 * The gas payment that a transfer's return leg needs. Undefined while none is due and while it is paid. Axelar refunds unused
 * gas to the keeper, so nobody profits from provoking refunds.
 */
export const dueReturnGas = async (
  deps: ReturnGasDeps,
  quote: QuoteRecord,
  lookup: Lookup,
): Promise<RefundCall | undefined> => {
  const { keeper } = deps
  const { found } = await findTransfer(deps, quote, lookup)
  if (keeper === undefined || found === undefined || !found.message.receipt.final) return undefined
  const attempts = await attemptsOf(deps, found.transferId)
  if (attempts.kind !== 'due') return undefined
  const due = await dueReturn(deps, quote, found)
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
