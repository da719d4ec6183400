import type { PaymentMethod, QuoteTreatment, SelectionReason } from '@openrfq/sdk'
import { STATUS_MEANINGS } from '../http/openapi/status-meanings.ts'

const SELECTION = {
  highest_output: 'highest output',
  lowest_input: 'lowest input',
  best_value: 'best after all costs',
  fastest: 'fastest',
  lowest_fee: 'lowest fee',
  alternative: 'alternative',
} as const satisfies Record<SelectionReason, string>

const TREATMENT = {
  outside_quote: 'on top',
  included_in_quote: 'already in the quoted amounts',
  informational: 'for information, not charged',
} as const satisfies Record<QuoteTreatment, string>

const SPONSORED: PaymentMethod = 'sponsored'

/** The text of a code; the code itself if a newer service sends one without a text. */
const textOf = (texts: Readonly<Record<string, string>>, code: string): string =>
  Object.entries(texts).find(([known]) => known === code)?.[1] ?? code

/** Why a quote has its rank, in words. */
export const selectionText = (reason: string): string => textOf(SELECTION, reason)

/** Whether a fee comes on top of the quoted amounts, in words. */
export const treatmentText = (treatment: string, paymentMethod: string): string =>
  paymentMethod === SPONSORED ? 'not paid by the user' : textOf(TREATMENT, treatment)

const { IntentStage, RelayStage, ReasonCode } = STATUS_MEANINGS
const PROGRESS = { ...RelayStage.values, ...IntentStage.values, ...ReasonCode.values }

/** A stage or reason code with its meaning before it: `The deposit is final (deposit_final)`. */
export const progressText = (code: string): string => {
  const meaning = textOf(PROGRESS, code)
  return meaning === code ? code : `${meaning.replace(/\.$/, '')} (${code})`
}
