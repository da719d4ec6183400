import { test } from 'node:test'
import { ESCROW_PROGRAM } from '@openrfq/sandbox/test/escrow-programs.ts'
import { tryCheat } from './escrow-cheat.ts'
import { CHEATS } from './escrow-cheats.ts'

for (const cheat of CHEATS) test(cheat.name, () => tryCheat(ESCROW_PROGRAM, cheat))
