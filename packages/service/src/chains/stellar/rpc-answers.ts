import { z } from 'zod'
import { digits } from '../../core/decimal-text.ts'
import { BareHash } from '../../core/hex.ts'

/** A 64-bit integer that nodes write as number or text; the fields read here stay far below 2^53. */
const Whole = z.union([z.int().min(0), digits(15)]).transform(Number)

/** The oldest and newest ledger a node retains, and their close times in seconds since the Unix epoch. */
export const LedgerWindow = z.object({
  latestLedger: Whole,
  latestLedgerCloseTime: Whole,
  oldestLedger: Whole,
  oldestLedgerCloseTime: Whole,
})
export type LedgerWindow = z.infer<typeof LedgerWindow>

/** The status of a transaction within the node's window. Source: Stellar RPC getTransaction. */
export const FoundTransaction = LedgerWindow.extend({
  status: z.enum(['SUCCESS', 'FAILED', 'NOT_FOUND']),
  envelopeXdr: z.string().optional(),
  resultXdr: z.string().optional(),
  /** The ledger that includes the transaction. */
  ledger: Whole.optional(),
})
export type FoundTransaction = z.infer<typeof FoundTransaction>

/** A transaction with its result, and the events of each operation in base64 XDR. Source: Stellar RPC getTransaction. */
export const MadeTransaction = z.discriminatedUnion('status', [
  LedgerWindow.extend({ status: z.literal('NOT_FOUND') }),
  LedgerWindow.extend({
    status: z.enum(['SUCCESS', 'FAILED']),
    ledger: Whole,
    /** The place in the ledger, from 1. */
    applicationOrder: Whole,
    /** The ledger's close time, in seconds. */
    createdAt: Whole,
    envelopeXdr: z.string(),
    resultXdr: z.string(),
    events: z.object({
      contractEventsXdr: z
        .array(z.array(z.string()).nullish())
        .nullish()
        .transform((operations) => (operations ?? []).map((events) => events ?? [])),
    }),
  }),
])

/** Transactions from a ledger on, with the events of their fees. Source: Stellar RPC getTransactions. */
export const TransactionPage = z.object({
  transactions: z
    .array(
      z.object({
        ledger: Whole,
        events: z
          .object({
            transactionEventsXdr: z
              .array(z.string())
              .nullish()
              .transform((events) => events ?? []),
          })
          .nullish()
          .transform((events) => events ?? { transactionEventsXdr: [] }),
      }),
    )
    .nullish()
    .transform((transactions) => transactions ?? []),
})

/** The outcome of a simulated call; its value in base64 XDR. Source: Stellar RPC simulateTransaction. */
export const SimulatedCall = z.object({
  error: z.string().optional(),
  results: z.array(z.object({ xdr: z.string() })).optional(),
})

/** Recent fees per operation, in stroops. Source: Stellar RPC getFeeStats. */
export const FeeStatistics = z.object({ inclusionFee: z.object({ p90: digits(18) }) })

/** An event; topics and value in base64 XDR. Source: Stellar RPC getEvents. */
export const LedgerEvent = z.object({
  id: z.string().regex(/^[0-9]{19}-[0-9]{10}$/),
  ledger: Whole,
  ledgerClosedAt: z.iso.datetime(),
  contractId: z.string(),
  txHash: BareHash,
  inSuccessfulContractCall: z.boolean().optional(),
  topic: z.array(z.string()).nullish(),
  value: z.string(),
})
export type LedgerEvent = z.infer<typeof LedgerEvent>

/** A page of events; its cursor is the last event, or the end of the searched range. */
export const EventPage = LedgerWindow.extend({
  events: z
    .array(LedgerEvent)
    .nullish()
    .transform((events) => events ?? []),
  cursor: z.string().regex(/^[0-9]{1,19}-[0-9]{1,10}$/),
})
export type EventPage = z.infer<typeof EventPage>

/** One ledger. Source: Stellar RPC getLedgers. */
export const LedgerPage = z.object({
  ledgers: z.array(z.object({ sequence: Whole, ledgerCloseTime: Whole })),
})

/** Existing entries by key, in base64 XDR. Source: Stellar RPC getLedgerEntries. */
export const LedgerEntries = z.object({
  entries: z
    .array(z.object({ key: z.string(), xdr: z.string(), lastModifiedLedgerSeq: Whole.optional() }))
    .nullish()
    .transform((entries) => entries ?? []),
  latestLedger: Whole,
})

/** A node's response to a submitted transaction. Source: Stellar RPC sendTransaction. */
export const SentTransaction = z.object({
  status: z.enum(['PENDING', 'DUPLICATE', 'TRY_AGAIN_LATER', 'ERROR']),
  errorResultXdr: z.string().optional(),
})
