import type { BackendType } from './backend-type.ts'

/** The part of a receipt's log that identifies an event; `logs` of a receipt are in order of emission. */
type EventLog = { readonly topics: readonly string[] }

/** The gateway event that each backend's transfer emits: topic 0, then its sender. Source: IAxelarGateway. */
const MESSAGE_EVENT: Readonly<Partial<Record<BackendType, string>>> = {
  // ContractCall(address indexed sender, string, string, bytes32 indexed payloadHash, bytes)
  its: '0x30ae6cc78c27e651745bf2ad08a11de83910ac1e347a52f7ac898c0fbef94dae',
  // TokenSent(address indexed sender, string, string, string, uint256)
  gateway: '0x651d93f66c4329630e8d0f62488eff599e3be484da587335e8dc0fcf46062726',
  // ContractCallWithToken(address indexed sender, string, string, bytes32 indexed payloadHash, bytes, string, uint256)
  'gateway-express': '0x7e50569d26be643bda7757722291ec66b1be66d8283474ae3fab5a98f878a7a2',
}

/**
 * What names a backend's transfers: a gateway event that `messageIdOf` can find, or the quote alone. Source: interface "GET /v1/rfq/status" rules 1 and 2.
 */
export const namedBy = (backend: BackendType): 'event' | 'quote' =>
  MESSAGE_EVENT[backend] === undefined ? 'quote' : 'event'

/**
 * The message id of a mined transfer: its hash, a hyphen and the position of the gateway's event inside the receipt's
 * own logs (not the block-wide log index). `caller` is who called the gateway: the contract for `its` and
 * `gateway-express`, the user for `gateway`. Undefined when there is no such event.
 */
export const messageIdOf = (
  backend: BackendType,
  receipt: { readonly transactionHash: string; readonly logs: readonly EventLog[] },
  caller: string,
): string | undefined => {
  const event = MESSAGE_EVENT[backend]
  const sender = `0x${caller.slice(2).toLowerCase().padStart(64, '0')}`
  const position = receipt.logs.findIndex(
    ({ topics }) => topics[0] === event && topics[1]?.toLowerCase() === sender,
  )
  return position === -1 ? undefined : `${receipt.transactionHash.toLowerCase()}-${position}`
}
