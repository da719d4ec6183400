import { z } from 'zod'

/** A sender has fewer open transactions or payouts than this, so one list holds them all. */
export const MAXIMUM_LISTED = 1000

/** The columns of a table whose rows are signed, by their names; counts may be text, as PostgreSQL writes big ones. */
export const signatureColumns = {
  tx_hash: z.string(),
  earlier_tx_hashes: z
    .string()
    .transform((text): readonly string[] => text.split(' ').filter((txHash) => txHash !== '')),
  raw_transaction: z.string(),
  signed_at: z.coerce.number().int().min(0),
} as const

/** Transaction hashes as one column holds them: a space after each, so that SQL can append the next. */
export const encodeHashes = (txHashes: readonly string[]): string =>
  txHashes.map((txHash) => `${txHash} `).join('')
