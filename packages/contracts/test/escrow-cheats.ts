import type { Cheat } from './escrow-cheat.ts'
import { MINT_CHEATS } from './escrow-mint-cheats.ts'
import { OPENING_CHEATS } from './escrow-opening-cheats.ts'
import { CLOSE_CHEATS, REFUND_CHEATS } from './escrow-refund-cheats.ts'
import { RELEASE_CHEATS } from './escrow-release-cheats.ts'
import { SWAP_CHEATS } from './escrow-swap-cheats.ts'

/** Every attempt to cheat the escrow program. */
export const CHEATS: readonly Cheat[] = [
  ...OPENING_CHEATS,
  ...MINT_CHEATS,
  ...RELEASE_CHEATS,
  ...REFUND_CHEATS,
  ...CLOSE_CHEATS,
  ...SWAP_CHEATS,
]
