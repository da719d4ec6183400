import type { SandboxChain } from '../deployment-types.ts'
import { type Message, messageIdOf, newMessage } from './message.ts'
import type { GasAddition, ReceiptEvents } from './receipt-events.ts'
import type { RelayHistory } from './relay-history.ts'

type FollowDeps = {
  readonly history: RelayHistory
  readonly now: () => number
}

/**
 * The message that a gas addition pays for: the one at its log index in the block or receipt, or the transaction's only
 * one.
 */
const messageOf = ({ messageTxHash, logIndex }: GasAddition, history: RelayHistory): Message | undefined => {
  const candidates = history.messages
    .find(messageTxHash)
    .filter((message) => message.call.landing.txHash === messageTxHash)
  return (
    candidates.find(({ call }) => call.logIndex === logIndex) ??
    candidates.find(({ call }) => call.eventIndex === logIndex) ??
    (candidates.length === 1 ? candidates[0] : undefined)
  )
}

const addGas = (addition: GasAddition, history: RelayHistory): void => {
  const message = messageOf(addition, history)
  if (message === undefined || message.payments.some(({ id }) => id === addition.payment.id)) return
  history.messages.put({ ...message, payments: [...message.payments, addition.payment], shortOf: null })
  const child = message.childId === null ? undefined : history.messages.get(message.childId)
  if (child !== undefined) history.messages.put({ ...child, shortOf: null })
}

/** Records the events of a confirmed transaction; recording one twice changes nothing. */
export const noteEvents = (events: ReceiptEvents, { history, now }: FollowDeps): void => {
  for (const { call, payments } of events.calls)
    if (history.messages.get(messageIdOf(call.landing.txHash, call.eventIndex)) === undefined)
      history.messages.put(newMessage(call, payments, null, now()))
  for (const addition of events.additions) addGas(addition, history)
}

const isLost = (landing: { readonly blockNumber: bigint } | null, firstLostBlock: bigint): boolean =>
  landing !== null && landing.blockNumber >= firstLostBlock

const withoutLostSteps = (message: Message, firstLostBlock: bigint): Message => {
  if (isLost(message.approved, firstLostBlock)) return { ...message, approved: null, executed: null }
  return isLost(message.executed, firstLostBlock) ? { ...message, executed: null } : message
}

/**
 * Drops what a reorg of `chain` removed: untouched messages, gas added in lost blocks, and steps that
 * landed in them, which are then repeated. Completed relays stay.
 */
export const forgetLost = (chain: SandboxChain, firstLostBlock: bigint, history: RelayHistory): void => {
  const { axelarName } = chain
  for (const message of [...history.messages.all()]) {
    if (message.call.source === axelarName) {
      const begun = message.approved !== null || message.executed !== null
      if (!begun && isLost(message.call.landing, firstLostBlock)) history.messages.remove(message.id)
      else
        history.messages.put({
          ...message,
          payments: message.payments.filter((payment) => !isLost(payment, firstLostBlock)),
        })
    }
    if (message.call.destination === axelarName)
      history.messages.put(withoutLostSteps(message, firstLostBlock))
  }
}
