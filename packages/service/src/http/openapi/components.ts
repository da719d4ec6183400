import { ACTION_MEANINGS } from './action-meanings.ts'
import { BACKEND_MEANINGS } from './backend-meanings.ts'
import { COMMON_MEANINGS } from './common-meanings.ts'
import { ERROR_MEANINGS } from './error-meanings.ts'
import type { Meaning } from './meaning.ts'
import { OPENING_MEANINGS } from './opening-meanings.ts'
import { OPERATIONS_MEANINGS } from './operations-meanings.ts'
import { QUOTE_MEANINGS } from './quote-meanings.ts'
import { REQUEST_MEANINGS } from './request-meanings.ts'
import { SOLVER_MEANINGS } from './solver-meanings.ts'
import { STATUS_MEANINGS } from './status-meanings.ts'
import { TRANSFER_MEANINGS } from './transfer-meanings.ts'
import { WEBHOOK_MEANINGS } from './webhook-meanings.ts'

/** Every object, list and recurring text of the interface by its name in the description. */
export const COMPONENTS = {
  ...COMMON_MEANINGS,
  ...REQUEST_MEANINGS,
  ...QUOTE_MEANINGS,
  ...ACTION_MEANINGS,
  ...BACKEND_MEANINGS,
  ...STATUS_MEANINGS,
  ...TRANSFER_MEANINGS,
  ...ERROR_MEANINGS,
  ...OPENING_MEANINGS,
  ...SOLVER_MEANINGS,
  ...OPERATIONS_MEANINGS,
  ...WEBHOOK_MEANINGS,
} as const satisfies Readonly<Record<string, Meaning>>

export type ComponentName = keyof typeof COMPONENTS
