import { keccakHex } from '../../chains/evm/keccak.ts'

const bytesOf = (number: bigint): Buffer => {
  const digits = number.toString(16)
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
}

/**
 * The id of the command with which the gateway of an EVM chain approves a message of another EVM chain: `0x` hex of 32 bytes. The
 * message id is `0x…-N` in lower case, N the position of the call among the logs of its receipt. Source: axelar-core x/evm/types,
 * `NewCommandID` of `NewApproveContractCallWithMintGeneric`.
 */
export const commandIdOf = (messageId: string, destinationNumber: bigint): string =>
  `0x${keccakHex(Buffer.concat([Buffer.from(messageId, 'utf8'), bytesOf(destinationNumber)]))}`
