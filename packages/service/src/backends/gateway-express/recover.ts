import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Axelarscan } from '../../protocols/axelar/gmp.ts'
import type { GmpMessage } from '../../protocols/axelar/gmp-message.ts'
import type { Lookup, RecoveryCall } from '../backend.ts'
import { executionRecovery, gasRecovery } from '../message-recovery.ts'
import type { SourceDeps } from '../source-message.ts'
import { transferPayload } from './express-contract.ts'
import type { MessageFees } from './gas-fees.ts'
import { dueReturn, type ReturnDeps } from './return-gas.ts'
import type { BridgeSide } from './routes.ts'
import { type FoundTransfer, findTransfer, readDestination } from './track.ts'

export type ExpressRecoverDeps = SourceDeps &
  ReturnDeps & {
    readonly axelarscan: Pick<Axelarscan, 'findMessage'>
    readonly fees: MessageFees
    readonly bridges: readonly BridgeSide[]
  }

type Sides = { readonly from: BridgeSide; readonly to: BridgeSide }

const sidesOf = (
  { bridges }: ExpressRecoverDeps,
  { fromChain, toChain }: QuoteRecord,
  { sourceRouter, destinationRouter }: FoundTransfer['bound'],
): Sides | undefined => {
  const side = (router: string, chainId: string) =>
    bridges.find((bridge) => bridge.router === router && bridge.chain.chainId === chainId)
  const [from, to] = [side(sourceRouter, fromChain), side(destinationRouter, toChain)]
  return from === undefined || to === undefined ? undefined : { from, to }
}

const addGas = async (
  { fees }: ExpressRecoverDeps,
  { message, bound }: FoundTransfer,
  { from, to }: Sides,
): Promise<readonly RecoveryCall[]> => {
  await fees.know(from, to)
  const fee = fees.of(from, to, bound.order.deliveryGas)
  if (fee === undefined) return []
  const { receipt, logPosition } = message
  return [
    gasRecovery({
      chainId: from.chain.chainId,
      leadsTo: 'DONE',
      gasService: from.gasService,
      txHash: receipt.txHash,
      logPosition,
      value: fee.amount,
    }),
  ]
}

/** What delivers a transfer that neither the recipient nor the return leg has got. */
const deliver = async (
  deps: ExpressRecoverDeps,
  found: FoundTransfer,
  { from, to }: Sides,
  { gasInsufficient, commandId }: GmpMessage,
): Promise<readonly RecoveryCall[]> => {
  const { bound, amount } = found
  const { sourceChainId, order } = bound
  const execution =
    commandId === undefined
      ? []
      : await executionRecovery(deps.evmChains, {
          chainId: to.chain.chainId,
          leadsTo: 'DONE',
          gateway: bound.destinationGateway,
          message: {
            commandId,
            sourceChain: from.axelarName,
            sourceAddress: bound.sourceRouter,
            contract: bound.destinationRouter,
            payload: transferPayload(order, { sourceChainId, sender: order.refundAddress, amount }),
            token: { symbol: to.symbol, amount },
          },
        })
  return [...(gasInsufficient ? await addGas(deps, found, { from, to }) : []), ...execution]
}

/**
 * What moves an express transfer on: gas that its message lacks, its execution by hand, or gas for the return leg of a
 * delivery that failed.
 */
export const expressRecoveries = async (
  deps: ExpressRecoverDeps,
  quote: QuoteRecord,
  lookup: Lookup,
): Promise<readonly RecoveryCall[]> => {
  const { found } = await findTransfer(deps, quote, lookup)
  if (found === undefined || !found.message.receipt.final) return []
  const sides = sidesOf(deps, quote, found.bound)
  if (sides === undefined) return []
  const hint = await deps.axelarscan.findMessage(found.message.messageId)
  const events = await readDestination(deps, { quote, found, hint })
  if (events.some(({ kind }) => kind === 'delivered')) return []
  if (!events.some(({ kind }) => kind === 'returned'))
    return hint === undefined || hint.invalid !== undefined ? [] : deliver(deps, found, sides, hint)
  const due = await dueReturn(deps, quote, found)
  return due === undefined ? [] : [gasRecovery({ ...due, chainId: quote.toChain, leadsTo: 'REFUNDED' })]
}
