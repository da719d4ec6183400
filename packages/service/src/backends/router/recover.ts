import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { executeMessageData } from '../../protocols/axelar/gateway-approval.ts'
import type { Axelarscan } from '../../protocols/axelar/gmp.ts'
import type { GmpMessage } from '../../protocols/axelar/gmp-message.ts'
import type { Lookup, RecoveryCall } from '../backend.ts'
import { evmRecovery, gasRecovery } from '../message-recovery.ts'
import type { SourceDeps } from '../source-message.ts'
import { arrivingMessage, tryDelivery } from './delivery-trial.ts'
import { executionGas, giveBackData, NOBODY, poolsOf } from './express-contract.ts'
import type { MessageFees } from './gas-fees.ts'
import { dueReturn, type ReturnDeps, returnFee } from './return-gas.ts'
import type { BridgeSide } from './routes.ts'
import { type FoundTransfer, findTransfer, readDestination } from './track.ts'

export type RouterRecoverDeps = SourceDeps &
  ReturnDeps & {
    readonly axelarscan: Pick<Axelarscan, 'findMessage'>
    readonly fees: MessageFees
    readonly bridges: readonly BridgeSide[]
  }

type Sides = { readonly from: BridgeSide; readonly to: BridgeSide }

const sidesOf = (
  { bridges }: RouterRecoverDeps,
  { fromChain, toChain }: QuoteRecord,
  { router }: FoundTransfer['bound'],
): Sides | undefined => {
  const side = (chainId: string) =>
    bridges.find((bridge) => bridge.router === router && bridge.chain.chainId === chainId)
  const [from, to] = [side(fromChain), side(toChain)]
  return from === undefined || to === undefined ? undefined : { from, to }
}

const addGas = async (
  { fees }: RouterRecoverDeps,
  { message, bound }: FoundTransfer,
  { from, to }: Sides,
): Promise<readonly RecoveryCall[]> => {
  await fees.know(from, to)
  const fee = fees.of(from, to, executionGas(poolsOf(bound.order.outputPath)))
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

/** Who may execute a delivery and give a transfer back at a time of the destination's chain, besides the keeper. */
const entitled = ({ order }: FoundTransfer['bound'], evm: Pick<EvmChain, 'head'>) => {
  const seconds = evm.head()?.timestampSeconds ?? 0
  const isReserved = order.executor !== NOBODY && seconds <= order.priorityUntilSeconds
  const isForAll = seconds > order.returnAfterSeconds
  return {
    execute: isReserved ? [order.executor] : undefined,
    giveBack: isForAll ? undefined : [order.refundAddress, order.recipient],
  }
}

/** What delivers an approved transfer, or gives it back while its delivery fails. */
const settle = async (
  deps: RouterRecoverDeps,
  quote: QuoteRecord,
  { bound, amount }: FoundTransfer,
  commandId: string,
): Promise<readonly RecoveryCall[]> => {
  const evm = deps.evmChains.get(quote.toChain)
  if (evm === undefined) return []
  const arriving = { bound, amount, commandId }
  const trial = await tryDelivery(evm, arriving)
  if (trial === 'not_approved') return []
  const message = arrivingMessage(arriving)
  const by = entitled(bound, evm)
  const called = { chainId: quote.toChain, to: bound.router }
  if (trial === 'deliverable')
    return [
      evmRecovery({
        ...called,
        kind: 'execute',
        label: 'Execute the approved message',
        leadsTo: 'DONE',
        dataBy: () => executeMessageData(message),
        value: 0n,
        by: by.execute,
      }),
    ]
  const value = await returnFee(deps, quote, bound)
  if (value === undefined) return []
  return [
    evmRecovery({
      ...called,
      kind: 'refund',
      label: 'Give the transfer back',
      leadsTo: 'REFUNDED',
      dataBy: () => giveBackData(message),
      value,
      by: by.giveBack,
    }),
  ]
}

/** What moves a transfer on that was neither delivered nor given back. */
const advance = async (
  deps: RouterRecoverDeps,
  quote: QuoteRecord,
  { found, sides }: { readonly found: FoundTransfer; readonly sides: Sides },
  { gasInsufficient, commandId }: GmpMessage,
): Promise<readonly RecoveryCall[]> => [
  ...(gasInsufficient ? await addGas(deps, found, sides) : []),
  ...(commandId === undefined ? [] : await settle(deps, quote, found, commandId)),
]

/**
 * What moves a router's transfer on: gas that its message lacks, its execution by hand, giving back what cannot be
 * delivered, or gas for the way back.
 */
export const routerRecoveries = async (
  deps: RouterRecoverDeps,
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
  const returned = events.find(({ kind, amount }) => kind === 'returned' && amount === found.amount)
  if (returned === undefined)
    return hint === undefined || hint.invalid !== undefined
      ? []
      : advance(deps, quote, { found, sides }, hint)
  const due = await dueReturn(deps, quote, found, returned)
  return due === undefined ? [] : [gasRecovery({ ...due, chainId: quote.toChain, leadsTo: 'REFUNDED' })]
}
