import { HUB } from '../deployment-types.ts'
import { feesResult, hopFee, type RelayGas } from './gas.ts'
import type { Landing, Message } from './message.ts'
import type { RelayHistory } from './relay-history.ts'
import { gasLeft, payerOf } from './relay-message.ts'

type RecordDeps = {
  readonly history: RelayHistory
  readonly gas: RelayGas
  readonly relayerAddress: string
  /** The hash of the message's express delivery, if there was one. */
  readonly expressTxHashOf: (messageId: string) => string | undefined
}

/** The status value of Axelarscan. */
export const statusOf = (message: Message): string => {
  if (message.executed !== null) return 'executed'
  if (message.invalid !== null) return 'called'
  if (message.fault !== null) return 'error'
  if (message.shortOf === 'base_fee') return 'insufficient_fee'
  if (message.approved === null) return 'called'
  return message.shortOf === 'execution_fee' ? 'not_enough_gas_to_execute' : 'approved'
}

const simplifiedStatusOf = (message: Message): string => {
  if (message.executed !== null) return 'received'
  if (message.invalid !== null || message.fault !== null) return 'failed'
  return message.approved === null ? 'sent' : 'approved'
}

const gasStatusOf = (message: Message, left: bigint): string => {
  if (left <= 0n) return 'gas_unpaid'
  return message.shortOf === null ? 'gas_paid_enough_gas' : 'gas_paid_not_enough_gas'
}

/** EVM contracts have `0x` addresses. */
const chainTypeOf = ({ source, contract }: Message['call']): string => {
  if (source === HUB.chain) return 'cosmos'
  return contract.startsWith('0x') ? 'evm' : 'svm'
}

const callRecord = ({ call, id, parentId }: Message) => ({
  chain: call.source.toLowerCase(),
  chain_type: chainTypeOf(call),
  destination_chain_type: call.destination === HUB.chain ? 'cosmos' : 'evm',
  transactionHash: call.landing.txHash,
  transactionIndex: call.transactionIndex,
  logIndex: call.logIndex,
  _logIndex: call.eventIndex,
  eventIndex: call.eventIndex,
  blockNumber: Number(call.landing.blockNumber),
  block_timestamp: call.landing.timestampSeconds,
  event: call.event,
  contract_address: call.contract,
  parentMessageID: parentId,
  returnValues: {
    sender: call.sender,
    destinationChain: call.destination,
    destinationContractAddress: call.destinationAddress,
    payloadHash: call.payloadHash,
    payload: call.payload,
    messageId: id,
    ...(call.token === undefined ? {} : { symbol: call.token.symbol, amount: `${call.token.amount}` }),
  },
  receipt: { status: 1 },
  transaction: { hash: call.landing.txHash, from: call.from },
})

const gasRecord = (message: Message, { history, gas }: RecordDeps) => {
  const [payment] = message.payments
  const payer = payerOf(message, history, gas)
  const destination = gas[message.call.destination]
  const left = gasLeft(message, history, gas)
  const status = { gas_status: gasStatusOf(message, left) }
  if (payer === undefined || destination === undefined) return status
  const fee = hopFee(payer, destination)
  const used = message.executed === null ? 0n : fee.baseFee + fee.executionFee
  return {
    ...status,
    gas: {
      gas_paid_amount: `${left}`,
      gas_used_amount: `${used}`,
      gas_remain_amount: `${left > used ? left - used : 0n}`,
    },
    fees: feesResult(payer, destination),
    ...(payment === undefined
      ? {}
      : {
          gas_paid: {
            transactionHash: payment.txHash,
            returnValues: { gasFeeAmount: `${payment.amount}`, refundAddress: payment.refundAddress },
          },
        }),
  }
}

const step = (chain: string, landing: Landing) => ({
  chain: chain.toLowerCase(),
  transactionHash: landing.txHash,
  blockNumber: Number(landing.blockNumber),
  block_timestamp: landing.timestampSeconds,
})

const stepsRecord = (message: Message, relayerAddress: string) => {
  const { call, approved, executed, childId, fault, commandId } = message
  const [childHash = '', childIndex = '0'] = childId?.split('-') ?? []
  return {
    ...(approved === null
      ? {}
      : { approved: { ...step(call.destination, approved), returnValues: { commandId } } }),
    ...(executed === null
      ? {}
      : {
          executed: {
            ...step(call.destination, executed),
            sourceTransactionHash: call.landing.txHash,
            relayerAddress,
            receipt: { status: 1 },
            ...(call.destination === HUB.chain ? { axelarTransactionHash: executed.txHash } : {}),
            ...(childId === null ? {} : { childMessageIDs: [childId] }),
          },
        }),
    ...(childId === null
      ? {}
      : { callback: { id: childId, messageIdHash: childHash, messageIdIndex: Number(childIndex) } }),
    ...(fault === null || executed !== null
      ? {}
      : {
          error: {
            chain: call.destination.toLowerCase(),
            block_timestamp: fault.timestampSeconds,
            error: { message: fault.message },
          },
        }),
  }
}

const expressRecord = ({ call, id }: Message, { expressTxHashOf }: RecordDeps) => {
  const transactionHash = expressTxHashOf(id)
  return transactionHash === undefined
    ? {}
    : { express_executed: { chain: call.destination.toLowerCase(), transactionHash } }
}

const transferRecord = ({ transfer, call }: Message) =>
  transfer === null
    ? {}
    : {
        interchain_transfer: {
          event: 'InterchainTransfer',
          contract_address: call.sender,
          tokenId: transfer.tokenId,
          name: transfer.name,
          symbol: transfer.symbol,
          decimals: transfer.decimals,
          amount: `${transfer.amount}`,
          amountReceived: `${transfer.amountReceived}`,
          destinationChain: transfer.destination,
          destinationAddress: transfer.destinationAddress,
        },
      }

const timesRecord = ({ call, confirmedAtSeconds, approved, executed }: Message) => {
  const start = call.landing.timestampSeconds
  const spent = (from: number, until: number): number => Math.max(0, until - from)
  return {
    confirm: spent(start, confirmedAtSeconds),
    ...(approved === null ? {} : { approve: spent(confirmedAtSeconds, approved.timestampSeconds) }),
    ...(approved === null || executed === null
      ? {}
      : {
          execute: spent(approved.timestampSeconds, executed.timestampSeconds),
          total: spent(start, executed.timestampSeconds),
        }),
  }
}

/** A message in the form of Axelarscan's searchGMP. Source: axelarscan-api; fields of unknown shape are left out. */
export const gmpRecord = (message: Message, deps: RecordDeps) => ({
  id: message.id,
  message_id: message.id,
  command_id: message.commandId,
  status: statusOf(message),
  simplified_status: simplifiedStatusOf(message),
  call: callRecord(message),
  ...gasRecord(message, deps),
  confirm: { confirmation_txhash: null, block_timestamp: message.confirmedAtSeconds },
  confirm_failed: false,
  ...stepsRecord(message, deps.relayerAddress),
  ...expressRecord(message, deps),
  is_executed: message.executed !== null,
  is_insufficient_fee: message.shortOf === 'base_fee',
  not_enough_gas_to_execute: message.shortOf === 'execution_fee',
  is_invalid_destination_chain: message.invalid === 'invalid_destination_chain',
  is_invalid_contract_address: message.invalid === 'invalid_contract_address',
  is_invalid_source_address: message.invalid === 'invalid_source_address',
  is_invalid_call: message.invalid === 'invalid_call',
  ...transferRecord(message),
  time_spent: timesRecord(message),
})
