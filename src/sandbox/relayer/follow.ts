import type { GatewayAsset, SandboxChain } from '../world-types.ts'
import type { Ledger } from './ledger.ts'
import { type Message, messageIdOf, newMessage } from './message.ts'
import type { GasAddition, ReceiptEvents } from './receipt-events.ts'
import { newTransfer } from './relay-transfer.ts'

type FollowDeps = {
  readonly ledger: Ledger
  readonly assets: readonly GatewayAsset[]
  readonly now: () => number
}

/** The message that gas was added for: named by its log in the block or in the receipt, or alone in its transaction. */
const messageOf = ({ messageTxHash, logIndex }: GasAddition, ledger: Ledger): Message | undefined => {
  const candidates = ledger.messages
    .find(messageTxHash)
    .filter((message) => message.call.landing.txHash === messageTxHash)
  return (
    candidates.find(({ call }) => call.logIndex === logIndex) ??
    candidates.find(({ call }) => call.eventIndex === logIndex) ??
    (candidates.length === 1 ? candidates[0] : undefined)
  )
}

const addGas = (addition: GasAddition, ledger: Ledger): void => {
  const message = messageOf(addition, ledger)
  if (message === undefined || message.payments.some(({ id }) => id === addition.payment.id)) return
  ledger.messages.put({ ...message, payments: [...message.payments, addition.payment], shortOf: null })
  const child = message.childId === null ? undefined : ledger.messages.get(message.childId)
  if (child !== undefined) ledger.messages.put({ ...child, shortOf: null })
}

/** Takes note of a confirmed transaction; the same one may come again and then changes nothing. */
export const noteEvents = (chain: SandboxChain, events: ReceiptEvents, deps: FollowDeps): void => {
  const { ledger, assets, now } = deps
  for (const { call, payments } of events.calls)
    if (ledger.messages.get(messageIdOf(call.landing.txHash, call.eventIndex)) === undefined)
      ledger.messages.put(newMessage(call, payments, null, now()))
  for (const sent of events.sent) {
    const transfer = newTransfer(chain.axelarName, sent, assets)
    if (ledger.transfers.get(transfer.id) === undefined) ledger.transfers.put(transfer)
  }
  for (const addition of events.additions) addGas(addition, ledger)
}

const isLost = (landing: { readonly blockNumber: bigint } | null, firstLostBlock: bigint): boolean =>
  landing !== null && landing.blockNumber >= firstLostBlock

const withoutLostSteps = (message: Message, firstLostBlock: bigint): Message => {
  if (isLost(message.approved, firstLostBlock)) return { ...message, approved: null, executed: null }
  return isLost(message.executed, firstLostBlock) ? { ...message, executed: null } : message
}

/**
 * Forgets what a reorg of `chain` took: messages and transfers that nothing was done for yet, gas added in lost blocks,
 * and steps that landed in them, which are then done again. What was relayed already stays relayed.
 */
export const forgetLost = (chain: SandboxChain, firstLostBlock: bigint, ledger: Ledger): void => {
  const { axelarName } = chain
  for (const message of [...ledger.messages.all()]) {
    if (message.call.source === axelarName) {
      const begun = message.approved !== null || message.executed !== null
      if (!begun && isLost(message.call.landing, firstLostBlock)) ledger.messages.remove(message.id)
      else
        ledger.messages.put({
          ...message,
          payments: message.payments.filter((payment) => !isLost(payment, firstLostBlock)),
        })
    }
    if (message.call.destination === axelarName)
      ledger.messages.put(withoutLostSteps(message, firstLostBlock))
  }
  for (const transfer of [...ledger.transfers.all()]) {
    const begun = transfer.transferId !== null || transfer.carriedBy !== null
    if (transfer.source === axelarName && !begun && isLost(transfer.landing, firstLostBlock))
      ledger.transfers.remove(transfer.id)
    if (transfer.destination === axelarName && isLost(transfer.minted, firstLostBlock))
      ledger.transfers.put({ ...transfer, minted: null })
  }
}
