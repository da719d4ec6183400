import { readScVal, scVal, xdrAddress } from '../../chains/stellar/sc-val.ts'
import { TOKEN_MANAGER_TYPES, type TokenManagerType } from './its-contract.ts'

const base64 = (values: readonly Buffer[]): readonly string[] =>
  values.map((value) => value.toString('base64'))
const hexBytes = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')

/** A transfer that the token service of a Stellar chain has completed; the sender as `0x` bytes, base units. */
export type StellarTransfer = {
  readonly sourceChain: string
  readonly tokenId: string
  readonly sender: string
  readonly recipient: string
  readonly amount: bigint
}

/**
 * Topics of the event with which the token service completes a transfer, in base64 XDR. Source: axelar-amplifier-stellar,
 * InterchainTransferReceivedEvent.
 */
export const transferReceivedTopics = (transfer: StellarTransfer): readonly string[] =>
  base64([
    scVal.symbol('interchain_transfer_received'),
    scVal.string(transfer.sourceChain),
    scVal.bytes(hexBytes(transfer.tokenId)),
    scVal.bytes(hexBytes(transfer.sender)),
    scVal.address(transfer.recipient),
    scVal.i128(transfer.amount),
  ])

/** A message that a gateway gave to a contract; the payload's Keccak-256 as `0x` hex. */
export type StellarMessage = {
  readonly sourceChain: string
  readonly messageId: string
  readonly sourceAddress: string
  readonly contract: string
  readonly payloadHash: string
}

/**
 * Topics of the event with which the gateway marks a message as executed, in base64 XDR; it emits one for each message
 * once. Source: axelar-amplifier-stellar, MessageExecutedEvent.
 */
export const messageExecutedTopics = (message: StellarMessage): readonly string[] =>
  base64([
    scVal.symbol('message_executed'),
    scVal.struct({
      source_chain: scVal.string(message.sourceChain),
      message_id: scVal.string(message.messageId),
      source_address: scVal.string(message.sourceAddress),
      contract_address: scVal.address(message.contract),
      payload_hash: scVal.bytes(hexBytes(message.payloadHash)),
    }),
  ])

/** Arguments of the token service's reads, in base64 XDR. */
export const chainArgument = (chainName: string): string => scVal.string(chainName).toString('base64')
export const tokenIdArgument = (tokenId: string): string => scVal.bytes(hexBytes(tokenId)).toString('base64')

/** Whether a result is the address; undefined for a result of another form. */
export const isAddressResult = (result: string, address: string): boolean | undefined => {
  const value = readScVal(result)
  return Buffer.isBuffer(value) ? value.equals(xdrAddress(address)) : undefined
}

/** A token manager's type by the number in a result; undefined for a result of another form. */
export const managerTypeResult = (result: string): TokenManagerType | undefined => {
  const value = readScVal(result)
  return typeof value === 'number' ? TOKEN_MANAGER_TYPES[value] : undefined
}
