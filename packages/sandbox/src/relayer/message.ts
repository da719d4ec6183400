import { concat, keccak256, toHex } from 'viem'
import { CHAIN_PLANS } from '../deploy/plan.ts'
import type { Hex } from '../deployment-types.ts'

/** A transaction's position on a chain; its block may still be reorganised. */
export type Landing = {
  /** `0x` hex on EVM chains and Stellar, base58 on Solana. */
  readonly txHash: string
  readonly blockNumber: bigint
  /** Seconds since the Unix epoch. */
  readonly timestampSeconds: number
}

/** A gateway call as its source emitted it; addresses of EVM chains are in EIP-55. */
export type MessageCall = {
  readonly event: 'ContractCall' | 'ContractCallWithToken'
  /** The id where it does not follow from the landing. */
  readonly messageId?: string
  /** Axelar name of the source; the hub's chain for a second hop. */
  readonly source: string
  readonly landing: Landing
  readonly transactionIndex: number
  /** Position in the block's logs and in the receipt's logs; the latter is part of the message id. */
  readonly logIndex: number
  readonly eventIndex: number
  /** The signer of the source transaction. */
  readonly from: string
  readonly contract: string
  readonly sender: string
  readonly destination: string
  readonly destinationAddress: string
  readonly payload: Hex
  readonly payloadHash: Hex
  /** The gateway token sent with it: its symbol on the source chain, and base units. */
  readonly token?: { readonly symbol: string; readonly amount: bigint }
}

/** A payment for a message's relay in wei of the source; `id` identifies additions that are read twice. */
export type GasPayment = {
  readonly id: string
  readonly txHash: string
  readonly blockNumber: bigint
  readonly amount: bigint
  readonly refundAddress: string
  /** Whether the payment asks for express delivery. */
  readonly isExpress: boolean
}

/** The ITS transfer carried by a message; amounts in base units of each side. */
type InterchainTransfer = {
  readonly tokenId: Hex
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly amount: bigint
  readonly amountReceived: bigint
  readonly destination: string
  readonly destinationAddress: Hex
}

/** Why a message can never be executed. */
type Invalidity =
  | 'invalid_destination_chain'
  | 'invalid_contract_address'
  | 'invalid_source_address'
  | 'invalid_call'

/** A failed relay attempt; `final` ones are not retried. */
type Fault = { readonly message: string; readonly timestampSeconds: number; readonly final: boolean }

/** One message in flight and the known results of each step, from which its stage follows. */
export type Message = {
  readonly id: string
  readonly commandId: Hex
  readonly call: MessageCall
  /** Payments made with the message and added later; a second hop is paid by its first. */
  readonly payments: readonly GasPayment[]
  /** The first hop's id in a hub's second hop, and the second hop's id in a first. */
  readonly parentId: string | null
  readonly childId: string | null
  readonly transfer: InterchainTransfer | null
  readonly confirmedAtSeconds: number
  /** Whether axelar-core has routed the message to its destination. */
  readonly isRouted: boolean
  /** Whether its event has failed at axelar-core, until somebody retries it. */
  readonly hasFailedAtCore: boolean
  readonly approved: Landing | null
  readonly executed: Landing | null
  readonly invalid: Invalidity | null
  readonly fault: Fault | null
  /** The gas shortfall at the last check. */
  readonly shortOf: 'base_fee' | 'execution_fee' | null
  readonly failures: number
  /** Milliseconds since the Unix epoch before which the relay is not retried. */
  readonly retryAt: number
}

/** `txHash-N`, where N is the gateway event's position in the receipt's logs. */
export const messageIdOf = (txHash: string, eventIndex: number): string =>
  `${txHash.toLowerCase()}-${eventIndex}`

/**
 * The message's id on the destination's gateway: of an EVM chain as axelar-core derives it for its gateways, elsewhere as amplifier's
 * gateways do.
 */
const commandIdOf = ({ source, destination }: MessageCall, messageId: string): Hex => {
  const plan = CHAIN_PLANS.find(({ axelarName }) => axelarName === destination)
  return plan === undefined
    ? keccak256(toHex(`${source}_${messageId}`))
    : keccak256(concat([toHex(messageId), toHex(plan.chainNumber)]))
}

/** Whether a message needs no further step unless a reorg undoes one or somebody retries it. */
export const isFinished = (message: Message): boolean =>
  message.hasFailedAtCore ||
  message.executed !== null ||
  message.invalid !== null ||
  message.fault?.final === true

/** The initial state of a message. */
export const newMessage = (
  call: MessageCall,
  payments: readonly GasPayment[],
  parentId: string | null,
  nowMs: number,
): Message => {
  const id = call.messageId ?? messageIdOf(call.landing.txHash, call.eventIndex)
  return {
    id,
    commandId: commandIdOf(call, id),
    call,
    payments,
    parentId,
    childId: null,
    transfer: null,
    confirmedAtSeconds: Math.floor(nowMs / 1000),
    isRouted: false,
    hasFailedAtCore: false,
    approved: null,
    executed: null,
    invalid: null,
    fault: null,
    shortOf: null,
    failures: 0,
    retryAt: 0,
  }
}
