import type { Action } from '../wire/action.ts'
import type { ChainId } from '../wire/chain.ts'
import type { Quote } from '../wire/quote.ts'

/**
 * Progress of a quote's action: sent, or included in a block or ledger.
 * @example
 * const textOf = ({ action, event, txHash }: ActionProgress): string => `${action.label} ${event}: ${txHash}`
 */
export type ActionProgress = {
  readonly action: Action
  readonly event: 'sent' | 'included'
  readonly txHash: string
}

/**
 * Execution options of every chain family.
 * @example
 * const execution = (quote: Quote): Execution => ({
 *   quote,
 *   onAction: ({ action, event }) => console.log(action.id, event),
 * })
 */
export type Execution = {
  readonly quote: Quote
  readonly onAction?: (progress: ActionProgress) => void
  /** Time for each action to be included, in milliseconds; two to three minutes by default. */
  readonly timeoutMs?: number
  /** Milliseconds since 1970, compared with the quote's expiry; the device's clock by default. */
  readonly now?: number
}

/**
 * A transfer whose actions are all included: its last transaction, and the arguments of `waitForTransfer` and
 * `getStatus`. `messageId` is undefined when the quote alone identifies the transfer.
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

/** The lookup of the transfer that a quote's last transaction started. */
export const startedTransfer = (
  { quoteId, input, estimatedTimeSeconds }: Quote,
  txHash: string,
  messageId: string | undefined,
): StartedTransfer => ({ quoteId, txHash, messageId, sourceChain: input.chain, estimatedTimeSeconds })
