import { addressTopic, uintAt, uintWord } from '../../chains/evm/abi-words.ts'
import { ERC20_TRANSFER_TOPIC } from '../../chains/evm/erc20.ts'
import type { EvmReceipt } from '../../chains/evm/evm-chain.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { requireBinding } from '../../core/require-binding.ts'
import type { Observation } from '../../core/transfer.ts'
import type { Lookup } from '../backend.ts'
import { type DeliveryDeps, verifyDelivery } from '../delivery.ts'
import {
  type ExpectedMessage,
  isSameLog,
  readSource,
  type SourceDeps,
  type SourceMessage,
} from '../source-message.ts'
import { transferData } from './routes.ts'

const SEARCHED_BLOCKS = 10_000n

/** The payment that the quote's transaction makes to the bridge. */
export const expectedMessage = (quote: QuoteRecord): ExpectedMessage => {
  const bridge = requireBinding(quote, 'sourceBridge')
  const log = {
    address: quote.fromToken,
    topics: [ERC20_TRANSFER_TOPIC, addressTopic(quote.sender), addressTopic(bridge)],
    data: `0x${uintWord(quote.input)}`,
  }
  return {
    contract: quote.fromToken,
    calldata: () => transferData(bridge, quote.input),
    matches: (emitted) => isSameLog(emitted, log),
    among: {
      address: quote.fromToken.toLowerCase(),
      topics: [ERC20_TRANSFER_TOPIC, null, addressTopic(bridge)],
    },
  }
}

/** The payment of the bridge to the recipient, in the topics of the token's log. */
const payoutTopics = (quote: QuoteRecord): readonly string[] => [
  ERC20_TRANSFER_TOPIC,
  addressTopic(requireBinding(quote, 'destinationBridge')),
  addressTopic(quote.recipient),
]

/** The bridge's suffix of a payout's calldata: the source transaction and the position of its event. */
const memoOf = ({ source, logPosition }: SourceMessage): string =>
  source.txHash.slice(2) + uintWord(BigInt(logPosition))

/** The amount that a receipt pays to the recipient for this message; undefined if it pays for another one. */
const paidFor =
  (quote: QuoteRecord, message: SourceMessage) =>
  ({ input, logs }: EvmReceipt): bigint | undefined => {
    if (!input.endsWith(memoOf(message))) return undefined
    const topics = payoutTopics(quote)
    const log = logs.find(
      ({ address, topics: found }) =>
        address === quote.toToken.toLowerCase() && topics.every((topic, index) => found[index] === topic),
    )
    return log === undefined ? undefined : uintAt(log.data, 0)
  }

/** Finds the payout for a message among the bridge's recent payments to the recipient. Rejects if the chain cannot be read. */
const findPayout = async (
  { evmChains }: SourceDeps,
  quote: QuoteRecord,
  message: SourceMessage,
): Promise<string | undefined> => {
  const chain = evmChains.get(quote.toChain)
  const head = chain?.head()
  if (chain === undefined || head === undefined) throw new Error(`${quote.toChain} cannot be read`)
  const fromBlock = head.number > SEARCHED_BLOCKS ? head.number - SEARCHED_BLOCKS : 0n
  const logs = await chain.findLogs({
    address: quote.toToken.toLowerCase(),
    topics: payoutTopics(quote),
    fromBlock,
    toBlock: head.number,
  })
  const paid = paidFor(quote, message)
  for (const { txHash } of logs) {
    const receipt = await chain.receipt(txHash)
    if (receipt !== undefined && paid(receipt) !== undefined) return txHash
  }
  return undefined
}

/** Observes a transfer of the toy. */
export const trackToy = async (
  deps: DeliveryDeps,
  quote: QuoteRecord,
  lookup: Lookup,
): Promise<Observation> => {
  const reading = await readSource(deps, { quote, lookup, expected: expectedMessage(quote) })
  if (reading.found === undefined) return reading.observation
  const { source } = reading.found
  try {
    const txHash = await findPayout(deps, quote, reading.found)
    if (txHash === undefined) return { seen: 'in_flight', source, details: { stage: 'awaiting_relay' } }
    return await verifyDelivery(deps, { quote, source, txHash, details: {} }, paidFor(quote, reading.found))
  } catch (error) {
    deps.log('warn', 'delivery_read_failed', { quoteId: quote.quoteId, error })
    return { seen: 'in_flight', source, details: { stage: 'destination_unreadable', stale: true } }
  }
}
