import type { Log } from 'openrfq/lib/log'
import { encodeFunctionData, getAddress, isAddress } from 'viem'
import type { GatewayAsset } from '../deployment-types.ts'
import { EXECUTABLE_ABI } from './abi.ts'
import { revertReason } from './chain-reader.ts'
import { hopFee, type RelayGas } from './gas.ts'
import { type Destination, isCommandExecuted } from './gateway-commands.ts'
import { type Message, newMessage } from './message.ts'
import type { ReceiptEvents } from './receipt-events.ts'

type Sending = Pick<Destination, 'reader' | 'sender'>

type ExpressDeps = {
  /** Each chain with the executor's own key. */
  readonly destinations: ReadonlyMap<string, Sending>
  readonly assets: readonly GatewayAsset[]
  readonly gas: RelayGas
  /** Whether new messages are accepted. */
  readonly isOn: () => boolean
  readonly now: () => number
  readonly log: Log
}

/** An express executor: delivers messages with tokens from its own funds before their sources are final. */
export type Express = {
  /** Queues the messages of a transaction as soon as it is mined. */
  readonly note: (events: ReceiptEvents) => void
  /** Delivers the queued messages of the destination. Never rejects: a failed one is left to ordinary execution. */
  readonly work: (destination: string) => Promise<void>
  /** The hash of the message's express delivery, if there was one. */
  readonly txHashOf: (messageId: string) => string | undefined
}

const EXECUTE_GAS = 5_000_000n
/** The most deliveries remembered, and the most queued. */
const CAPACITY = 10_000

/** Creates an executor without starting it. Its deliveries are remembered in memory only. */
export const createExpress = (deps: ExpressDeps): Express => {
  const delivered = new Map<string, string>()
  const waiting = new Map<string, Message>()

  /** Whether the payment asks for express and covers express and the ordinary relay. */
  const isPaid = ({ call, payments }: Message): boolean => {
    const [source, destination] = [deps.gas[call.source], deps.gas[call.destination]]
    if (source === undefined || destination === undefined) return false
    const { baseFee, executionFee, expressFee } = hopFee(source, destination)
    if (expressFee === undefined) return false
    const needed = baseFee + executionFee + expressFee
    return payments.some(({ isExpress, amount }) => isExpress && amount >= needed)
  }

  const deliver = async (message: Message, { reader, sender }: Sending): Promise<void> => {
    const { call, commandId } = message
    const asset = deps.assets.find(({ symbols }) => symbols[call.source] === call.token?.symbol)
    const symbol = asset?.symbols[call.destination]
    if (call.token === undefined || asset === undefined || symbol === undefined) return
    if (call.token.amount > asset.expressCap) return
    if (!isAddress(call.destinationAddress, { strict: false })) return
    if (await isCommandExecuted(reader, commandId)) return
    const transaction = {
      to: getAddress(call.destinationAddress),
      data: encodeFunctionData({
        abi: EXECUTABLE_ABI,
        functionName: 'expressExecuteWithToken',
        args: [commandId, call.source, call.sender, call.payload, symbol, call.token.amount],
      }),
      gas: EXECUTE_GAS,
    }
    await reader.client.call({ ...transaction, account: sender.address })
    const receipt = await sender.send(transaction)
    if (receipt.status !== 'success') throw new Error(`${receipt.transactionHash} reverted`)
    const [oldest] = delivered.keys()
    if (delivered.size >= CAPACITY && oldest !== undefined) delivered.delete(oldest)
    delivered.set(message.id, receipt.transactionHash)
  }

  return {
    note: ({ calls }) => {
      if (!deps.isOn()) return
      for (const { call, payments } of calls) {
        const message = newMessage(call, payments, null, deps.now())
        if (waiting.size < CAPACITY && !delivered.has(message.id) && isPaid(message))
          waiting.set(message.id, message)
      }
    },
    work: async (name) => {
      const destination = deps.destinations.get(name)
      if (destination === undefined) return
      for (const message of [...waiting.values()].filter(({ call }) => call.destination === name)) {
        waiting.delete(message.id)
        try {
          await deliver(message, destination)
        } catch (error) {
          const reason = revertReason(error) ?? String(error)
          deps.log('warn', 'express_delivery_failed', { messageId: message.id, reason })
        }
      }
    },
    txHashOf: (messageId) => delivered.get(messageId),
  }
}
