import { z } from 'zod'
import { digits } from '../../core/decimal-text.ts'
import { BareHash } from '../../core/hex.ts'

/** Horizon's root: its network and the ledgers that it has. Source: Horizon, `GET /`. */
export const HorizonRoot = z.object({
  network_passphrase: z.string(),
  /** The oldest ledger with all operations. */
  history_elder_ledger: z.int().min(0),
  history_latest_ledger: z.int().min(0),
})

/** An operation that pays, with its transaction. Source: Horizon, `GET /accounts/{id}/payments?join=transactions`. */
export const HorizonPayment = z.object({
  /** The operation's place: ledger, transaction in it, and operation from 1. Source: SEP-35. */
  id: digits(19),
  type: z.string(),
  transaction_successful: z.boolean(),
  transaction_hash: BareHash,
  /** The close time of its ledger. */
  created_at: z.iso.datetime(),
  transaction: z.object({ envelope_xdr: z.string(), result_xdr: z.string() }),
})
export type HorizonPayment = z.infer<typeof HorizonPayment>

/** A page of an account's payments, oldest first. */
export const HorizonPage = z.object({ _embedded: z.object({ records: z.array(HorizonPayment) }) })
