import { z } from 'zod'

/** A 64-bit number that nodes write as JSON number or as text; far below 2^53 in what is read here. */
const Whole = z.union([z.int().min(0), z.string().regex(/^[0-9]{1,15}$/)]).transform(Number)

/** What a node knows of: its oldest and its newest ledger, and when they closed, in seconds since the Unix epoch. */
export const LedgerWindow = z.object({
  latestLedger: Whole,
  latestLedgerCloseTime: Whole,
  oldestLedger: Whole,
  oldestLedgerCloseTime: Whole,
})
export type LedgerWindow = z.infer<typeof LedgerWindow>

/** What became of a transaction, as far as the node's window goes. Source: Stellar RPC getTransaction. */
export const FoundTransaction = LedgerWindow.extend({
  status: z.enum(['SUCCESS', 'FAILED', 'NOT_FOUND']),
  envelopeXdr: z.string().optional(),
})
export type FoundTransaction = z.infer<typeof FoundTransaction>

/** What transactions paid lately per operation, in stroops. Source: Stellar RPC getFeeStats. */
export const FeeStatistics = z.object({ inclusionFee: z.object({ p90: z.string().regex(/^[0-9]{1,18}$/) }) })

/** An event; topics and value in base64 XDR. Source: Stellar RPC getEvents. */
export const LedgerEvent = z.object({
  id: z.string().regex(/^[0-9]{19}-[0-9]{10}$/),
  ledger: Whole,
  ledgerClosedAt: z.iso.datetime(),
  contractId: z.string(),
  txHash: z.string().regex(/^[0-9a-f]{64}$/),
  inSuccessfulContractCall: z.boolean().optional(),
  topic: z.array(z.string()).nullish(),
  value: z.string(),
})
export type LedgerEvent = z.infer<typeof LedgerEvent>

/** A page of events; its cursor is the last event, or the end of what was searched. */
export const EventPage = LedgerWindow.extend({
  events: z
    .array(LedgerEvent)
    .nullish()
    .transform((events) => events ?? []),
  cursor: z.string().regex(/^[0-9]{1,19}-[0-9]{1,10}$/),
})
export type EventPage = z.infer<typeof EventPage>

/** Entries that exist, by key, in base64 XDR. Source: Stellar RPC getLedgerEntries. */
export const LedgerEntries = z.object({
  entries: z
    .array(z.object({ key: z.string(), xdr: z.string() }))
    .nullish()
    .transform((entries) => entries ?? []),
  latestLedger: Whole,
})

/** What a node did with a transaction. Source: Stellar RPC sendTransaction. */
export const SentTransaction = z.object({
  status: z.enum(['PENDING', 'DUPLICATE', 'TRY_AGAIN_LATER', 'ERROR']),
  errorResultXdr: z.string().optional(),
})
