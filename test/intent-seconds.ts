import type { IntentSeconds } from '@openrfq/sandbox/src/solvers/plan.ts'

/** Long enough for all payments and fills to be on time on a slow machine. */
export const PATIENT_SECONDS = {
  quoteLifetimeSeconds: 600,
  depositGraceSeconds: 5,
  fillWindowSeconds: 600,
  refundDelaySeconds: 5,
} as const satisfies IntentSeconds
