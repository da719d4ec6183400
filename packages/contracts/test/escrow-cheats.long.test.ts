import { test } from 'node:test'
import { tryCheat } from './escrow-cheat.ts'
import { CHEATS } from './escrow-cheats.ts'
import { ESCROW_PROGRAM } from './escrow-programs.ts'

for (const cheat of CHEATS) test(cheat.name, () => tryCheat(ESCROW_PROGRAM, cheat))
