import type { BackendType } from '../wire/backend-type.ts'
import type { Quote } from '../wire/quote.ts'

// ContractCallWithToken(address indexed sender, string, string, bytes32 indexed payloadHash, bytes, string, uint256)
const CALL_WITH_TOKEN = '0x7e50569d26be643bda7757722291ec66b1be66d8283474ae3fab5a98f878a7a2'

/**
 * Topic 0 of the gateway event that each backend's transfer emits, whose topic 1 is the contract that the user calls; null when
 * the quote identifies the transfer. The service declares the same table, and its tests compare both. Source: IAxelarGateway.
 */
const MESSAGE_TOPIC = {
  intent: null,
  // ContractCall(address indexed sender, string, string, bytes32 indexed payloadHash, bytes)
  its: '0x30ae6cc78c27e651745bf2ad08a11de83910ac1e347a52f7ac898c0fbef94dae',
  gateway: CALL_WITH_TOKEN,
  'gateway-express': CALL_WITH_TOKEN,
} as const satisfies Record<BackendType, string | null>

/**
 * How a backend's transfers are identified: by a gateway event that `messageIdOf` finds, or by the quote alone. Source:
 * interface "GET /v1/rfq/status" rules 1 and 2.
 */
export const namedBy = (backend: BackendType): 'event' | 'quote' =>
  MESSAGE_TOPIC[backend] === null ? 'quote' : 'event'

/**
 * The fields of an EVM receipt that make a message id; `logs` are all of the transaction's, in order.
 * @example
 * const receipt: MessageReceipt = { transactionHash: '0x…', logs: [{ topics: ['0x…', '0x…'] }] }
 */
export type MessageReceipt = {
  readonly transactionHash: string
  readonly logs: readonly { readonly topics: readonly string[] }[]
}

/**
 * The `messageId` argument of `getStatus` for a quote whose last action is mined: the transaction's hash, a hyphen and
 * the gateway event's position among the receipt's own logs (not the block-wide log index). Undefined for quotes that
 * need none, and when the receipt lacks the event.
 * @example
 * const statusOf = (client: Client, quote: Quote, receipt: MessageReceipt) =>
 *   client.getStatus({
 *     quoteId: quote.quoteId,
 *     messageId: messageIdOf(quote, receipt),
 *     sourceChain: quote.input.chain,
 *   })
 */
export const messageIdOf = ({ backend, actions }: Quote, receipt: MessageReceipt): string | undefined => {
  const payload = actions.at(-1)?.payload
  const topic = backend.type === 'unknown' ? null : MESSAGE_TOPIC[backend.type]
  if (topic === null || payload?.type !== 'evm_transaction') return undefined
  const callerTopic = `0x${payload.to.slice(2).toLowerCase().padStart(64, '0')}`
  const position = receipt.logs.findIndex(
    ({ topics }) => topics[0] === topic && topics[1]?.toLowerCase() === callerTopic,
  )
  return position === -1 ? undefined : `${receipt.transactionHash.toLowerCase()}-${position}`
}
