import type { ChainId } from './chain.ts'

/** What the status endpoint asks for, and the transaction that started the transfer. */
export type StartedTransfer = {
  readonly txHash: string
  /** Undefined for an intent, which its quote id alone identifies. */
  readonly messageId: string | undefined
  readonly sourceChain: ChainId
}
