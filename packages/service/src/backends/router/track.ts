import type { ChainId, RelayStage, RouterDetails } from '@openrfq/sdk'
import { addressTopic, uintAt } from '../../chains/evm/abi-words.ts'
import type { EvmChain, EvmLog } from '../../chains/evm/evm-chain.ts'
import { ConfigError } from '../../core/config-error.ts'
import { toIso } from '../../core/instant.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Observation } from '../../core/transfer.ts'
import type { Closed } from '../../core/written.ts'
import { once } from '../../lib/once.ts'
import { type AxelarCore, EVENT_TIMEOUT_MS } from '../../protocols/axelar/core.ts'
import { CONTRACT_CALL_WITH_TOKEN_TOPIC } from '../../protocols/axelar/gateway-contract.ts'
import type { Axelarscan } from '../../protocols/axelar/gmp.ts'
import type { GmpMessage } from '../../protocols/axelar/gmp-message.ts'
import type { Lookup } from '../backend.ts'
import { countingReceipt, type DeliveryDeps, finalityDetails } from '../delivery.ts'
import { relayStage } from '../relay-stage.ts'
import {
  type ExpectedMessage,
  isSameLog,
  readSource,
  type SourceDeps,
  type SourceMessage,
} from '../source-message.ts'
import { type BoundTransfer, boundTransfer } from './binding.ts'
import { type FailingDeliveries, tryDelivery } from './delivery-trial.ts'
import { callWithTokenData, sendData } from './express-contract.ts'
import { type RouterEvent, readRouterEvents, returnGasPaid, returnPosition } from './router-events.ts'

export type RouterTrackDeps = DeliveryDeps & {
  readonly axelarscan: Pick<Axelarscan, 'findMessage'>
  readonly core: Pick<AxelarCore, 'eventStatus' | 'activeChains'>
  /** Whether the keeper has signed the gas payment of a transfer's return leg and it may be mined. */
  readonly isReturnPaid: (transferId: string) => Promise<boolean>
  readonly failing: Pick<FailingDeliveries, 'note'>
}

/** Index of the amount in the data of `ContractCallWithToken`. */
const AMOUNT_WORD = 4
/** Index of the payload hash among its topics. */
const PAYLOAD_HASH_TOPIC = 2

/** The path of an input that is bridged without a swap. */
const NO_SWAP = '0x'

/**
 * The gateway's log belongs to the quote if the quote's message, rebuilt with the decoded amount, equals it byte for
 * byte. The order's salt tells most of the others apart without rebuilding it.
 */
const isMessageOf = (bound: BoundTransfer, { sender }: QuoteRecord) => {
  const { sourceChain, sourceChainId, router, order } = bound
  const salt = order.salt.slice(2).toLowerCase()
  return (log: EvmLog): boolean => {
    if (!log.data.toLowerCase().includes(salt)) return false
    const amount = uintAt(log.data, AMOUNT_WORD)
    if (amount === undefined || amount < order.minimumBridgeAmount) return false
    if (order.inputPath === NO_SWAP && amount !== order.inputAmount) return false
    const sent = { sourceChain, sourceChainId, sender, amount }
    return isSameLog(log, {
      address: bound.sourceGateway,
      topics: [CONTRACT_CALL_WITH_TOKEN_TOPIC, addressTopic(bound.router)],
      data: callWithTokenData({ router, order, sent }),
    })
  }
}

/** The message that the quote's transaction sends. */
export const expectedMessage = (quote: QuoteRecord): ExpectedMessage => {
  const bound = boundTransfer(quote)
  return {
    contract: bound.router,
    calldata: once(() => sendData(bound.order)),
    matches: isMessageOf(bound, quote),
    among: {
      address: bound.sourceGateway,
      topics: [CONTRACT_CALL_WITH_TOKEN_TOPIC, addressTopic(bound.router)],
    },
  }
}

/** A transfer whose message was found: its id, and the bridged amount in base units. */
export type FoundTransfer = {
  readonly message: SourceMessage
  readonly bound: BoundTransfer
  readonly transferId: string
  readonly amount: bigint
}

/** Finds the quote's message on its source chain, or returns the observation to report without one. */
export const findTransfer = async (
  deps: SourceDeps,
  quote: QuoteRecord,
  lookup: Lookup,
): Promise<
  { readonly found: FoundTransfer } | { readonly found: undefined; readonly observation: Observation }
> => {
  const bound = boundTransfer(quote)
  const reading = await readSource(deps, { quote, lookup, expected: expectedMessage(quote) })
  if (reading.found === undefined) return reading
  const log = reading.found.receipt.logs[reading.found.logPosition]
  const transferId = log?.topics[PAYLOAD_HASH_TOPIC]
  const amount = log === undefined ? undefined : uintAt(log.data, AMOUNT_WORD)
  if (transferId === undefined || amount === undefined)
    return { found: undefined, observation: { seen: 'mismatched', details: {} } }
  return { found: { message: reading.found, bound, transferId, amount } }
}

const chainOf = ({ evmChains }: SourceDeps, chainId: ChainId): EvmChain => {
  const chain = evmChains.get(chainId)
  if (chain === undefined) throw new ConfigError(`chain ${chainId} is not configured any more`)
  return chain
}

const hashesOf = (hint: GmpMessage | undefined): readonly string[] =>
  [hint?.expressTxHash, hint?.executedTxHash].flatMap((txHash) => txHash ?? [])

/** A quote's transfer, and where Axelar's indexer says to look; undefined if it said nothing. */
type Hinted = {
  readonly quote: QuoteRecord
  readonly found: FoundTransfer
  readonly hint: GmpMessage | undefined
}

/** The destination router's events for a transfer. Rejects if the chain cannot be read. */
export const readDestination = (
  deps: SourceDeps,
  { quote, found: { bound, transferId }, hint }: Hinted,
): Promise<readonly RouterEvent[]> =>
  readRouterEvents(
    chainOf(deps, quote.toChain),
    {
      router: bound.router,
      transferId,
      delivered: { token: quote.toToken, payee: quote.recipient },
      returned: { token: bound.destinationBridge },
    },
    hashesOf(hint),
  )

/** A quote's transfer, the router's event for it, and its other known facts. */
type Handled = {
  readonly quote: QuoteRecord
  readonly found: FoundTransfer
  readonly event: RouterEvent
  readonly details: Closed<RouterDetails>
}

const delivered = async (
  deps: DeliveryDeps,
  { quote, found, event: { receipt, amount }, details }: Handled,
): Promise<Observation> => {
  const { source } = found.message
  const counting = await countingReceipt(deps, quote, receipt)
  if (counting === undefined)
    return { seen: 'in_flight', source, details: { ...details, stage: 'delivered_not_final' } }
  return {
    seen: 'delivered',
    source,
    destination: {
      chain: quote.toChain,
      txHash: receipt.txHash,
      timestamp: toIso(receipt.timestampSeconds * 1000),
    },
    output: { chain: quote.toChain, token: quote.toToken, amount: amount.toString() },
    details: { ...details, stage: 'delivered', ...finalityDetails(counting) },
  }
}

/** The state of the return leg of a transfer that was finally given back. */
const refunding = async (
  deps: RouterTrackDeps,
  { quote, found, event: { receipt }, details }: Handled,
): Promise<Observation> => {
  const { bound, transferId, amount } = found
  const { source } = found.message
  const position = returnPosition(receipt, bound.destinationGateway, transferId)
  const hint = await hintOf(deps, quote, `${receipt.txHash}-${position}`)
  const events = await readRouterEvents(
    chainOf(deps, quote.fromChain),
    {
      router: bound.router,
      transferId,
      refunded: { token: bound.sourceBridge },
    },
    hashesOf(hint),
  )
  const refund = events.find((candidate) => candidate.amount === amount)
  const reasoned = { ...details, reasonCode: 'delivery_failed' }
  if (refund?.receipt.final === true)
    return {
      seen: 'refunded',
      source,
      refund: {
        chain: quote.fromChain,
        token: bound.sourceBridge,
        amount: amount.toString(),
        txHash: refund.receipt.txHash,
      },
      details: { ...reasoned, stage: 'refunded' },
    }
  if (refund !== undefined)
    return {
      seen: 'refund_sent',
      source,
      details: { ...reasoned, stage: 'refund_not_final', refundTxHash: refund.receipt.txHash },
    }
  const isPaid = returnGasPaid(receipt, bound, found) > 0n || (await deps.isReturnPaid(transferId))
  const isUnrouted = hint === undefined || UNROUTED.has(relayStage(hint.status))
  const failure =
    isPaid && isUnrouted
      ? await coreFailure(deps, quote, {
          from: bound.order.destinationChain,
          to: bound.sourceChain,
          eventId: `${receipt.txHash}-${position}`,
        })
      : undefined
  if (failure !== undefined)
    return { seen: 'refund_sent', source, details: { ...reasoned, ...failure, stage: 'core_failed' } }
  return isPaid
    ? { seen: 'refund_sent', source, details: { ...reasoned, stage: 'returning' } }
    : { seen: 'refund_decided', source, details: { ...reasoned, stage: 'awaiting_return_gas' } }
}

/** How far a message has come that no event of the router shows: what the indexer says, and whether its delivery fails. */
const stageOf = async (deps: RouterTrackDeps, { quote, found, hint }: Hinted): Promise<RelayStage> => {
  const { bound, transferId, amount, message } = found
  if (hint === undefined) return message.receipt.final ? 'awaiting_relay' : 'awaiting_finality'
  const { commandId } = hint
  if (commandId === undefined || hint.invalid !== undefined) return relayStage(hint.status)
  const trial = await tryDelivery(chainOf(deps, quote.toChain), { bound, amount, commandId })
  deps.failing.note(transferId, trial)
  if (trial === 'undeliverable') return 'execution_error'
  const stage = relayStage(hint.status)
  return stage === 'execution_error' ? 'executable' : stage
}

/** The stages of a message that no gateway has approved, in which its event may have failed at axelar-core. */
const UNROUTED: ReadonlySet<RelayStage> = new Set<RelayStage>([
  ...(['awaiting_relay', 'called', 'confirmable', 'confirming', 'confirmed'] as const),
  ...(['approvable', 'approving', 'invalid_message', 'confirmation_failed'] as const),
])

/** Why core says that a message's event has failed; undefined if it does not say so, or cannot be read. An indexer is never asked. */
const coreFailure = async (
  { core, log }: RouterTrackDeps,
  quote: QuoteRecord,
  { from, to, eventId }: { readonly from: string; readonly to: string; readonly eventId: string },
): Promise<Closed<RouterDetails> | undefined> => {
  try {
    if ((await core.eventStatus(from, eventId)) !== 'failed') return undefined
    const isActive = (await core.activeChains(EVENT_TIMEOUT_MS)).has(to.toLowerCase())
    return {
      reasonCode: isActive ? 'core_failed' : 'destination_deactivated',
      actionRequired: 'retry_failed_event',
    }
  } catch (error) {
    log('warn', 'axelar_event_read_failed', { quoteId: quote.quoteId, error })
    return undefined
  }
}

/** Axelar's indexer is only a hint where to look; without it recent blocks are searched. */
const hintOf = async (
  { axelarscan, log }: RouterTrackDeps,
  quote: QuoteRecord,
  messageId: string,
): Promise<GmpMessage | undefined> => {
  try {
    return await axelarscan.findMessage(messageId)
  } catch (error) {
    log('warn', 'axelarscan_transfer_read_failed', { quoteId: quote.quoteId, error })
    return undefined
  }
}

const follow = async (
  deps: RouterTrackDeps,
  quote: QuoteRecord,
  found: FoundTransfer,
): Promise<Observation> => {
  const { message, transferId, amount } = found
  const { source, receipt } = message
  const hint = await hintOf(deps, quote, message.messageId)
  const details: Closed<RouterDetails> = {
    transferId,
    bridgedAmount: amount.toString(),
    ...(hint === undefined ? {} : { backendStatus: hint.status }),
  }
  const events = await readDestination(deps, { quote, found, hint })
  const delivery = events.find((event) => event.kind === 'delivered' && event.amount >= quote.minimumOutput)
  if (delivery !== undefined) return delivered(deps, { quote, found, event: delivery, details })
  const returned = events.find((event) => event.kind === 'returned' && event.amount === amount)
  if (returned === undefined) {
    const stage = await stageOf(deps, { quote, found, hint })
    const failure =
      receipt.final && UNROUTED.has(stage)
        ? await coreFailure(deps, quote, {
            from: found.bound.sourceChain,
            to: found.bound.order.destinationChain,
            eventId: found.message.messageId,
          })
        : undefined
    if (failure !== undefined)
      return { seen: 'in_flight', source, details: { ...details, ...failure, stage: 'core_failed' } }
    return { seen: 'in_flight', source, details: { ...details, stage } }
  }
  const more = { ...details, returnTxHash: returned.receipt.txHash }
  // Until both are final, a reorg may still let the transfer be delivered.
  if (!returned.receipt.final || !receipt.final)
    return { seen: 'in_flight', source, details: { ...more, stage: 'returned_not_final' } }
  return refunding(deps, { quote, found, event: returned, details: more })
}

/**
 * Observes a router's transfer. Delivered is the router's payment to the recipient on the destination, by executor or
 * relayer. A refund is decided once the source and the giving back are final. Source: router/ExpressRouter.sol.
 */
export const trackTransfer = async (
  deps: RouterTrackDeps,
  quote: QuoteRecord,
  lookup: Lookup,
): Promise<Observation> => {
  const reading = await findTransfer(deps, quote, lookup)
  if (reading.found === undefined) return reading.observation
  try {
    return await follow(deps, quote, reading.found)
  } catch (error) {
    deps.log('warn', 'express_transfer_read_failed', { quoteId: quote.quoteId, error })
    const { source } = reading.found.message
    return { seen: 'in_flight', source, details: { stage: 'destination_unreadable', stale: true } }
  }
}
