import {
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  isHex,
  keccak256,
  parseAbiParameters,
  toHex,
} from 'viem'
import type { Hex, SignerSet } from '../deployment-types.ts'
import { EXECUTABLE_ABI, GATEWAY_ABI } from './abi.ts'
import { type ChainReader, revertReason } from './chain-reader.ts'
import type { Landing, Message } from './message.ts'
import type { Sender } from './sender.ts'
import { type GatewayCommand, signGatewayBatch } from './sign.ts'
import type { Watcher } from './watcher.ts'

/** The result of an attempt: the transaction, or the chain's reason for rejecting it. */
export type Attempt =
  | { readonly landed: true; readonly landing: Landing }
  | { readonly landed: false; readonly reason: string; readonly unapproved?: true }

/** Access to a destination chain. */
export type Destination = {
  readonly reader: ChainReader
  readonly sender: Sender
  /** Learns the block of every landing before it is recorded. */
  readonly follow: Watcher['follow']
}

/** A mined transaction or log. */
type Mined = { readonly transactionHash: Hex; readonly blockHash: Hex; readonly blockNumber: bigint }

/** Explicit, because the estimator accepts a limit at which the inner command runs out of gas. */
const COMMAND_GAS = 3_000_000n
const EXECUTE_GAS = 8_000_000n
/** Blocks to search for an execution by somebody else. */
const SEARCHED_BLOCKS = 10_000n

const APPROVAL = parseAbiParameters('string, string, address, bytes32, bytes32, uint256')
const APPROVAL_WITH_MINT = parseAbiParameters(
  'string, string, address, bytes32, string, uint256, bytes32, uint256',
)

/** A transaction as 32 bytes, which the gateway only records. */
const hashOf = ({ txHash }: Landing): Hex => (isHex(txHash) ? txHash : keccak256(toHex(txHash)))

/** The command that approves a message; `symbol` names its token on the destination. */
export const approvalCommand = (message: Message, contract: Hex, symbol: string | null): GatewayCommand => {
  const { call, commandId } = message
  const { source, sender, payloadHash, eventIndex, token } = call
  const sourceHash = hashOf(call.landing)
  if (token === undefined || symbol === null)
    return {
      id: commandId,
      name: 'approveContractCall',
      params: encodeAbiParameters(APPROVAL, [
        source,
        sender,
        contract,
        payloadHash,
        sourceHash,
        BigInt(eventIndex),
      ]),
    }
  return {
    id: commandId,
    name: 'approveContractCallWithMint',
    params: encodeAbiParameters(APPROVAL_WITH_MINT, [
      source,
      sender,
      contract,
      payloadHash,
      symbol,
      token.amount,
      sourceHash,
      BigInt(eventIndex),
    ]),
  }
}

/** The transaction's place in its block. Rejects when the block is not on the chain any more. */
const landingOf = async (
  { reader, follow }: Destination,
  { transactionHash, blockHash, blockNumber }: Mined,
): Promise<Landing> => {
  follow({ number: blockNumber, hash: blockHash })
  const block = await reader.client.getBlock({ blockHash })
  return { txHash: transactionHash, blockNumber, timestampSeconds: Number(block.timestamp) }
}

const findEvent = async (
  destination: Destination,
  name: 'Executed' | 'ContractCallExecuted',
  commandId: Hex,
): Promise<Landing | undefined> => {
  const { reader } = destination
  const head = await reader.client.getBlockNumber()
  const [log] = await reader.client.getContractEvents({
    address: reader.chain.gateway,
    abi: GATEWAY_ABI,
    eventName: name,
    args: { commandId },
    fromBlock: head > SEARCHED_BLOCKS ? head - SEARCHED_BLOCKS : 0n,
  })
  return log && landingOf(destination, log)
}

/** Whether the gateway has already executed a command. */
export const isCommandExecuted = ({ client, chain }: ChainReader, commandId: Hex): Promise<boolean> =>
  client.readContract({
    address: chain.gateway,
    abi: GATEWAY_ABI,
    functionName: 'isCommandExecuted',
    args: [commandId],
  })

/**
 * Executes a command on the destination's gateway at most once; the gateway remembers ids. A command that fails inside
 * leaves the transaction successful, so only the Executed event proves success.
 */
export const runCommand = async (
  destination: Destination,
  signerSet: SignerSet,
  command: GatewayCommand,
): Promise<Attempt> => {
  const { reader, sender } = destination
  if (await isCommandExecuted(reader, command.id)) {
    const landing = await findEvent(destination, 'Executed', command.id)
    if (landing === undefined)
      throw new Error(`command ${command.id} was executed in a block older than the search window`)
    return { landed: true, landing }
  }
  const input = await signGatewayBatch(signerSet, reader.number, [command])
  const receipt = await sender.send({
    to: reader.chain.gateway,
    data: encodeFunctionData({ abi: GATEWAY_ABI, functionName: 'execute', args: [input] }),
    gas: COMMAND_GAS,
  })
  if (receipt.status !== 'success')
    return { landed: false, reason: `gateway.execute reverted in ${receipt.transactionHash}` }
  if (!(await isCommandExecuted(reader, command.id)))
    return { landed: false, reason: `command ${command.name} failed in ${receipt.transactionHash}` }
  return { landed: true, landing: await landingOf(destination, receipt) }
}

const isApproved = async (
  { client, chain }: ChainReader,
  { commandId, call }: Message,
  contract: Hex,
  symbol: string | null,
): Promise<boolean> => {
  const common = [commandId, call.source, call.sender, contract, call.payloadHash] as const
  const data =
    call.token === undefined || symbol === null
      ? encodeFunctionData({ abi: GATEWAY_ABI, functionName: 'isContractCallApproved', args: common })
      : encodeFunctionData({
          abi: GATEWAY_ABI,
          functionName: 'isContractCallAndMintApproved',
          args: [...common, symbol, call.token.amount],
        })
  const answer = await client.call({ to: chain.gateway, data })
  if (answer.data === undefined) throw new Error(`the gateway of ${chain.axelarName} does not answer`)
  return decodeFunctionResult({
    abi: GATEWAY_ABI,
    functionName: 'isContractCallApproved',
    data: answer.data,
  })
}

const executionOf = ({ commandId, call }: Message, symbol: string | null): Hex =>
  call.token === undefined || symbol === null
    ? encodeFunctionData({
        abi: EXECUTABLE_ABI,
        functionName: 'execute',
        args: [commandId, call.source, call.sender, call.payload],
      })
    : encodeFunctionData({
        abi: EXECUTABLE_ABI,
        functionName: 'executeWithToken',
        args: [commandId, call.source, call.sender, call.payload, symbol, call.token.amount],
      })

/** The execution of an approved message by anybody; undefined while it waits. */
export const findExecution = async (
  destination: Destination,
  message: Message,
  contract: Hex,
  symbol: string | null,
): Promise<Landing | undefined> =>
  (await isApproved(destination.reader, message, contract, symbol))
    ? undefined
    : findEvent(destination, 'ContractCallExecuted', message.commandId)

/**
 * Executes an approved message on its contract unless somebody else has. A call that would revert is not sent: its
 * reason is returned. `unapproved` when a reorg removed the approval.
 */
export const execute = async (
  destination: Destination,
  message: Message,
  contract: Hex,
  symbol: string | null,
): Promise<Attempt> => {
  const { reader, sender } = destination
  if (!(await isApproved(reader, message, contract, symbol))) {
    const landing = await findEvent(destination, 'ContractCallExecuted', message.commandId)
    if (landing !== undefined) return { landed: true, landing }
    return { landed: false, reason: `message ${message.id} is not approved any more`, unapproved: true }
  }
  const transaction = { to: contract, data: executionOf(message, symbol), gas: EXECUTE_GAS }
  try {
    await reader.client.call({ ...transaction, account: sender.address })
  } catch (error) {
    const reason = revertReason(error)
    if (reason === undefined) throw error
    return { landed: false, reason }
  }
  const receipt = await sender.send(transaction)
  if (receipt.status !== 'success')
    return { landed: false, reason: `execution reverted in ${receipt.transactionHash}` }
  return { landed: true, landing: await landingOf(destination, receipt) }
}
