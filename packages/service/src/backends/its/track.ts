import type { ChainId, ItsDetails, ReasonCode, RelayStage, TransferSource } from '@openrfq/sdk'
import { addressTopic, uintAt } from '../../chains/evm/abi-words.ts'
import type { EvmReceipt } from '../../chains/evm/evm-chain.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { RpcError } from '../../chains/rpc/rpc-error.ts'
import { solanaKeyBytes } from '../../chains/solana/key-bytes.ts'
import { toIso } from '../../core/instant.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { requireBinding } from '../../core/require-binding.ts'
import type { Observation } from '../../core/transfer.ts'
import type { Closed } from '../../core/written.ts'
import { once } from '../../lib/once.ts'
import { CONTRACT_CALL_TOPIC } from '../../protocols/axelar/gateway-contract.ts'
import type { Axelarscan } from '../../protocols/axelar/gmp.ts'
import type { GmpMessage } from '../../protocols/axelar/gmp-message.ts'
import type { Hub } from '../../protocols/axelar/hub.ts'
import {
  hubCallData,
  interchainTransferTemplate,
  TRANSFER_RECEIVED_TOPIC,
  transferReceivedData,
} from '../../protocols/axelar/its-contract.ts'
import type { Lookup } from '../backend.ts'
import { type DeliveryDeps, verifyDelivery } from '../delivery.ts'
import { relayStage } from '../relay-stage.ts'
import { type ExpectedMessage, isSameLog } from '../source-message.ts'
import { trackMessage } from '../track-message.ts'
import type { Followed } from './followed.ts'
import { trackFromSolana } from './from-solana.ts'
import { outputOf } from './limits.ts'
import { verifyReceived } from './received.ts'
import { verifyOnSolana } from './received-on-solana.ts'

export type ItsTrackDeps = DeliveryDeps & {
  readonly axelarscan: Pick<Axelarscan, 'findMessage'>
  readonly paymentChains: ReadonlyMap<ChainId, Pick<PaymentChain, 'contracts' | 'programs'>>
  /** Undefined where the network file does not say how to ask the hub. */
  readonly hub: Pick<Hub, 'message' | 'token' | 'chain'> | undefined
}

/**
 * Why the hub or the router behind it refuses a transfer, by the texts of their errors. Source: axelar-amplifier, `Error` of
 * interchain-token-service 1.3 and of router-api.
 */
const HUB_REASONS: readonly (readonly [RegExp, ReasonCode])[] = [
  [/execution is currently disabled|routing is disabled/i, 'hub_disabled'],
  [/chain (\S+ )?is frozen/i, 'hub_frozen'],
  [/not deployed on chain|chain (is )?not found|unknown its address/i, 'not_on_hub'],
  [/supply invariant violated/i, 'supply_short'],
  [/invalid transfer amount/i, 'amount_too_small'],
]

const hubReason = (error: string): ReasonCode | undefined =>
  HUB_REASONS.find(([text]) => text.test(error))?.[1]

/** Index of the amount in the data of `InterchainTransferReceived`. */
const RECEIVED_AMOUNT_WORD = 2

/** The recipient as the message names it, as `0x` hex. */
export const recipientOf = ({ recipient, binding }: QuoteRecord): string =>
  typeof binding['recipientBytes'] === 'string' ? binding['recipientBytes'] : recipient

/** The sender as a delivery names it, as `0x` hex: an EVM address, or the 32 bytes of a Solana wallet. */
export const senderOf = ({ sender }: QuoteRecord): string =>
  sender.startsWith('0x') ? sender : `0x${Buffer.from(solanaKeyBytes(sender)).toString('hex')}`

/** The message that the quote's transaction sends. */
export const expectedMessage = (quote: QuoteRecord): ExpectedMessage => {
  const tokenId = requireBinding(quote, 'tokenId')
  const its = requireBinding(quote, 'sourceIts')
  const hubChain = requireBinding(quote, 'hubChain')
  const hubAddress = requireBinding(quote, 'hubAddress')
  const destinationChain = requireBinding(quote, 'destinationAxelarChain')
  const { sender, input } = quote
  const recipient = recipientOf(quote)
  const among = {
    address: requireBinding(quote, 'sourceGateway'),
    topics: [CONTRACT_CALL_TOPIC, addressTopic(its)],
  }
  const data = once(() =>
    hubCallData(hubChain, hubAddress, { tokenId, destinationChain, sender, recipient, amount: input }),
  )
  return {
    contract: its,
    calldata: once(() =>
      interchainTransferTemplate(
        tokenId,
        destinationChain,
      )({ recipient, amount: input, gasValue: BigInt(requireBinding(quote, 'gasValue')) }),
    ),
    matches: (emitted) => isSameLog(emitted, { ...among, data: data() }),
    among,
  }
}

/**
 * The amount that ITS gave the recipient with the given command, in base units; undefined if the receipt contains none.
 * Without a command the amount must be the quote's: there may be other transfers between the same accounts.
 */
const receivedBy =
  (quote: QuoteRecord, commandId: string | undefined) =>
  (receipt: EvmReceipt): bigint | undefined => {
    const sourceChain = requireBinding(quote, 'sourceAxelarChain')
    for (const log of receipt.logs) {
      const amount = uintAt(log.data, RECEIVED_AMOUNT_WORD)
      const command = commandId ?? log.topics[1]
      if (amount === undefined || command === undefined) continue
      const expected = {
        address: requireBinding(quote, 'destinationIts'),
        topics: [
          TRANSFER_RECEIVED_TOPIC,
          command,
          requireBinding(quote, 'tokenId'),
          addressTopic(quote.recipient),
        ],
        data: transferReceivedData(sourceChain, senderOf(quote), amount),
      }
      if (commandId === undefined && amount !== quote.output) continue
      if (isSameLog(log, expected)) return amount
    }
    return undefined
  }

/**
 * One message of the transfer, as `details.hops` shows it; times are ISO 8601, present once Axelar's indexer knows
 * them.
 */
type Hop = {
  readonly from: string
  readonly to: string
  readonly messageId: string
  readonly status: string
  readonly approvedAt?: string
  readonly executedAt?: string
}

const hopOf = (from: string, to: string, message: GmpMessage): Hop => ({
  from,
  to,
  messageId: message.messageId,
  status: message.status,
  ...(message.approvedAt === undefined ? {} : { approvedAt: toIso(message.approvedAt) }),
  ...(message.executedAt === undefined ? {} : { executedAt: toIso(message.executedAt) }),
})

/** A message that does not move on, and the transfer's details so far. */
type Halted = {
  readonly source: Followed
  readonly message: GmpMessage
  readonly details: Closed<ItsDetails>
}

/** Why a message does not move on, as the indexer tells it; undefined if it says nothing of the kind. Its word alone ends no transfer. */
const obstacleOf = ({ source: { source, final }, message, details }: Halted): Observation | undefined => {
  const { invalid, error } = message
  const inFlight = (stage: RelayStage, more: Closed<ItsDetails> = {}): Observation => ({
    seen: 'in_flight',
    source,
    details: { ...details, ...more, stage },
  })
  const extra = error === undefined ? {} : { error }
  if (invalid !== undefined) return inFlight('invalid_message', { ...extra, reasonCode: invalid })
  if (message.gasInsufficient && final) return inFlight('gas_insufficient', { actionRequired: 'add_gas' })
  if (error !== undefined) return inFlight('execution_error', extra)
  if (message.confirmFailed) return inFlight('confirmation_failed', { actionRequired: 'confirm' })
  return undefined
}

/**
 * Whether the hub itself shows that it can never execute a message: it waits there, and the decimals of the token on both chains, which never
 * change, scale the quote's input to nothing or to more than the destination has. False if the hub cannot be read.
 */
const isNeverExecuted = async (
  { hub, log }: ItsTrackDeps,
  quote: QuoteRecord,
  messageId: string,
): Promise<boolean> => {
  const [from, to, tokenId] = [
    requireBinding(quote, 'sourceAxelarChain'),
    requireBinding(quote, 'destinationAxelarChain'),
    requireBinding(quote, 'tokenId'),
  ]
  if (hub === undefined) return false
  try {
    const [message, here, there, chain] = await Promise.all([
      hub.message(from, messageId),
      hub.token(from, tokenId),
      hub.token(to, tokenId),
      hub.chain(to),
    ])
    if (message !== 'approved' || here === undefined || there === undefined || chain === undefined)
      return false
    // Without a difference the hub scales nothing, and refuses no amount.
    if (here.decimals === there.decimals) return false
    const scaled = outputOf(quote.input, here.decimals, there.decimals)
    return scaled === 0n || scaled >= 2n ** BigInt(chain.maxUintBits)
  } catch (error) {
    log('warn', 'hub_message_read_failed', { quoteId: quote.quoteId, messageId, error })
    return false
  }
}

/** Observes a message that the hub has not passed on: refused for a cause that may end, refused for ever, or on its way there. */
const atHub = async (deps: ItsTrackDeps, quote: QuoteRecord, halted: Halted): Promise<Observation> => {
  const { source: followed, message, details } = halted
  const { source, final, messageId } = followed
  const { error, invalid } = message
  const reasonCode = error === undefined || invalid !== undefined ? undefined : hubReason(error)
  if (reasonCode === undefined)
    return (
      obstacleOf(halted) ?? {
        seen: 'in_flight',
        source,
        details: { ...details, stage: relayStage(message.status) },
      }
    )
  const told = { ...details, ...(error === undefined ? {} : { error }), reasonCode }
  if (reasonCode !== 'amount_too_small')
    return {
      seen: 'in_flight',
      source,
      details: { ...told, stage: 'hub_refused', actionRequired: 'execute_at_hub' },
    }
  const isOver = final && (await isNeverExecuted(deps, quote, messageId))
  return { seen: isOver ? 'failed' : 'in_flight', source, details: { ...told, stage: 'invalid_message' } }
}

/**
 * Whether the destination shows a delivery as the quote's: to its recipient, from its sender, of its amount. Rejects if the
 * chain cannot be read.
 */
const isDelivered = async ({ evmChains }: ItsTrackDeps, quote: QuoteRecord): Promise<boolean> => {
  const chain = evmChains.get(quote.toChain)
  if (chain === undefined) throw new RpcError('NO_HEAD', `the head of ${quote.toChain} is unknown`)
  const data = transferReceivedData(requireBinding(quote, 'sourceAxelarChain'), senderOf(quote), quote.output)
  const logs = await chain.recentLogs({
    address: requireBinding(quote, 'destinationIts'),
    topics: [
      TRANSFER_RECEIVED_TOPIC,
      null,
      requireBinding(quote, 'tokenId').toLowerCase(),
      addressTopic(quote.recipient),
    ],
  })
  return logs.some((log) => log.data.toLowerCase() === data)
}

/** How long after a healthy message would be delivered it is not believed that one never can be. */
const PATIENCE_SECONDS = 3_600

/** Whether a delivery of the quote's transfer is long overdue, by the time of the destination's newest block. */
const isOverdue = (
  { evmChains }: ItsTrackDeps,
  { toChain, estimatedTimeSeconds }: QuoteRecord,
  { timestamp }: TransferSource,
): boolean => {
  const sentAt = Date.parse(timestamp) / 1000
  const newest = evmChains.get(toChain)?.head()?.timestampSeconds ?? 0
  return newest - sentAt >= estimatedTimeSeconds + PATIENCE_SECONDS
}

/**
 * A failure counts only once the delivery is long overdue and while the destination shows none, since one node of Axelar shows
 * that the message can never be executed; FAILED is never taken back.
 */
const unlessDelivered = async (
  deps: ItsTrackDeps,
  quote: QuoteRecord,
  observation: Observation,
): Promise<Observation> => {
  if (observation.seen !== 'failed') return observation
  const inFlight = (stage: RelayStage): Observation => ({
    ...observation,
    seen: 'in_flight',
    details: { ...observation.details, stage },
  })
  // The events of other families are read by their transaction alone, so nothing shows that there was no delivery.
  if (quote.binding['recipientBytes'] !== undefined) return inFlight('delivery_not_verified')
  try {
    if (await isDelivered(deps, quote)) return inFlight('delivery_not_verified')
    return isOverdue(deps, quote, observation.source) ? observation : inFlight('invalid_message')
  } catch (error) {
    deps.log('warn', 'delivery_read_failed', { quoteId: quote.quoteId, error })
    return inFlight('destination_unreadable')
  }
}

/**
 * Follows the message through the hub in Axelar's indexer and verifies its delivery on chain. A delivery fronted by an
 * executor counts: it emits the same log, and the later execution only repays the executor.
 */
const follow = async (deps: ItsTrackDeps, quote: QuoteRecord, message: Followed): Promise<Observation> => {
  const { source, final, messageId } = message
  const inFlight = (stage: RelayStage, hops: readonly Hop[]): Observation => ({
    seen: 'in_flight',
    source,
    details: { stage, hops },
  })
  const hub = requireBinding(quote, 'hubChain')
  const from = requireBinding(quote, 'sourceAxelarChain')
  const toHub = await deps.axelarscan.findMessage(messageId, from)
  if (toHub === undefined) return inFlight(final ? 'awaiting_relay' : 'awaiting_finality', [])
  const first = [hopOf(from, hub, toHub)]
  if (toHub.childMessageId === undefined)
    return atHub(deps, quote, { source: message, message: toHub, details: { hops: first } })
  const fromHub = await deps.axelarscan.findMessage(toHub.childMessageId, hub)
  if (fromHub === undefined) return inFlight('leaving_hub', first)
  const hops = [...first, hopOf(hub, requireBinding(quote, 'destinationAxelarChain'), fromHub)]
  const { contracts, programs } = deps.paymentChains.get(quote.toChain) ?? {}
  const { executedTransaction: named } = fromHub
  if (contracts !== undefined && named !== undefined) {
    const txHash = named.replace(/^0x/, '').toLowerCase()
    return verifyReceived({ contracts, log: deps.log }, { quote, source, txHash, details: { hops } }, fromHub)
  }
  if (programs !== undefined && named !== undefined) {
    const hint = { quote, source, txHash: named, details: { hops } }
    return verifyOnSolana({ programs, log: deps.log }, hint, fromHub)
  }
  const txHash = fromHub.expressTxHash ?? fromHub.executedTxHash
  if (txHash === undefined)
    return (
      obstacleOf({ source: message, message: fromHub, details: { hops } }) ??
      inFlight(relayStage(fromHub.status), hops)
    )
  return verifyDelivery(
    deps,
    { quote, source, txHash, details: { hops } },
    receivedBy(quote, fromHub.commandId),
  )
}

/** Observes an interchain transfer. */
export const trackTransfer = async (
  deps: ItsTrackDeps,
  quote: QuoteRecord,
  lookup: Lookup,
): Promise<Observation> => {
  const followed = async (message: Followed): Promise<Observation> =>
    unlessDelivered(deps, quote, await follow(deps, quote, message))
  return (
    trackFromSolana(deps, quote, lookup, followed) ??
    trackMessage(deps, {
      quote,
      lookup,
      expected: expectedMessage(quote),
      follow: ({ messageId, source, receipt }) => followed({ messageId, source, final: receipt.final }),
    })
  )
}
