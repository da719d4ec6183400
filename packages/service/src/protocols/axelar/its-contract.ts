import { bytes32Word, bytesTail, stringTail, uintWord } from '../../chains/evm/abi-words.ts'
import { encodeTuple } from './abi-tuple.ts'

const INTERCHAIN_TRANSFER = '0xda081c73'
const DEPLOYED_TOKEN_MANAGER = '0x7e10eb15'
const IS_TRUSTED_CHAIN = '0xcaca8dbe'
const TRUSTED_ADDRESS = '0x477aedc7'

const TRANSFER_MESSAGE = 0n
const SEND_TO_HUB = 3n
const RECEIVE_FROM_HUB = 4n

/** First topic of the event that completes an interchain transfer. Source: InterchainTokenService. */
export const TRANSFER_RECEIVED_TOPIC = '0xbdb65cfd017af0876344138f62bc895163b5fd120cbe6e666ed306afd658de4b'

/** Calldata of reads without arguments on the InterchainTokenService and the TokenManager. */
export const ITS_READS = {
  paused: '0x5c975abb',
  chainNameHash: '0x864a0dcf',
  implementationTypeAndTokenAddress: '0xd4ae3c42',
  flowLimit: '0x8b38b35d',
  flowInAmount: '0x7dbab19b',
  flowOutAmount: '0x2f3c7888',
} as const

/** Token manager types by number. Source: ITokenManagerType. */
export const TOKEN_MANAGER_TYPES = [
  'NATIVE_INTERCHAIN_TOKEN',
  'MINT_BURN_FROM',
  'LOCK_UNLOCK',
  'LOCK_UNLOCK_FEE',
  'MINT_BURN',
] as const
export type TokenManagerType = (typeof TOKEN_MANAGER_TYPES)[number]

/** Calldata of `deployedTokenManager(bytes32)`; it reverts for an unknown token id. */
export const deployedTokenManagerData = (tokenId: string): string =>
  DEPLOYED_TOKEN_MANAGER + bytes32Word(tokenId)

/** Calldata of `isTrustedChain(string)`, available from 2.2. */
export const isTrustedChainData = (chainName: string): string =>
  IS_TRUSTED_CHAIN + encodeTuple([{ tail: stringTail(chainName) }])

/** Calldata of `trustedAddress(string)`, available in 2.1; it returns `hub` for a chain reached through the hub. */
export const trustedAddressData = (chainName: string): string =>
  TRUSTED_ADDRESS + encodeTuple([{ tail: stringTail(chainName) }])

/** The variable parts of transfers of one route: recipient as `0x` bytes, base units, and wei paid for gas. */
export type InterchainTransfer = {
  readonly recipient: string
  readonly amount: bigint
  readonly gasValue: bigint
}

/**
 * Encodes calldata of the six-argument `interchainTransfer` with empty metadata, from parts prepared once per route.
 * All deployments support this form. Source: InterchainTokenService 2.1.1 and 2.2.0.
 */
export const interchainTransferTemplate = (
  tokenId: string,
  destinationChain: string,
): ((transfer: InterchainTransfer) => string) => {
  const chainTail = stringTail(destinationChain)
  const recipientOffset = 6n * 32n + BigInt(chainTail.length / 2)
  const start = INTERCHAIN_TRANSFER + bytes32Word(tokenId) + uintWord(6n * 32n) + uintWord(recipientOffset)
  const noMetadata = uintWord(0n)
  return ({ recipient, amount, gasValue }) => {
    const recipientTail = bytesTail(recipient)
    const metadataOffset = uintWord(recipientOffset + BigInt(recipientTail.length / 2))
    return `${start}${uintWord(amount)}${metadataOffset}${uintWord(gasValue)}${chainTail}${recipientTail}${noMetadata}`
  }
}

/** An interchain transfer as the contracts encode it; `sender` and `recipient` are `0x` bytes. */
export type TransferMessage = {
  readonly tokenId: string
  readonly destinationChain: string
  readonly sender: string
  readonly recipient: string
  readonly amount: bigint
}

const transferPayload = (message: TransferMessage): string =>
  encodeTuple([
    { word: uintWord(TRANSFER_MESSAGE) },
    { word: bytes32Word(message.tokenId) },
    { tail: bytesTail(message.sender) },
    { tail: bytesTail(message.recipient) },
    { word: uintWord(message.amount) },
    { tail: uintWord(0n) },
  ])

/** Data of the gateway's `ContractCall` log that ITS emits to send the transfer to the hub. `0x` hex, lower case. */
export const hubCallData = (hubChain: string, hubAddress: string, message: TransferMessage): string => {
  const payload = encodeTuple([
    { word: uintWord(SEND_TO_HUB) },
    { tail: stringTail(message.destinationChain) },
    { tail: bytesTail(`0x${transferPayload(message)}`) },
  ])
  return `0x${encodeTuple([
    { tail: stringTail(hubChain) },
    { tail: stringTail(hubAddress) },
    { tail: bytesTail(`0x${payload}`) },
  ])}`
}

/** The payload with which the hub delivers a transfer from a chain (by Axelar name) to ITS. `0x` hex, lower case. */
export const receiveFromHubPayload = (sourceChain: string, message: TransferMessage): string =>
  `0x${encodeTuple([
    { word: uintWord(RECEIVE_FROM_HUB) },
    { tail: stringTail(sourceChain) },
    { tail: bytesTail(`0x${transferPayload(message)}`) },
  ])}`

/** Data of the `InterchainTransferReceived` log of a delivered transfer without call data. `0x` hex, lower case. */
export const transferReceivedData = (sourceChain: string, sender: string, amount: bigint): string =>
  `0x${encodeTuple([
    { tail: stringTail(sourceChain) },
    { tail: bytesTail(sender) },
    { word: uintWord(amount) },
    { word: uintWord(0n) },
  ])}`
