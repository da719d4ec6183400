import type { ChainId } from '@openrfq/sdk'
import type { Payment } from '../core/payment.ts'

/** The newest state of a ledger that the service has seen, refreshed in the background. */
export type PaymentChainHead = {
  /** Slot on Solana, ledger sequence on Stellar. */
  readonly number: bigint
  /** Seconds since the Unix epoch, as the chain says. */
  readonly timestampSeconds: number
  /** The newest slot or ledger that can no longer be taken back, and its time. */
  readonly finalNumber: bigint
  readonly finalTimestampSeconds: number
  /** What one plain payment costs its sender now, in the native asset's base units, rounded up. */
  readonly paymentFee: bigint
}

/** Payments of some accounts: every final one after a block up to `upTo`, and those seen that are not final yet. */
export type PaymentsRead = {
  readonly upTo: bigint
  readonly upToTimestampSeconds: number
  /** By block, transaction and position. */
  readonly final: readonly Payment[]
  readonly tentative: readonly Payment[]
}

/** A payment to be made. */
export type Payout = {
  /** On Stellar it may be muxed. */
  readonly recipient: string
  readonly token: string
  readonly amount: bigint
  /** 32 bytes as 0x and lower-case hex, attached so that the payment can be told from every other. */
  readonly memo: string
  /** The payment must not be able to land after this second; undefined: any time will do. */
  readonly notAfterSeconds: number | undefined
}

/** A payment that is signed: the bytes to send and what they will be called. */
export type SignedPayout = { readonly txHash: string; readonly rawTransaction: string }

/**
 * Where a signed payment stands. `failed`: included for good without moving anything; `expired`: provably can never be
 * included any more. Both, like `succeeded`, come from final state alone.
 */
export type PayoutOutcome = 'pending' | 'succeeded' | 'failed' | 'expired'

/** A live ledger of another family than EVM, as much of it as intents need. Every read has a deadline and rejects. */
export type PaymentChain = {
  readonly chainId: ChainId
  readonly chainType: 'solana' | 'stellar'
  /** Undefined until the first answer, and when no answer has come for a while. */
  readonly head: () => PaymentChainHead | undefined
  /** The payments to and from the accounts after a slot or ledger. Rejects when the node no longer knows that far back. */
  readonly readPayments: (accounts: readonly string[], after: bigint) => Promise<PaymentsRead>
  /** Undefined when the recipient can take the amount, else the reason why not, for people to read. */
  readonly whyNotPayable: (recipient: string, token: string, amount: bigint) => Promise<string | undefined>
  /** What the owner can spend of each token, base units, and as of which slot or ledger. */
  readonly balances: (
    owner: string,
    tokens: readonly string[],
  ) => Promise<{ readonly number: bigint; readonly amounts: readonly bigint[] }>
  /** The account that a secret signs for; throws when it is none of the family's. */
  readonly accountOf: (secret: string) => string
  /** How many payments of one account may be under way at once. */
  readonly maximumPayouts: number
  /** Signs a payment, and sends nothing. Rejects when the chain cannot be read or the time left is too short. */
  readonly sign: (payout: Payout, secret: string) => Promise<SignedPayout>
  /** Sends signed bytes, again and again if need be; resolves when a node has taken or known them. */
  readonly broadcast: (rawTransaction: string) => Promise<void>
  readonly outcome: (signed: SignedPayout) => Promise<PayoutOutcome>
  /** Resolves after the first attempt to read the head. */
  readonly start: () => Promise<void>
  readonly stop: () => void
}
