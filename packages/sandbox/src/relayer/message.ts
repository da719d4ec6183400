import { keccak256, toHex } from 'viem'
import type { Hex } from '../deployment-types.ts'

/** Where something happened on a chain: its block may still be reorganised away. */
export type Landing = {
  readonly txHash: Hex
  readonly blockNumber: bigint
  /** Seconds since the Unix epoch. */
  readonly timestampSeconds: number
}

/** A call through a gateway as its source emitted it; addresses of EVM chains are in EIP-55. */
export type MessageCall = {
  readonly event: 'ContractCall' | 'ContractCallWithToken'
  /** Axelar name of the source; the hub's chain for a second hop. */
  readonly source: string
  readonly landing: Landing
  readonly transactionIndex: number
  /** Position in the block's logs, and position in the receipt's logs: the latter makes the message id. */
  readonly logIndex: number
  readonly eventIndex: number
  /** Who signed the source transaction. */
  readonly from: string
  readonly contract: string
  readonly sender: string
  readonly destination: string
  readonly destinationAddress: string
  readonly payload: Hex
  readonly payloadHash: Hex
  /** The gateway token that goes along: its symbol on the source chain, and base units. */
  readonly token?: { readonly symbol: string; readonly amount: bigint }
}

/** A payment for a message's relay in wei of the source; `id` tells additions apart that are read twice. */
export type GasPayment = {
  readonly id: string
  readonly txHash: Hex
  readonly blockNumber: bigint
  readonly amount: bigint
  readonly refundAddress: string
  /** Whether it asks for a delivery by an express executor. */
  readonly isExpress: boolean
}

/** What the interchain token service moved by a message; amounts in base units of either side. */
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

/** A failed attempt of the relay; `final` ones are not tried again. */
export type Fault = { readonly message: string; readonly timestampSeconds: number; readonly final: boolean }

/** One message on its way, with what is known of each step. Its stage follows from these facts. */
export type Message = {
  readonly id: string
  readonly commandId: Hex
  readonly call: MessageCall
  /** What was paid with the message and added later; a second hop is paid by its first. */
  readonly payments: readonly GasPayment[]
  /** The first hop's id when this is the hub's second hop, and the other way round. */
  readonly parentId: string | null
  readonly childId: string | null
  readonly transfer: InterchainTransfer | null
  readonly confirmedAtSeconds: number
  readonly approved: Landing | null
  readonly executed: Landing | null
  readonly invalid: Invalidity | null
  readonly fault: Fault | null
  /** What the last look at the gas said. */
  readonly shortOf: 'base_fee' | 'execution_fee' | null
  readonly failures: number
  /** Milliseconds since the Unix epoch before which nothing is tried. */
  readonly retryAt: number
}

/** `txHash-N`, N being the position of the gateway's event in the receipt's logs. */
export const messageIdOf = (txHash: string, eventIndex: number): string =>
  `${txHash.toLowerCase()}-${eventIndex}`

/** The id under which the destination's gateway knows a message, the same however often it is derived. */
const commandIdOf = (source: string, messageId: string): Hex => keccak256(toHex(`${source}_${messageId}`))

/** Whether nothing more will be done for a message, unless a reorg undoes what was done. */
export const isFinished = (message: Message): boolean =>
  message.executed !== null || message.invalid !== null || message.fault?.final === true

/** A message as it is first seen. */
export const newMessage = (
  call: MessageCall,
  payments: readonly GasPayment[],
  parentId: string | null,
  nowMs: number,
): Message => {
  const id = messageIdOf(call.landing.txHash, call.eventIndex)
  return {
    id,
    commandId: commandIdOf(call.source, id),
    call,
    payments,
    parentId,
    childId: null,
    transfer: null,
    confirmedAtSeconds: Math.floor(nowMs / 1000),
    approved: null,
    executed: null,
    invalid: null,
    fault: null,
    shortOf: null,
    failures: 0,
    retryAt: 0,
  }
}
