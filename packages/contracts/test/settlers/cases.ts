import { ATTACK_CASES } from './attack-cases.ts'
import { DELIVERY_CASES } from './delivery-cases.ts'
import { HOSTILE_CASES } from './hostile-cases.ts'
import { OPENING_CASES } from './opening-cases.ts'
import { PERMISSION_CASES } from './permission-cases.ts'
import { REFUND_CASES } from './refund-cases.ts'
import { SETTLEMENT_CASES } from './settlement-cases.ts'
import type { Case } from './steps.ts'

/** Every attempt at the intent settlers. */
export const CASES: readonly Case[] = [
  ...OPENING_CASES,
  ...PERMISSION_CASES,
  ...DELIVERY_CASES,
  ...SETTLEMENT_CASES,
  ...REFUND_CASES,
  ...ATTACK_CASES,
  ...HOSTILE_CASES,
]
