import { z } from 'zod'

/** What an endpoint can be made to do besides telling the truth. */
export const Lie = z.enum([
  'none',
  'hide_logs',
  'fake_logs',
  'failed_receipts',
  'null_receipts',
  'fake_receipts',
  'fake_calls',
  'fake_payments',
  'hidden_payments',
  'repeated_payments',
  'no_classic_events',
  'stale_head',
  'future_time',
  'wrong_chain',
  'slow',
  'rate_limited',
  'html',
  'small_batches',
])
export type Lie = z.infer<typeof Lie>

/** How much later than the truth a lying endpoint's blocks are. */
export const FUTURE_SECONDS = 3600
/** How many times as much as the truth a lying endpoint's amounts are. */
export const EXAGGERATION = 1000n

const ANYWHERE: readonly Lie[] = [
  'none',
  'failed_receipts',
  'null_receipts',
  'fake_receipts',
  'fake_calls',
  'stale_head',
  'future_time',
  'wrong_chain',
  'slow',
  'rate_limited',
  'html',
]
const PAYMENTS: readonly Lie[] = ['fake_payments', 'hidden_payments', 'repeated_payments']

/** The lies that endpoints of a family can tell: logs exist on EVM chains alone, payments on the others. */
export const LIES_OF = {
  evm: [...ANYWHERE, 'hide_logs', 'fake_logs', 'small_batches'],
  solana: [...ANYWHERE, ...PAYMENTS, 'small_batches'],
  stellar: [...ANYWHERE, ...PAYMENTS, 'no_classic_events'],
} as const satisfies Readonly<Record<string, readonly Lie[]>>
