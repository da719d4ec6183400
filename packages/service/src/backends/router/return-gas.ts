import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Store } from '../../store/store.ts'
import { type Attempts, findTransactionAttempts } from '../../transactions/attempts.ts'
import type { SourceDeps } from '../source-message.ts'
import type { MessageFees } from './gas-fees.ts'
import { type RouterEvent, returnGasPaid, returnPosition } from './router-events.ts'
import type { BridgeSide } from './routes.ts'
import type { FoundTransfer } from './track.ts'

/** What the price of a return leg is read from. */
export type ReturnDeps = SourceDeps & {
  readonly fees: MessageFees
  readonly bridges: readonly BridgeSide[]
}

/** A return leg to pay for: the message that left with it, and wei. */
type DueReturn = {
  readonly gasService: string
  readonly txHash: string
  readonly logPosition: number
  readonly value: bigint
}

/** What the keeper's attempts are read from. */
export type AttemptDeps = { readonly store: Pick<Store, 'findTransaction'> }

/** The keeper's attempts to pay for the return leg of a transfer that somebody else has given back. */
export const returnGasAttempts = ({ store }: AttemptDeps, transferId: string): Promise<Attempts> =>
  findTransactionAttempts(store, `express-return:${transferId}`)

/** Whether the gas payment of a transfer's return leg is signed and may be mined. */
export const isReturnPaid = async (deps: AttemptDeps, transferId: string): Promise<boolean> => {
  const { kind } = await returnGasAttempts(deps, transferId)
  return kind === 'open' || kind === 'succeeded'
}

/**
 * The current cost of a return leg, in base units of the native asset it is paid in; undefined if unknown or above the
 * cap.
 */
export const returnFee = async (
  { bridges, fees }: ReturnDeps,
  { toChain, fromChain }: QuoteRecord,
  { router }: Pick<FoundTransfer['bound'], 'router'>,
): Promise<bigint | undefined> => {
  const side = (chainId: string) =>
    bridges.find((bridge) => bridge.router === router && bridge.chain.chainId === chainId)
  const [from, to] = [side(toChain), side(fromChain)]
  if (from === undefined || to === undefined) return undefined
  await fees.know(from, to)
  const fee = fees.ofReturn(from, to)
  return fee === undefined || fee > from.returnGasCap ? undefined : fee
}

/** A payment below this share of the present cost of a return leg does not count. */
const PAID_SHARE = 2n

/**
 * The gas that the return leg of a transfer lacks that was given back in a final block: the gateway message in that
 * transaction, unless it paid at least half of what the leg costs now. Undefined also while it costs more than the operator's
 * cap. Rejects if a chain cannot be read.
 */
export const dueReturn = async (
  deps: ReturnDeps,
  quote: QuoteRecord,
  { bound, transferId }: Pick<FoundTransfer, 'bound' | 'transferId'>,
  { receipt, amount }: RouterEvent,
): Promise<DueReturn | undefined> => {
  if (!receipt.final) return undefined
  const logPosition = returnPosition(receipt, bound.destinationGateway, transferId)
  const value = await returnFee(deps, quote, bound)
  if (logPosition < 0 || value === undefined) return undefined
  if (returnGasPaid(receipt, bound, { transferId, amount }) * PAID_SHARE >= value) return undefined
  return { gasService: bound.destinationGasService, txHash: receipt.txHash, logPosition, value }
}
