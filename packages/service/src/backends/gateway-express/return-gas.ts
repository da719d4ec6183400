import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Store } from '../../store/store.ts'
import { type Attempts, findTransactionAttempts } from '../../transactions/attempts.ts'
import type { Lookup, RefundCall } from '../backend.ts'
import type { SourceDeps } from '../source-message.ts'
import { addNativeGasData } from './express-contract.ts'
import type { MessageFees } from './gas-fees.ts'
import { returnPosition } from './router-events.ts'
import type { BridgeSide } from './routes.ts'
import { type FoundTransfer, findTransfer, readDestination } from './track.ts'

const ADD_GAS_LIMIT = 90_000n

/** Dependencies of paying for return legs; Axelar refunds unused gas to the keeper. */
export type ReturnGasDeps = SourceDeps & {
  /** The keeper's address; undefined if the operator has none and leaves return legs to others. */
  readonly keeper: string | undefined
  readonly store: Pick<Store, 'findTransaction'>
  readonly fees: MessageFees
  readonly bridges: readonly BridgeSide[]
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
  { bridges, fees }: ReturnGasDeps,
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
 * The gas payment that a transfer's return leg needs, for the gateway message in the transaction that gave up the
 * delivery. Undefined while there is no such message, while it is paid, and while it costs more than the operator's
 * cap. Axelar refunds unused gas to the keeper, so nobody profits from provoking refunds.
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
  const events = await readDestination(deps, { quote, found, hint: undefined })
  const returned = events.find(({ kind, amount }) => kind === 'returned' && amount === found.amount)
  if (returned === undefined || !returned.receipt.final || events.some(({ kind }) => kind === 'delivered'))
    return undefined
  const { bound, transferId } = found
  const position = returnPosition(returned.receipt, bound.destinationGateway, transferId)
  const fee = await returnFee(deps, quote, bound)
  if (position < 0 || fee === undefined) return undefined
  return {
    key: attempts.key,
    chainId: quote.toChain,
    to: bound.destinationGasService,
    data: addNativeGasData(returned.receipt.txHash, position, keeper),
    value: fee,
    gasLimit: ADD_GAS_LIMIT,
  }
}
