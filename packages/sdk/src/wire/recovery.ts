import * as z from 'zod/mini'
import { Action } from './action.ts'
import { Amount } from './amount.ts'
import { ChainId } from './chain.ts'
import { orUnlisted } from './open.ts'
import { StatusState } from './transfer.ts'

/**
 * What moves a late transfer on.
 * @example
 * const TITLES: Readonly<Record<RecoveryKind, string>> = { add_gas: 'Pay', execute: 'Deliver', refund: 'Refund' }
 */
export const RecoveryKind = z.enum(['add_gas', 'execute', 'refund'])
export type RecoveryKind = z.infer<typeof RecoveryKind>

/**
 * The states that a recovery leads to.
 * @example
 * const isRefund = (outcome: RecoveryOutcome): boolean => outcome === 'REFUNDED'
 */
export const RecoveryOutcome = z.enum(['DONE', 'REFUNDED'])
export type RecoveryOutcome = z.infer<typeof RecoveryOutcome>

/**
 * A way to move a late transfer on, which any account of the chain may sign, or the one that the query names; `leadsTo` is the state
 * that follows. `value` is what it pays of the chain's native asset beside gas; absent if nothing. `actions` is empty unless the query
 * names an account of that chain.
 * @example
 * const isRefund = ({ leadsTo }: Recovery): boolean => leadsTo === 'REFUNDED'
 */
export const Recovery = z.object({
  kind: orUnlisted(RecoveryKind),
  label: z.string(),
  chain: ChainId,
  leadsTo: orUnlisted(RecoveryOutcome),
  value: z.optional(Amount),
  actions: z.array(Action),
})
export type Recovery = z.infer<typeof Recovery>

/**
 * The answer of `GET /v1/rfq/recovery`: the state of a transfer and what moves it on; nothing while it needs no help.
 * @example
 * const actionsOf = ({ recoveries }: RecoveryAnswer) => recoveries[0]?.actions ?? []
 */
export const RecoveryAnswer = z.object({
  quoteId: z.string(),
  state: orUnlisted(StatusState),
  recoveries: z.array(Recovery),
})
export type RecoveryAnswer = z.infer<typeof RecoveryAnswer>
