import type { Action } from '../wire/action.ts'
import type { ChainId } from '../wire/chain.ts'
import type { Quote } from '../wire/quote.ts'

/**
 * What happened to an action of a quote: it was sent, or a block or ledger holds it.
 * @example
 * const textOf = ({ action, event, txHash }: ActionProgress): string => `${action.label} ${event}: ${txHash}`
 */
export type ActionProgress = {
  readonly action: Action
  readonly event: 'sent' | 'included'
  readonly txHash: string
}

/**
 * What the executions of every chain family take beside a wallet.
 * @example
 * const execution = (quote: Quote): Execution => ({
 *   quote,
 *   onAction: ({ action, event }) => console.log(action.id, event),
 * })
 */
export type Execution = {
  readonly quote: Quote
  readonly onAction?: (progress: ActionProgress) => void
  /** How long each action may take to be included, in milliseconds; two to three minutes by default. */
  readonly timeoutMs?: number
  /** Milliseconds since 1970, by which the quote still stands or not; the device's clock by default. */
  readonly now?: number
}

/**
 * A transfer whose actions are all included: the transaction that started it, and what `waitForTransfer` and `getStatus`
 * ask for. `messageId` is undefined where the quote alone identifies the transfer.
 * @example
 * const follow = (client: Client, started: StartedTransfer) =>
 *   client.waitForTransfer({ ...started, onStatus: ({ state }) => console.log(state) })
 */
export type StartedTransfer = {
  readonly quoteId: string
  readonly txHash: string
  readonly messageId: string | undefined
  readonly sourceChain: ChainId
  readonly estimatedTimeSeconds: number
}

/** How the transfer that a quote's last transaction started is looked up. */
export const startedTransfer = (
  { quoteId, input, estimatedTimeSeconds }: Quote,
  txHash: string,
  messageId: string | undefined,
): StartedTransfer => ({ quoteId, txHash, messageId, sourceChain: input.chain, estimatedTimeSeconds })
