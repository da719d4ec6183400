import type { ChainId, SolanaInstructions } from '@openrfq/sdk'
import type { Instant } from '../core/instant.ts'
import type { UnpayableReason } from '../core/offer.ts'
import type { Payment } from '../core/payment.ts'
import type { Payout } from '../core/payout.ts'
import type { AccountKeys, KeysChange } from '../core/vault-signers.ts'
import type { BalanceOfQuorum } from './rpc/balances-of-quorum.ts'
import type { CallCount } from './rpc/call-meter.ts'
import type { EndpointFaults } from './rpc/rpc-pool.ts'
import type { Statement } from './rpc/statements.ts'

/** The newest known state of a payment chain, refreshed in the background. */
export type PaymentChainHead = {
  /** Slot on Solana, ledger sequence on Stellar. */
  readonly number: bigint
  /** The chain's timestamp, in seconds since the Unix epoch. */
  readonly timestampSeconds: number
  /** The newest slot or ledger that can no longer be reverted, and its time. */
  readonly finalNumber: bigint
  readonly finalTimestampSeconds: number
  /** The current cost of one plain payment to its sender, in base units of the native asset, rounded up. */
  readonly paymentFee: bigint
}

/**
 * Payments of some accounts: every final one after a block up to `upTo`, as a quorum of endpoints reports them, and
 * tentative ones, which are not final or reported by one endpoint only.
 */
export type PaymentsRead = {
  readonly upTo: bigint
  readonly upToTimestampSeconds: number
  /** By block, transaction and position. */
  readonly final: readonly Payment[]
  readonly tentative: readonly Payment[]
}

/** How far a chain had come at one moment, for judging the payments that were signed before. */
export type SigningMark = {
  /** The newest ledger; later ones did not exist yet. */
  readonly head: bigint
  /** The last second at which a payment signed before can be included. */
  readonly lastInclusion: bigint
}

/** Marks of a chain, and when the payments signed before one have landed or never will. */
export type SigningMarks = {
  /** Marks the present by a quorum of endpoints, with a margin for those that lag. Rejects without a quorum. */
  readonly readMark: () => Promise<SigningMark>
  /**
   * A final ledger after which no payment signed before the mark can be included, by a quorum of endpoints; undefined
   * while one may be.
   */
  readonly endOf: (mark: SigningMark) => Promise<bigint | undefined>
}

/** A payment that is not among the final ones between two accounts. Times are seconds since the Unix epoch. */
export type PaymentAbsence = {
  /** The absence as text, the same whenever it is asked about. */
  readonly about: string
  /** The payer. */
  readonly from: string
  /** The payee and the token, whose history is searched alone where strangers write that of the payer; undefined for any. */
  readonly to: { readonly account: string; readonly token: string } | undefined
  /** The sought memo; undefined where several are. */
  readonly memo: string | undefined
  /** The payment is neither older nor later; an endpoint must have finalized a later block. */
  readonly sinceSeconds: number
  readonly untilSeconds: number
  readonly nowSeconds: number
  /** Also asked about payments whose memo is not read yet, with the sought one. */
  readonly isSought: (payment: Payment) => boolean
}

/** A transaction, and the payer and payee whose payments in it are sought; on Stellar without a muxed id. */
export type NamedTransaction = Pick<Payment, 'txHash' | 'from' | 'to'>

/** A signed payment: the bytes to send and their transaction hash. */
export type SignedPayout = { readonly txHash: string; readonly rawTransaction: string }

/**
 * Status of a signed payment. `failed`: included for good without moving anything; `expired`: provably can never be
 * included. Like `succeeded`, both come from final state only.
 */
export type PayoutOutcome = 'pending' | 'succeeded' | 'failed' | 'expired'

/** An account as an endpoint shows it; null where there is none. */
export type ChainAccount = { readonly owner: string; readonly data: Buffer } | null

/** Accounts to read, and what matters of each as of a slot; a view is compared as JSON. */
export type AccountRead<View extends object> = {
  readonly addresses: readonly string[]
  readonly viewOf: (account: ChainAccount, slot: bigint) => View
}

/** A program, one of its accounts, and for each sought instruction the place of that account among its accounts. */
export type CallSearch = {
  readonly program: string
  readonly account: string
  readonly places: Readonly<Record<string, number>>
  /** Final calls are those that a quorum of endpoints finds; confirmed ones come from one endpoint. */
  readonly commitment: 'confirmed' | 'finalized'
}

/** A call of a program: the text of the first 8 bytes of its data, and its transaction. */
export type ProgramCall = {
  readonly name: string
  readonly txHash: string
  readonly blockNumber: bigint
  readonly timestampSeconds: number
}

/** The found calls, oldest first; `isWhole`: the account has no older transactions than those that were looked at. */
export type FoundCalls = { readonly calls: readonly ProgramCall[]; readonly isWhole: boolean }

/** What a token account gained in a transaction, in base units; its owner is the one after it. */
type AccountGain = {
  readonly account: string
  readonly owner: string
  readonly mint: string
  readonly amount: bigint
}

/** An event of a program as hex, and its place: its instruction and its position among the calls of that, both from 1. */
type ProgramEvent = { readonly place: string; readonly data: string }

/** An instruction as the signers of a transaction gave it; the data as hex. */
type SignedInstruction = {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: string
}

/**
 * What a program told in one transaction by calls of itself, in their order, and what token accounts gained; none if it failed.
 * Who signed it, and for what, is known of both.
 */
export type ProgramEvents = {
  readonly succeeded: boolean
  readonly timestampSeconds: number
  readonly signers: readonly string[]
  readonly instructions: readonly SignedInstruction[]
  readonly events: readonly ProgramEvent[]
  readonly gains: readonly AccountGain[]
}

/** Programs and their accounts on a chain that has them. Every read has a deadline and rejects. */
export type ProgramChain = {
  /** Accounts as one endpoint shows them, confirmed. */
  readonly seenAccounts: <View extends object>(read: AccountRead<View>) => Promise<readonly View[]>
  /** Final accounts as a quorum of endpoints shows them; undefined where endpoints do not show the same yet. */
  readonly agreedAccounts: <View extends object>(
    read: AccountRead<View>,
  ) => Promise<readonly (View | undefined)[]>
  /**
   * The calls of a program about an account. Others can hide a call under many transactions of their own.
   */
  readonly findCalls: (search: CallSearch) => Promise<FoundCalls>
  /**
   * The final events of a program in a transaction, by a quorum of endpoints: its calls of itself that name its event authority.
   * Rejects while too few endpoints know the transaction.
   */
  readonly eventsIn: (
    txHash: string,
    emitter: { readonly program: string; readonly authority: string },
  ) => Promise<ProgramEvents>
  /**
   * Signs instructions with the account that pays the fee, without sending them; `broadcast` and `outcome` take the result. The
   * bid grows with the number of earlier signatures that expired.
   * Rejects if the chain cannot be read.
   */
  readonly signInstructions: (
    part: {
      readonly instructions: SolanaInstructions['instructions']
      readonly unitLimit: number
      readonly expired: number
    },
    secret: string,
  ) => Promise<SignedPayout>
}

/** An account that can take a claimable balance, and when: `notBefore` in seconds since the Unix epoch. */
export type BalanceClaimant = {
  readonly account: string
  readonly right: 'always' | 'other' | { readonly notBefore: number }
}

/** A claimable balance as the payment into it, whose `to` names the balance, and everyone who can take it. */
export type MadeBalance = { readonly payment: Payment; readonly claimants: readonly BalanceClaimant[] }

/**
 * The transaction that took a balance, and who got it; `gone`: its issuer clawed it back, or it was taken in a ledger that the
 * endpoints no longer retain.
 */
export type BalanceTaking = { readonly txHash: string; readonly to: string } | 'gone'

/** What a deposit in a claimable balance must be; times in seconds since the Unix epoch. */
export type BalanceTerms = {
  readonly depositor: string
  readonly vault: string
  /** Names the order to the vault. */
  readonly muxedId: bigint
  readonly token: string
  readonly amount: bigint
  readonly openDeadline: number
  /** From then on the depositor can take the balance. */
  readonly refundAfter: number
}

/** Balances that belong to no account until a claimant takes them. Reads are agreed, have a deadline and reject. */
export type ClaimableBalances = {
  /** Whether an address names a balance rather than an account. */
  readonly isBalance: (address: string) => boolean
  /** Whether a payment to the vault only says that its transaction made a balance. */
  readonly isAnnouncement: (payment: Pick<Payment, 'token' | 'amount'>) => boolean
  /** The transaction of the terms as a URI that wallets open; undefined for an amount that no balance holds. */
  readonly requestOf: (terms: BalanceTerms) => string | undefined
  /** The balances that a transaction's own account made in it. */
  readonly madeIn: (txHash: string) => Promise<readonly MadeBalance[]>
  /** Who took a balance, by the payment into it; undefined while it is there. */
  readonly takingOf: (balance: Pick<Payment, 'to' | 'blockNumber'>) => Promise<BalanceTaking | undefined>
}

/** A read-only call of a contract; arguments in the form of the chain. */
export type ContractCall = {
  readonly contract: string
  readonly name: string
  readonly arguments: readonly string[]
}

/** An event of a contract; topics in the form of the chain. */
type ContractEvent = { readonly contract: string; readonly topics: readonly string[] }

/** The events that some contracts emitted in one transaction, in their order; none if it failed. */
export type ContractEvents = {
  readonly succeeded: boolean
  readonly timestampSeconds: number
  readonly events: readonly ContractEvent[]
}

/** Contracts on a chain whose values and events are base64 XDR. Every read has a deadline and rejects. */
export type ContractChain = {
  /** The results of calls as one endpoint computes them, for quotes. Rejects if one of them fails. */
  readonly callAll: (calls: readonly ContractCall[]) => Promise<readonly string[]>
  /** The final events of contracts in a transaction, by a quorum of endpoints. Rejects while too few know it. */
  readonly eventsIn: (txHash: string, contracts: readonly string[]) => Promise<ContractEvents>
}

/** What a transaction that changes an account's keys does. */
export type KeyChange = KeysChange & {
  readonly account: string
  /** Each change as text for people. */
  readonly changes: readonly string[]
  /** How many signatures it has. */
  readonly signatures: number
}

/** A payout's transaction as one of its signers sees it. */
export type SharedPayout = {
  readonly txHash: string
  /** The account whose sequence number it uses, and that pays its fee. */
  readonly source: string
  /** That account's sequence number before the transaction. */
  readonly sequence: bigint
  /** What that account pays at most, in base units of the native asset. */
  readonly fee: bigint
  /** The last second at which it can be included. */
  readonly maxTimeSeconds: number
  /** The same transaction as `outcome` takes it, with times that are read, not the sender's. */
  readonly rawTransaction: string
}

/** Accounts with several keys. Transactions are text in the form of the chain; every read is agreed and has a deadline. */
export type SharedAccounts = {
  /** Undefined if the account does not exist. Rejects without a quorum. */
  readonly keysOf: (account: string) => Promise<AccountKeys | undefined>
  /** Whether an account asks wallets for a memo with payments to it. Rejects without a quorum. */
  readonly asksForMemo: (account: string) => Promise<boolean>
  /**
   * The unsigned transaction, valid for a day, that gives an account the wanted keys and lets it ask for memos; undefined if
   * there is nothing to do. Where the same keys cannot do both, it is the keys alone. Rejects without a quorum, and for an
   * account that does not exist.
   */
  readonly planKeys: (account: string, wanted: AccountKeys) => Promise<string | undefined>
  /** Throws RangeError for a transaction that does anything but what `planKeys` plans, of its own account. */
  readonly readPlan: (transaction: string) => Promise<KeyChange>
  /** Adds the signatures of secrets to a transaction that `readPlan` accepts. */
  readonly signPlan: (transaction: string, secrets: readonly string[]) => Promise<string>
  /**
   * Signs a payout with one key of an account; others sign before it is sent. `source` is the account whose sequence number it uses
   * and that pays the fee, and that the key signs for as well; the account itself by default. Rejects like `PaymentChain.sign`.
   */
  readonly signPayout: (
    payout: Payout,
    payer: { readonly account: string; readonly secret: string; readonly source?: string },
  ) => Promise<SignedPayout>
  /** The account whose sequence number a signed payout uses; throws RangeError for other bytes. */
  readonly sourceOf: (rawTransaction: string) => Promise<string>
  /**
   * Reads a payout that a key of an account has signed. Throws RangeError for other bytes, and for a transaction that is not
   * exactly the payout from the account, uses the sequence number of neither the account nor a channel, or has no signature of the
   * key. Rejects while no ledger is known.
   */
  readonly readPayout: (
    rawTransaction: string,
    expected: {
      readonly payout: Payout
      readonly account: string
      readonly channels: readonly string[]
      readonly signedBy: string
    },
  ) => Promise<SharedPayout>
  /** A secret's signature of a transaction, in base64. */
  readonly signatureOf: (rawTransaction: string, secret: string) => Promise<string>
  /** Adds a signature; throws RangeError for one that is not the signer's. */
  readonly addSignature: (rawTransaction: string, signer: string, signature: string) => Promise<string>
  /** An account's sequence number, and the most that a payout of some operations may bid. Rejects without a quorum. */
  readonly payoutBounds: (account: string) => Promise<{ readonly sequence: bigint; readonly fee: bigint }>
  /** A signed transaction as `broadcast` and `outcome` take it. */
  readonly submission: (transaction: string) => Promise<SignedPayout>
}

/**
 * A live chain of a family without our contracts, reduced to what intents need. Every read has a deadline and rejects.
 */
export type PaymentChain = {
  readonly chainId: ChainId
  readonly chainType: 'solana' | 'stellar'
  /** Undefined before the first read and when stale. */
  readonly head: () => PaymentChainHead | undefined
  /**
   * The payments to and from the accounts after a slot or ledger. Rejects if the nodes no longer retain it, or have no
   * quorum.
   */
  readonly readPayments: (accounts: readonly string[], after: bigint) => Promise<PaymentsRead>
  /**
   * The time of a final slot or ledger in seconds since the Unix epoch, by a quorum of endpoints. Rejects if they do
   * not know it yet or any more.
   */
  readonly timeOf: (number: bigint) => Promise<number>
  /** The oldest ledger that a quorum of endpoints retain; absent where they keep all payments. Rejects without a quorum. */
  readonly oldestRetained?: () => Promise<bigint>
  /** For payouts from vaults; undefined on a chain with programs of ours, which hold its deposits. */
  readonly signingMarks: SigningMarks | undefined
  /**
   * Which endpoints confirm an agreed payment and which deny it. One that dates it ahead of our clock is wrong and says
   * nothing. Throws RpcError NODE_BEHIND or NO_ANSWER while endpoints are silent.
   */
  readonly paymentStatements: (payment: Payment) => Promise<readonly Statement[]>
  /**
   * As `paymentStatements`, of each of several payments, in their order. Every endpoint reads a transaction once for all payments in
   * it between the same accounts.
   */
  readonly statementsOfEach: (payments: readonly Payment[]) => readonly Promise<readonly Statement[]>[]
  /**
   * The final payments between two accounts in a transaction, by a quorum of endpoints, each asked about this transaction
   * alone. Throws RpcError NODE_BEHIND while too few endpoints know the transaction as final.
   */
  readonly paymentsIn: (named: NamedTransaction) => Promise<readonly Payment[]>
  /**
   * Which endpoints confirm that there is no sought payment, and which report one. One that does not retain the
   * whole time says nothing. Throws RpcError NODE_BEHIND or NO_ANSWER while endpoints are silent, and NODE_BEHIND while one has
   * more to read than one call allows: the next call for the same absence goes on where this one ended.
   */
  readonly absenceStatements: (absence: PaymentAbsence) => Promise<readonly Statement[]>
  /** Undefined if the recipient can receive the amount; the word of one endpoint, for quotes. */
  readonly whyNotPayable: (
    recipient: string,
    token: string,
    amount: bigint,
  ) => Promise<UnpayableReason | undefined>
  /**
   * What opening the recipient's account for a token costs the payer, in base units of the native asset; 0 if it is open or
   * payers open none. The word of one endpoint, for prices.
   */
  readonly openingRent: (recipient: string, token: string) => Promise<bigint>
  /**
   * Like `paymentFee` of the head, for a transaction that writes the accounts: no less, and more where they are in demand and
   * fees are bids. Answers in time for a quote; 0 without a head. Never rejects.
   */
  readonly paymentFeeFor: (accounts: readonly string[]) => Promise<bigint>
  /** Like `whyNotPayable`, but agreed by a quorum of endpoints, for payouts. Rejects without a quorum. */
  readonly agreedWhyNotPayable: PaymentChain['whyNotPayable']
  /** The owner's spendable balance of each token in base units, and the slot or ledger they are as of. */
  readonly balances: (
    owner: string,
    tokens: readonly string[],
  ) => Promise<{ readonly number: bigint; readonly amounts: readonly bigint[] }>
  /** Like `balances`, but of each the lowest that a quorum of endpoints do not exceed; undefined if fewer told one. */
  readonly balancesOfQuorum: (
    owner: string,
    tokens: readonly string[],
  ) => Promise<readonly (BalanceOfQuorum | undefined)[]>
  /**
   * What an account has been able to spend of a token for at least `SETTLED_BLOCKS` slots or ledgers, in base units;
   * undefined if it cannot be read.
   */
  readonly heldBy: (owner: string, token: string) => Promise<bigint | undefined>
  /** Like `balances`, but agreed by a quorum of endpoints. */
  readonly agreedBalances: (owner: string, tokens: readonly string[]) => Promise<readonly bigint[]>
  /** The account that a secret signs for; throws for a secret of another family. */
  readonly accountOf: (secret: string) => string
  /** How many payments of one account may be in flight. */
  readonly maximumPayouts: number
  /**
   * Signs a payment without sending it; `expired`: how many earlier signatures of it did not land, which raises the fee where
   * fees are bids. Rejects if the chain cannot be read or too little time is left.
   */
  readonly sign: (payout: Payout, secret: string, expired?: number) => Promise<SignedPayout>
  /** Sends signed bytes and may be repeated; resolves when a node has accepted or already knows them. */
  readonly broadcast: (rawTransaction: string) => Promise<void>
  /** `signedAt` is our clock at the signature; nodes need not retain what is more than an hour older. */
  readonly outcome: (signed: SignedPayout & { readonly signedAt?: Instant }) => Promise<PayoutOutcome>
  /** Undefined on a chain that has none. */
  readonly balancesToClaim: ClaimableBalances | undefined
  /** Undefined on a chain without programs of ours. */
  readonly programs: ProgramChain | undefined
  /** Absent on a chain whose contracts are not read. */
  readonly contracts?: ContractChain
  /** Absent on a chain whose accounts have one key each. */
  readonly sharedAccounts?: SharedAccounts
  /** What was sent to each endpoint, as configured. */
  readonly counts: () => readonly CallCount[]
  /** How often each endpoint said what cannot be, as configured. */
  readonly faults: () => readonly EndpointFaults[]
  /** Whether a quorum of the endpoints told block times too far ahead of our clock a moment ago. */
  readonly isAheadOfClock: () => boolean
  /** Resolves after the first attempt to read the head. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}
