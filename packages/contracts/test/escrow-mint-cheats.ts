import { idleProgram } from '@openrfq/sandbox/test/escrow-programs.ts'
import { TOKEN_2022, TOKENS, writeMint, writeTokens } from '@openrfq/sandbox/test/escrow-tokens.ts'
import { altered, named, SPONSOR } from '@openrfq/sandbox/test/escrow-world.ts'
import { openEscrow } from '../src/solana/escrow-instructions.ts'
import { accepts, type Cheat, cheat, moves, refuses } from './escrow-cheat.ts'
import { AMOUNT, escrowOf } from './escrow-order.ts'

/** Types of Token-2022's extensions of mints, with the lengths of their contents. */
const REFUSED_EXTENSIONS: Readonly<Record<string, readonly [number, number]>> = {
  'transfer fee': [1, 108],
  'mint close authority': [3, 32],
  'confidential transfer': [4, 65],
  'default account state': [6, 1],
  'non-transferable': [9, 0],
  'interest-bearing': [10, 52],
  'permanent delegate': [12, 32],
  'transfer hook': [14, 64],
  'confidential transfer fee': [16, 129],
  'scaled UI amount': [25, 56],
  pausable: [26, 33],
  'one of the future': [60_000, 8],
}

export const MINT_CHEATS: readonly Cheat[] = [
  ...cheat(
    'a mint of an unknown token program is refused',
    async (world, kind) => {
      const { place, open } = await escrowOf(kind)
      const fake = named('fake token program')
      writeMint(world, { mint: place.order.inputToken, program: fake })
      refuses(world, open, 'WrongMint')
      refuses(world, altered(open, 7, { address: fake }), 'WrongProgram')
      const forged = await openEscrow({ ...place, tokenProgram: fake }, SPONSOR)
      refuses(world, forged, 'WrongProgram')
      refuses(world, altered(open, 8, { address: fake }), 'WrongProgram')
    },
    ['SPL', 'Token-2022'],
  ),
  ...cheat(
    'a deposit that does not reach the vault opens no order',
    async (world, kind) => {
      const { account, open, token, vault } = await escrowOf(kind)
      if (token === undefined) return
      writeTokens(world, token, vault, { owner: account, amount: 0n })
      world.addProgram(token.program, idleProgram())
      refuses(world, open, 'WrongDeposit')
    },
    ['SPL', 'Token-2022'],
  ),
  {
    name: 'an account that is too short for a mint is refused',
    run: async (world) => {
      const { open, place } = await escrowOf('SPL')
      const bytes = new Uint8Array(81)
      world.write(place.order.inputToken, { lamports: world.rentOf(81), bytes, owner: TOKENS.SPL.program })
      refuses(world, open, 'WrongMint')
    },
  },
  ...Object.entries(REFUSED_EXTENSIONS).map(([name, extension]) => ({
    name: `a token of Token-2022 with an extension that can change, block or take amounts is refused: ${name}`,
    run: async (world: Parameters<Cheat['run']>[0]) => {
      const { open } = await escrowOf('Token-2022')
      const token = TOKENS['Token-2022']
      for (const extensions of [[extension], [[18, 64], extension], [extension, [18, 64]]] as const) {
        writeMint(world, token, extensions)
        refuses(world, open, 'UnsupportedExtension')
      }
    },
  })),
  {
    name: 'a token of Token-2022 with extensions that describe it is accepted',
    run: async (world) => {
      const token = { mint: TOKENS['Token-2022'].mint, program: TOKEN_2022 }
      // The type 0 ends the extensions; the rest of the account is spare.
      writeMint(world, token, [
        [18, 64],
        [19, 100],
        [20, 64],
        [21, 80],
        [22, 64],
        [23, 72],
        [0, 40],
      ])
      const escrow = await escrowOf('Token-2022')
      accepts(world, escrow.open)
      await moves(world, escrow, () => accepts(world, escrow.release), { solver: AMOUNT, vault: -AMOUNT })
    },
  },
]
