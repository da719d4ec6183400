import { ATTACK_CASES } from './attack-cases.ts'
import { DELIVERY_CASES } from './delivery-cases.ts'
import { PRICE_ATTACK_CASES } from './price-attack-cases.ts'
import { RETURN_CASES } from './return-cases.ts'
import type { Case } from './world.ts'

/** Every attempt at the express routers. */
export const ROUTER_CASES: readonly Case[] = [
  ...DELIVERY_CASES,
  ...RETURN_CASES,
  ...ATTACK_CASES,
  ...PRICE_ATTACK_CASES,
]
