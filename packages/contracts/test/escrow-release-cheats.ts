import { fillDigestOf } from '@openrfq/sandbox/test/attested-order.ts'
import { ESCROW_PROGRAM, idleProgram } from '@openrfq/sandbox/test/escrow-programs.ts'
import {
  giveAway,
  remove,
  setState,
  TOKEN_2022,
  TOKENS,
  writeTokens,
} from '@openrfq/sandbox/test/escrow-tokens.ts'
import {
  ATTACKER,
  altered,
  type EscrowWorld,
  named,
  PROGRAM,
  SOLVER,
  START,
  STRANGER,
} from '@openrfq/sandbox/test/escrow-world.ts'
import { AccountState } from '@solana-program/token'
import {
  concatHex,
  type Hex,
  hexToBigInt,
  hexToNumber,
  keccak256,
  numberToHex,
  sliceHex,
  toHex,
  zeroHash,
} from 'viem'
import { findAssociatedAddress } from '../src/solana/escrow-address.ts'
import { refundEscrow, releaseEscrow } from '../src/solana/escrow-instructions.ts'
import { accepts, type Cheat, cheat, moves, opened, refuses, SIGNED } from './escrow-cheat.ts'
import {
  AMOUNT,
  type Escrow,
  escrowOf,
  FILL,
  fillHash,
  IMPOSTOR,
  type Kind,
  signFill,
} from './escrow-order.ts'

const TOKEN_KINDS: readonly Kind[] = ['SPL', 'Token-2022', 'wrapped SOL']
const OTHER_PROGRAM = named('another deployment')
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const releaseBy = async (escrow: Escrow, signature: Hex, transaction: Hex = FILL) =>
  releaseEscrow(escrow.place, { transaction, signature })

/** The other signature of the same key and digest. */
const mirrored = (signature: Hex): Hex => {
  const s = CURVE_ORDER - hexToBigInt(sliceHex(signature, 32, 64))
  const recovery = hexToNumber(sliceHex(signature, 64)) === 27 ? 28 : 27
  return concatHex([sliceHex(signature, 0, 32), numberToHex(s, { size: 32 }), numberToHex(recovery)])
}

const paysSolver = (escrow: Escrow, rent: bigint) => ({
  solver: AMOUNT,
  vault: escrow.token === undefined ? 0n : -AMOUNT,
  sponsor: rent,
})

const writeOrder = (world: EscrowWorld, { account }: Escrow, change: Partial<ReturnType<typeof copyOf>>) =>
  world.write(account, { ...copyOf(world, account), ...change })

const copyOf = (world: EscrowWorld, account: Escrow['account']) => {
  const found = world.read(account)
  if (found === undefined) throw new Error(`no account ${account}`)
  return found
}

export const RELEASE_CHEATS: readonly Cheat[] = [
  ...cheat('a release pays the solver exactly the amount, once', async (world, kind) => {
    const escrow = await opened(world, kind)
    await moves(world, escrow, () => accepts(world, escrow.release), paysSolver(escrow, 0n))
    refuses(world, escrow.release, 'OrderNotOpen')
    world.setTime(START + 3_601)
    for (const again of [escrow.release, escrow.refund, escrow.decline]) refuses(world, again, 'OrderNotOpen')
  }),
  ...cheat('an order ends once within one transaction', async (world, kind) => {
    const escrow = await opened(world, kind)
    world.setTime(START + 3_601)
    for (const second of [escrow.release, escrow.refund, escrow.decline]) {
      refuses(world, [escrow.release, second], 'OrderNotOpen')
      refuses(world, [escrow.refund, second], 'OrderNotOpen')
    }
    refuses(world, [escrow.release, escrow.close, escrow.release], 'WrongOrder')
    accepts(world, [escrow.release, escrow.close])
  }),
  ...cheat('two orders are released in one transaction, each with its own amount', async (world, kind) => {
    const escrow = await opened(world, kind)
    const other = await opened(world, kind, { salt: toHex(2, { size: 32 }), inputAmount: 3n })
    await moves(world, escrow, () => accepts(world, [escrow.release, other.release]), {
      solver: AMOUNT + 3n,
      vault: kind === 'SOL' ? 0n : -AMOUNT,
    })
  }),
  ...cheat('only the order’s attester releases it', async (world, kind) => {
    const escrow = await opened(world, kind)
    const { signature } = await signFill(escrow.orderId)
    const signatures: readonly Hex[] = [
      (await signFill(escrow.orderId, IMPOSTOR)).signature,
      concatHex([toHex(0, { size: 64 }), '0x1b']),
      concatHex([numberToHex(CURVE_ORDER, { size: 32 }), sliceHex(signature, 32)]),
      concatHex([sliceHex(signature, 0, 64), signature.endsWith('1b') ? '0x1c' : '0x1b']),
      concatHex([sliceHex(signature, 0, 64), '0x02']),
      concatHex([sliceHex(signature, 0, 64), '0x04']),
    ]
    for (const forged of signatures) refuses(world, await releaseBy(escrow, forged), 'NotAttested', forged)
    refuses(world, await releaseBy(escrow, signature, keccak256('0x01')), 'NotAttested')
    accepts(world, escrow.release)
  }),
  ...cheat('a signature that recovers no key is not that of the key of zeros', async (world, kind) => {
    const attester = sliceHex(keccak256(toHex(0, { size: 64 })), 12)
    const escrow = await opened(world, kind, { attester })
    for (const last of ['0x1b', '0x1c', '0x02'] as const)
      refuses(world, await releaseBy(escrow, concatHex([toHex(0, { size: 64 }), last])), 'NotAttested')
  }),
  ...cheat('an attestation of another digest is refused', async (world, kind) => {
    const escrow = await opened(world, kind)
    const { orderId } = escrow
    for (const hash of [
      orderId,
      FILL,
      fillHash(orderId, STRANGER),
      fillDigestOf(31337, IMPOSTOR.address, { orderId, repayTo: zeroHash, transaction: FILL }),
    ])
      refuses(
        world,
        await releaseEscrow(escrow.place, await signFill(orderId, undefined, hash)),
        'NotAttested',
      )
  }),
  ...cheat('an attestation of another order, cluster or program is refused', async (world, kind) => {
    world.addProgram(OTHER_PROGRAM, ESCROW_PROGRAM)
    const escrow = await opened(world, kind)
    const others = [
      await escrowOf(kind, { salt: toHex(2, { size: 32 }) }),
      await escrowOf(kind, { originChain: keccak256(toHex('solana:another')) }),
      await escrowOf(kind, {}, OTHER_PROGRAM),
    ]
    for (const other of others) {
      refuses(world, { ...escrow.release, data: other.release.data ?? new Uint8Array() }, 'NotAttested')
      accepts(world, other.open)
      refuses(world, { ...other.release, data: escrow.release.data ?? new Uint8Array() }, 'NotAttested')
    }
    for (const { release } of [escrow, ...others]) accepts(world, release)
  }),
  ...cheat('the other signature of the same digest gives no second release', async (world, kind) => {
    const escrow = await opened(world, kind)
    const { signature } = await signFill(escrow.orderId)
    const other = await releaseBy(escrow, mirrored(signature))
    accepts(world, other)
    refuses(world, escrow.release, 'OrderNotOpen')
  }),
  ...cheat('only the order’s solver is paid', async (world, kind) => {
    const escrow = await opened(world, kind)
    for (const change of [{}, SIGNED])
      refuses(world, altered(escrow.release, 1, { address: ATTACKER, ...change }), 'WrongParty')
  }),
  ...cheat('an account that this program did not write is no order', async (world, kind) => {
    const escrow = await opened(world, kind)
    const { bytes } = copyOf(world, escrow.account)
    const blank = Uint8Array.from(bytes)
    blank[0] = 0
    const forgeries = [
      { owner: named('another program') },
      { owner: OTHER_PROGRAM },
      { bytes: blank },
      { bytes: bytes.slice(0, 199) },
      { bytes: Uint8Array.of(...bytes, 0) },
      { bytes: new Uint8Array() },
    ]
    for (const forgery of forgeries) {
      writeOrder(world, escrow, { bytes, owner: PROGRAM, ...forgery })
      world.setTime(START + 3_601)
      for (const call of [escrow.release, escrow.refund, escrow.decline, escrow.close])
        refuses(world, call, 'WrongOrder')
    }
    writeOrder(world, escrow, { bytes, owner: PROGRAM })
    accepts(world, escrow.release)
  }),
  ...cheat(
    'tokens go to no account but the solver’s associated one, unless the solver signs',
    async (world, kind) => {
      const { release, token } = await opened(world, kind)
      if (token === undefined) return
      const own = named('another account of the solver')
      const foreign = await findAssociatedAddress(ATTACKER, token)
      writeTokens(world, token, own, { owner: SOLVER, amount: 0n })
      for (const address of [own, foreign, ATTACKER, named('nowhere')])
        refuses(world, altered(release, 3, { address }), 'WrongDestination', address)
      accepts(world, altered(altered(release, 3, { address: own }), 1, SIGNED))
    },
    TOKEN_KINDS,
  ),
  ...cheat(
    'a solver’s account that was closed, given away or frozen does not take the tokens',
    async (world, kind) => {
      const { release, token } = await opened(world, kind)
      if (token === undefined) return
      const account = await findAssociatedAddress(SOLVER, token)
      giveAway(world, account, ATTACKER)
      refuses(world, release, 'WrongDestination')
      giveAway(world, account, SOLVER)
      setState(world, account, AccountState.Frozen)
      refuses(world, release, 'Custom 17')
      remove(world, account)
      refuses(world, release, 'WrongDestination')
      const other = named('another account of the solver')
      writeTokens(world, token, other, { owner: SOLVER, amount: 0n })
      accepts(world, altered(altered(release, 3, { address: other }), 1, SIGNED))
    },
    TOKEN_KINDS,
  ),
  ...cheat(
    'the vault is not its own destination, even for a solver that signs',
    async (world, kind) => {
      const { release, vault } = await opened(world, kind)
      refuses(world, altered(altered(release, 3, { address: vault }), 1, SIGNED), 'WrongDestination')
    },
    TOKEN_KINDS,
  ),
  ...cheat(
    'a token program that does nothing does not end an order',
    async (world, kind) => {
      const fake = named('fake token program')
      world.addProgram(fake, idleProgram())
      const escrow = await opened(world, kind)
      const { place, release, refund, token } = escrow
      if (token === undefined) return
      const forged = await releaseEscrow({ ...place, tokenProgram: fake }, await signFill(escrow.orderId))
      world.setTime(START + 3_601)
      refuses(world, altered(forged, 1, SIGNED), 'WrongProgram')
      refuses(world, altered(release, 5, { address: fake }), 'WrongProgram')
      refuses(world, altered(refund, 6, { address: fake }), 'WrongProgram')
      refuses(world, altered(refund, 8, { address: fake }), 'WrongProgram')
      if (token.program !== TOKEN_2022) {
        const other = await releaseEscrow(
          { ...place, tokenProgram: TOKEN_2022 },
          await signFill(escrow.orderId),
        )
        refuses(world, altered(other, 1, SIGNED), 'WrongMint')
      }
      accepts(world, release)
    },
    TOKEN_KINDS,
  ),
  ...cheat(
    'tokens of another mint that a stranger put aside do not end an order',
    async (world, kind) => {
      const escrow = await opened(world, kind)
      const { account, orderId, place } = escrow
      const worthless = TOKENS[kind === 'SPL' ? 'wrapped SOL' : 'SPL']
      const decoy = await findAssociatedAddress(account, worthless)
      writeTokens(world, worthless, decoy, { owner: account, amount: AMOUNT })
      const order = { ...place.order, inputToken: worthless.mint }
      const forged = { ...place, order, tokenProgram: worthless.program }
      world.setTime(START + 3_601)
      refuses(world, await releaseEscrow(forged, await signFill(orderId)), 'WrongMint')
      refuses(world, await refundEscrow(forged, STRANGER), 'WrongMint')
      await moves(world, escrow, () => accepts(world, escrow.release), paysSolver(escrow, 0n))
    },
    TOKEN_KINDS,
  ),
  ...cheat(
    'the vault of another order is refused',
    async (world, kind) => {
      const escrow = await opened(world, kind)
      const other = await opened(world, kind, { salt: toHex(2, { size: 32 }) })
      world.setTime(START + 3_601)
      refuses(world, altered(escrow.release, 2, { address: other.vault }), 'WrongVault')
      refuses(world, altered(escrow.refund, 3, { address: other.vault }), 'WrongVault')
      for (const { release } of [escrow, other]) accepts(world, release)
    },
    TOKEN_KINDS,
  ),
  ...cheat(
    'a frozen vault pays once it is thawed',
    async (world, kind) => {
      const escrow = await opened(world, kind)
      setState(world, escrow.vault, AccountState.Frozen)
      world.setTime(START + 3_601)
      for (const call of [escrow.release, escrow.refund]) refuses(world, call, 'Custom 17')
      setState(world, escrow.vault, AccountState.Initialized)
      await moves(world, escrow, () => accepts(world, escrow.release), paysSolver(escrow, 0n))
    },
    ['SPL', 'Token-2022'],
  ),
  ...cheat(
    'tokens that strangers send to the vault do not keep it from closing',
    async (world, kind) => {
      const escrow = await opened(world, kind)
      if (escrow.token === undefined) return
      writeTokens(world, escrow.token, escrow.vault, { owner: escrow.account, amount: AMOUNT + 7n })
      await moves(world, escrow, () => accepts(world, escrow.release), {
        solver: AMOUNT + 7n,
        vault: -AMOUNT - 7n,
      })
      world.setTime(START + 61)
      const rent = world.rentOf(200) + world.rentOf(kind === 'Token-2022' ? 170 : 165)
      await moves(world, escrow, () => accepts(world, escrow.close), { sponsor: rent })
    },
    TOKEN_KINDS,
  ),
]
